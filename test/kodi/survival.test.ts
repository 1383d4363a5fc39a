import { describe, expect, onTestFinished, test } from 'vitest';
import { mkvClip } from '../../sandbox/index.ts';
import { pause } from '../../src/io/wait.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import {
  clipContent,
  type Fault,
  type FaultServer,
  NO_FAULTS,
  type Region,
  startFaultServer,
} from '../support/fault-server/index.ts';
import { Random } from '../support/random.ts';
import type { Kodi } from './harness/index.ts';
import { type PlayerClock, watchClock } from './player-clock.ts';
import { chooseRelease } from './remote-control.ts';
import { ADDON_ID, type SessionStatus, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('surviving faults in a real Kodi 21');

const SECONDS = 180;
/** More than twice Kodi's cache of 24 MB, a quarter of which lies behind, and the proxy's 32 MiB together. */
const CLIP = mkvClip({ name: 'Sintel.mkv', seconds: SECONDS, size: 128_000_000 });
/** Bytes per second. */
const BITRATE = CLIP.size / SECONDS;
const KODI = { settings: { 'filecache.memorysize': '24' } };
/** Never so fast that the read-ahead is full: every fault meets a read that is under way. */
const PACE = 1.5;

/** Bytes of a file that one usenet article commonly holds. */
const ARTICLE = 716_800;

const wait = (seconds: number) => pause(seconds * 1000, new AbortController().signal);

interface Origin extends FaultServer {
  /** From now on these faults strike, and these parts of the film are gone. */
  suffer(faults: readonly Fault[], missing?: readonly Region[]): void;
}

async function startOrigin(pace: number): Promise<Origin> {
  const origin = await startFaultServer({ files: [{ path: '/Sintel.mkv', content: clipContent(CLIP) }] });
  onTestFinished(() => origin.close());
  const suffer: Origin['suffer'] = (faults, missing = []) => {
    origin.play({ ...NO_FAULTS, pace: { total: pace * BITRATE }, faults, missing });
  };
  suffer([]);
  return Object.assign(origin, { suffer });
}

interface Playback extends Stage {
  readonly origin: Origin;
  readonly clock: PlayerClock;
  /** Waits until the player has played so many seconds more than now. */
  playsOn(seconds: number): Promise<void>;
  /** Stops the player, and sees that nothing is left open. */
  stopsClean(): Promise<void>;
}

const beyond = ({ kodi }: Stage, seconds: number, ms = 60_000) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
    ms,
  );

/** The clip plays through the proxy, and its clock is watched. */
async function play(): Promise<Playback> {
  const s = await stage(root!, { kodi: KODI });
  const { kodi } = s;
  const origin = await startOrigin(PACE);
  await s.open(`/direct_play?url=${encodeURIComponent(origin.url)}&title=Sintel`);
  await beyond(s, 1);
  await kodi.until('it is watched', async () => (await s.raised()).length === 3 || undefined);
  const clock = watchClock(kodi);
  onTestFinished(() => clock.end());
  return Object.assign(s, {
    origin,
    clock,
    playsOn: async (seconds: number) =>
      beyond(s, ((await kodi.player.position()) ?? Infinity) + seconds).then(() => undefined),
    stopsClean: async () => {
      await clock.end();
      await kodi.player.stop();
      await s.nothingLeft();
      const left = async () => (await s.sessions()).length + origin.connections;
      await kodi.until('nothing is open', async () => (await left()) === 0 || undefined);
    },
  });
}

/** Lets a fault strike, and proves that it met a read which was under way and was taken up again. */
async function strikes(playback: Playback, fault: () => Promise<void>): Promise<void> {
  const [before] = await playback.sessions();
  await playback.kodi.until('the upstream is being read', async () => {
    const { bytesIn } = (await playback.sessions())[0]!.counters;
    return bytesIn > before!.counters.bytesIn || undefined;
  });
  await fault();
  await playback.kodi.until('it was taken up again', async () => {
    const [now] = await playback.sessions();
    return takenUp(now!) > takenUp(before!) || undefined;
  });
}

/** How often a read was made anew, or by a second request beside one whose body was silent. */
const takenUp = ({ counters, decisions }: SessionStatus): number =>
  counters.retries + decisions.filter(({ what }) => what.includes('has begun to deliver first')).length;

