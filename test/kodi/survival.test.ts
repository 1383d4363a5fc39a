import { describe, expect, onTestFinished, test } from 'vitest';
import { mkvClip } from '../../sandbox/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import {
  clipContent,
  type FaultServer,
  HONEST,
  type Region,
  type Script,
  startFaultServer,
} from '../support/fault-server/index.ts';
import { type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('surviving faults in a real Kodi 21');

const SECONDS = 180;
/** More than twice Kodi's cache of 16 MB and the proxy's read-ahead of 32 MiB together. */
const CLIP = mkvClip({ name: 'Sintel.mkv', seconds: SECONDS, size: 128_000_000 });
/** Bytes per second. */
const BITRATE = CLIP.size / SECONDS;
const KODI = { settings: { 'filecache.memorysize': '16' } };

async function startOrigin(pace: number): Promise<FaultServer & { missing(first: number): void }> {
  const paced: Script = { ...HONEST, pace: { total: pace * BITRATE } };
  const origin = await startFaultServer({
    files: [{ path: '/Sintel.mkv', content: clipContent(CLIP) }],
    script: paced,
  });
  onTestFinished(() => origin.close());
  return Object.assign(origin, {
    missing: (second: number) => {
      const gone: Region = { first: Math.floor(second * BITRATE), last: CLIP.size - 1 - 1_000_000 };
      origin.play({ ...paced, missing: [gone] });
    },
  });
}

const beyond = ({ kodi }: Stage, seconds: number, ms = 60_000) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
    ms,
  );

describe.skipIf(!root)('in a real Kodi 21', () => {
  test('a film that breaks off is played on from there, with all that was known of it, and given up when that does not help', async () => {
    const s = await stage(root!, { kodi: KODI });
    const { kodi } = s;
    const origin = await startOrigin(10);
    origin.missing(10);
    const mark = kodi.notifications.mark();
    await s.open(`/direct_play?url=${encodeURIComponent(origin.url)}&title=Sintel`);
    await kodi.notifications.wait('Player.OnStop', { since: mark, ms: 60_000 });
    origin.missing(30);
    await beyond(s, 15);
    expect(await s.raised()).toEqual(['svc.active', 'svc.stream_url', 'svc.playing']);
    expect(await kodi.infoLabel('VideoPlayer.Title')).toBe('Sintel');
    await kodi.until(
      'it is given up',
      async () =>
        ((await kodi.player.position()) === undefined && (await s.raised()).length === 0) || undefined,
      90_000,
    );
    await s.nothingLeft();
    expect((await kodi.log()).match(/broke off at/g)).toHaveLength(2);
  });
});