/**
 * Seconds that Kodi has in hand when its film is no race with the origin's pace. Some five of them stand in the player's
 * own queues, and its cache must still hold something when a silent connection is broken off after eight: an empty one
 * takes that for the film's end ("source read didn't return any data before eof").
 */
const IN_HAND = 18;

/**
 * Pauses the player until it has read ahead: a fault that strikes then meets it as faults mostly do. With an empty cache
 * Kodi takes the first broken connection for the film's end.
 */
async function readsAhead({ kodi }: Playback): Promise<void> {
  const pause = (play: boolean) => kodi.rpc('Player.PlayPause', { playerid: 1, play });
  await pause(false);
  const properties = ['percentage', 'cachepercentage'];
  await kodi.until(`${IN_HAND} s are in hand`, async () => {
    const { percentage, cachepercentage } = (await kodi.rpc('Player.GetProperties', {
      playerid: 1,
      properties,
    })) as { percentage: number; cachepercentage: number };
    return ((cachepercentage - percentage) / 100) * SECONDS > IN_HAND || undefined;
  });
  await pause(true);
}

/** Where the player stood last, once it plays nothing any more. */
async function leftAt(kodi: Kodi): Promise<number> {
  let last = 0;
  const isOver = async () => {
    const position = await kodi.player.position();
    // While it closes it may stand at 0.
    last = Math.max(last, position ?? 0);
    return position === undefined || undefined;
  };
  await kodi.until('nothing plays', isOver, 60_000);
  return last;
}

/** Where the upstream's answer stands that is furthest on its way. */
function frontier({ requests }: FaultServer): number {
  const open = requests.filter(({ method, endedAt }) => method === 'GET' && endedAt === undefined);
  return Math.max(...open.map(({ first, sent }) => first + sent));
}

const fileOf = (url: string) => url.split('/').at(-1);

describe.skipIf(!root)('in a real Kodi 21', () => {
  test('playback survives drops, a stall, a backend that restarts, and engines that are killed or hang', async () => {
    const playback = await play();
    const { kodi, origin, clock } = playback;
    for (let round = 0; round < 4; round++) {
      await strikes(playback, () => {
        origin.goAway(0);
        return Promise.resolve();
      });
      await wait(3);
    }
    await readsAhead(playback);
    // A silence that ends by itself: it is listened to, and nothing is asked for anew.
    const silent = frontier(origin) + 1_000_000;
    origin.suffer([{ kind: 'stall', at: { position: silent }, milliseconds: 12_000 }]);
    await kodi.until(
      'the silence is over',
      () => Promise.resolve(frontier(origin) > silent || undefined),
      40_000,
    );
    origin.suffer([]);
    await playback.playsOn(1);
    await readsAhead(playback);
    await strikes(playback, async () => {
      origin.goAway();
      await wait(4);
      await origin.comeBack();
    });
    await playback.playsOn(1);
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      await readsAhead(playback);
      const engine = playback.engines('service')[0]!;
      process.kill(engine, signal);
      await kodi.until('another engine runs', () => {
        const engines = playback.engines('service');
        return Promise.resolve((engines.length === 1 && engines[0] !== engine) || undefined);
      });
      await playback.playsOn(5);
    }
    expect(clock.faults).toEqual([]);
    await playback.stopsClean();
    expect(await kodi.log()).not.toContain('broke off');
  });

  test('playback survives 50 random seeks', async () => {
    const playback = await play();
    const { kodi, clock } = playback;
    const seed = Number(process.env['SLIPSTREAM_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    console.info(`the seeks again: SLIPSTREAM_SEED=${seed}`);
    const random = new Random(seed);
    for (let round = 0; round < 50; round++) {
      const target = random.int(0, SECONDS - 20);
      await clock.jump(async () => {
        await kodi.player.seek(target);
        await kodi.until(`seek ${round} to ${target} s lands`, async () => {
          const time = (await kodi.player.position()) ?? -1;
          return (time > target && time < target + 10) || undefined;
        });
      });
    }
    await playback.playsOn(3);
    expect(clock.faults).toEqual([]);
    await playback.stopsClean();
  });

  test('a lost article is bridged, and playback goes on over it', async () => {
    const playback = await play();
    const { kodi, origin, clock, sessions } = playback;
    const first = frontier(origin) + 3_000_000;
    origin.suffer([], [{ first, last: first + ARTICLE - 1 }]);
    await kodi.until(
      'the hole is filled',
      async () => (await sessions())[0]!.counters.filled === ARTICLE || undefined,
      60_000,
    );
    await beyond(playback, (first + ARTICLE) / BITRATE + 3);
    expect(clock.faults).toEqual([]);
    await playback.stopsClean();
    expect(await kodi.log()).not.toContain('broke off');
  });

  test('a film that breaks off is played on from there, with all that was known of it, and given up when that does not help', async () => {
    const s = await stage(root!, { kodi: KODI });
    const { kodi } = s;
    const origin = await startOrigin(10);
    const breaksOffAt = (second: number) => {
      // The end of the file, where the index is, stays.
      origin.suffer([], [{ first: Math.floor(second * BITRATE), last: CLIP.size - 1_000_000 }]);
    };
    breaksOffAt(10);
    const mark = kodi.notifications.mark();
    await s.open(`/direct_play?url=${encodeURIComponent(origin.url)}&title=Sintel`);
    await kodi.notifications.wait('Player.OnStop', { since: mark, ms: 60_000 });
    breaksOffAt(25);
    await beyond(s, 15);
    expect(await s.raised()).toEqual(['svc.active', 'svc.stream_url', 'svc.playing']);
    expect(await kodi.infoLabel('VideoPlayer.Title')).toBe('Sintel');
    await kodi.until(
      'it is given up',
      async () =>
        ((await kodi.player.position()) === undefined && (await s.raised()).length === 0) || undefined,
      90_000,
    );
    // It says why, until that is read.
    await s.windowIsUp();
    await kodi.rpc('Input.Select');
    await s.nothingLeft();
    expect((await kodi.log()).match(/broke off at/g)).toHaveLength(2);
  });

  test('an update of the add-on resumes the film once, at its position, and asks nothing', async () => {
    // The person chooses, as the settings have it by default.
    const s = await stage(root!, { kodi: KODI, settings: { auto_select: 'false', cache_minutes: '30' } });
    const { kodi } = s;
    const enable = (enabled: boolean) => kodi.rpc('Addons.SetAddonEnabled', { addonid: ADDON_ID, enabled });
    await s.open(`/play?${SINTEL}`);
    // Not the one that would be taken without asking.
    await chooseRelease(kodi, 'FRONTINDEX');
    await beyond(s, 1);
    await kodi.player.seek(400);
    await beyond(s, 402);
    const stream = await kodi.homeProperty('svc.stream_url');
    await enable(false);
    await kodi.until('the service is gone', () =>
      Promise.resolve(s.engines('service').length === 0 || undefined),
    );
    await enable(true);
    // Kodi plays on from what it has read ahead; then the new version takes over.
    const left = await leftAt(kodi);
    const isOn = async () => ((await kodi.player.position()) ?? 0) > left - 10;
    await kodi.until(
      'it is resumed',
      async () =>
        (!['', stream].includes(await kodi.homeProperty('svc.stream_url')) && (await isOn())) || undefined,
      15_000,
    );
    expect((await kodi.player.position()) ?? Infinity).toBeLessThan(left + 10);
    // The release that played, and no list.
    expect(fileOf(await kodi.homeProperty('svc.stream_url'))).toBe(fileOf(stream));
    expect((await kodi.log()).match(/slipstream-picker\.xml/g)).toHaveLength(1);
    expect(await kodi.infoLabel('VideoPlayer.Title')).toBe('Sintel');
    await kodi.player.stop();
    await s.nothingLeft();
    expect(await kodi.homeProperty('slipstream.kept')).toBe('');
    await enable(false);
    await kodi.until('the service is gone', () =>
      Promise.resolve(s.engines('service').length === 0 || undefined),
    );
    await enable(true);
    await kodi.until(
      'the proxy is published',
      async () => (await kodi.homeProperty('svc.proxy_token')) || undefined,
    );
    await wait(2);
    expect(await kodi.player.position()).toBeUndefined();
  });
});
