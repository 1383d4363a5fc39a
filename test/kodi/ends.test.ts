import { describe, expect, test } from 'vitest';
import { noFaults, whenQuery } from '../../sandbox/index.ts';
import { pause } from '../../src/io/wait.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { ADDON_ID, isOurs, ourWindowIsUp, SINTEL, SINTEL_SCRIPT, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('films that end too early in a real Kodi 21');

/** Where the film stands when its server goes wrong: well behind what Kodi and the proxy have read of its start. */
const ADVANCED = 544;
/** Seconds; what is kept may lie so far from the last picture. */
const NEAR = 2;
/** For so long a person waits at a still picture before Stop, and looks at the menu behind it. */
const SILENT_MS = 8_000;
const AFTER_STOP_MS = 3_000;

const beyond = ({ kodi }: Stage, seconds: number, ms = 60_000) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
    ms,
  );

/** Sintel plays, well advanced. */
async function advanced(): Promise<Stage> {
  // While a film that broke off is being put away, Kodi starts no other.
  const s = await stage(root!, { jobDuration: 4_000 });
  await s.open(`/play?${SINTEL}`);
  await beyond(s, 1);
  await s.kodi.player.seek(ADVANCED - 4);
  await beyond(s, ADVANCED);
  return s;
}

/** Between which seconds the last picture of a film was: after a still picture Kodi's clock may be ahead of what it shows. */
interface LastPicture {
  readonly from: number;
  readonly to: number;
}

/**
 * Plays until nothing does any more, and gives for how many seconds the last picture stood still. On a busy machine
 * Kodi's clock goes on, all at once, by the time that a picture stood still, and the sound is behind by that ("large
 * audio sync error"): what was shown last is then so much before its time.
 */
async function untilItEnds({
  kodi,
}: Stage): Promise<{ readonly last: LastPicture; readonly frozen: number }> {
  let to = 0;
  let ahead = 0;
  let [lookedAt, movedAt] = [performance.now(), performance.now()];
  for (;;) {
    const askedAt = performance.now();
    const position = await kodi.player.position();
    const now = performance.now();
    if (position === undefined) return { last: { from: to - ahead, to }, frozen: (now - movedAt) / 1000 };
    // At most so long ago the clock stood where it was seen last.
    const leap = position - to - (now - lookedAt) / 1000;
    if (to > 0 && leap > NEAR) ahead += leap;
    if (position > to) movedAt = now;
    to = Math.max(to, position);
    lookedAt = askedAt;
    await pause(200, new AbortController().signal);
  }
}

/** The second of the film at which a notification shows; Infinity when the film has ended by then. */
async function whenTold({ kodi }: Stage): Promise<number> {
  const name = 'Window.IsActive(notification)';
  await kodi.until(
    'it is told',
    async () => {
      const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<
        string,
        boolean
      >;
      return answer[name] === true || undefined;
    },
    90_000,
  );
  return (await kodi.player.position()) ?? Infinity;
}

/** The server of the film falls silent, and the film is to go where nothing has been read yet. */
async function seeksInSilence({ kodi, sandbox }: Stage): Promise<void> {
  sandbox.faults.webdav.push({ kind: 'hang', when: ({ method }) => method === 'GET' });
  // What is being sent already would go on.
  await sandbox.shut('webdav');
  await sandbox.open('webdav');
  await kodi.player.seek(820);
}

/** Stops the film, and gives after how many milliseconds it had ended. */
async function stop({ kodi }: Stage): Promise<number> {
  const began = performance.now();
  const mark = kodi.notifications.mark();
  await kodi.player.stop();
  await kodi.notifications.wait('Player.OnStop', { since: mark, ms: 30_000 });
  const took = Math.round(performance.now() - began);
  console.info(`stopped after ${took} ms`);
  return took;
}

/** For so long neither a window of ours, nor a progress dialog, nor the promise that the film goes on is on the screen. */
async function staysPlain({ kodi }: Stage, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const { currentwindow } = (await kodi.rpc('GUI.GetProperties', { properties: ['currentwindow'] })) as {
      currentwindow: { id: number };
    };
    expect(isOurs(currentwindow.id), `window ${currentwindow.id} is one of ours`).toBe(false);
    for (const dialog of ['progressdialog', 'extendedprogressdialog'])
      expect(await kodi.isActive(dialog), dialog).toBe(false);
    await pause(100, new AbortController().signal);
  }
  expect(await kodi.log()).not.toContain('played again from');
}

/** For a server that is away no NZB is grabbed, and nothing submitted. @param from The first request that counts. */
function expectNothingAsked({ sandbox }: Stage, from: number): void {
  const isSubmission = whenQuery('mode', 'addfile');
  const isGrab = whenQuery('t', 'get');
  const asked = sandbox.requests.slice(from).filter((request) => isSubmission(request) || isGrab(request));
  expect(asked).toEqual([]);
}

/** We ask whether to take the film up there, and it goes on from there. */
async function resumesAt(s: Stage, { from, to }: LastPicture): Promise<void> {
  const { kodi } = s;
  await kodi.until(
    'the failure box is gone',
    async () => (await kodi.homeProperty('slipstream.failure-box')) === '' || undefined,
  );
  const mark = kodi.notifications.mark();
  await kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`);
  const [, minutes, seconds] = await kodi.until('it is asked', async () => {
    const focused = await kodi.infoLabel('System.CurrentControl');
    return /Resume from (\d+):(\d\d)/.exec(focused) ?? undefined;
  });
  const offered = Number(minutes) * 60 + Number(seconds);
  expect(offered, 'the second that is offered').toBeGreaterThanOrEqual(from - NEAR);
  expect(offered, 'the second that is offered').toBeLessThanOrEqual(to + NEAR);
  await kodi.rpc('Input.Select');
  await kodi.notifications.wait('Player.OnAVStart', { since: mark, ms: 60_000 });
  // It lands at the key frame before.
  await beyond(s, offered - 10);
}

describe.skipIf(!root)('in a real Kodi 21', () => {
  test('a film whose server goes away is told to end, ends with its buffer, and is taken up again there', async () => {
    const s = await advanced();
    const { kodi, sandbox } = s;
    // Its front end answers 504 from the first moment.
    await sandbox.shut('webdav');
    sandbox.faults.gateway = 'alone';
    await sandbox.open('webdav');
    const from = sandbox.requests.length;
    const [told, { last, frozen }] = await Promise.all([whenTold(s), untilItEnds(s)]);
    console.info(`told at ${told} s, last picture ${last.from} to ${last.to} s, still for ${frozen} s`);
    expect(told, 'it was told while the film played').toBeLessThan(last.to);
    expect(frozen).toBeLessThan(30);
    await ourWindowIsUp(kodi);
    expectNothingAsked(s, from);
    // It stays until it is read.
    await pause(12_000, new AbortController().signal);
    await ourWindowIsUp(kodi);
    await kodi.rpc('Input.Select');
    await s.nothingLeft();
    Object.assign(sandbox.faults, noFaults());
    await resumesAt(s, last);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('a film whose server falls silent is told to end, ends with its buffer, and is taken up again there', async () => {
    const s = await advanced();
    const { kodi, sandbox } = s;
    sandbox.faults.webdav.push({ kind: 'hang', when: ({ method }) => method === 'GET' });
    // What is being sent already would go on.
    await sandbox.shut('webdav');
    await sandbox.open('webdav');
    const from = sandbox.requests.length;
    const [told, { last, frozen }] = await Promise.all([whenTold(s), untilItEnds(s)]);
    console.info(`told at ${told} s, last picture ${last.from} to ${last.to} s, still for ${frozen} s`);
    expect(told, 'it was told while the film played').toBeLessThan(last.to);
    expect(frozen).toBeLessThan(30);
    await kodi.until(
      'it is told why',
      async () => (await kodi.infoLabel('System.CurrentControl')).includes('Close') || undefined,
    );
    await kodi.rpc('Input.Select');
    expectNothingAsked(s, from);
    await s.nothingLeft();
    Object.assign(sandbox.faults, noFaults());
    await resumesAt(s, last);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('a seek to what a server that is away does not give: Stop works at once, and the place is that of the last picture', async () => {
    const s = await advanced();
    const { kodi, sandbox } = s;
    await sandbox.shut('webdav');
    await sandbox.shut('api');
    const place = (await kodi.player.position()) ?? 0;
    await kodi.player.seek(820);
    await kodi.until(
      'it is known to refuse',
      async () => (await s.sessions())[0]?.trouble?.kind === 'refused' || undefined,
    );
    expect(await stop(s)).toBeLessThan(2_000);
    await s.nothingLeft();
    await sandbox.open('webdav');
    await sandbox.open('api');
    await resumesAt(s, { from: place, to: place });
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('a seek to what a server that is silent does not give: nothing of ours comes up, nor behind Stop', async () => {
    const s = await advanced();
    const { kodi, sandbox } = s;
    const place = (await kodi.player.position()) ?? 0;
    await seeksInSilence(s);
    await staysPlain(s, SILENT_MS);
    expect(await kodi.player.position(), 'the film has not ended by itself').toBeDefined();
    await stop(s);
    await staysPlain(s, AFTER_STOP_MS);
    await s.nothingLeft();
    Object.assign(sandbox.faults, noFaults());
    await resumesAt(s, { from: place, to: place });
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('Stop works at once while a server is silent', async () => {
    const s = await advanced();
    await seeksInSilence(s);
    await pause(SILENT_MS, new AbortController().signal);
    expect(await stop(s)).toBeLessThan(2_000);
  });

  test('a film whose file answers 500 goes on with another release where its last picture was', async () => {
    const s = await advanced();
    const { kodi, sandbox } = s;
    const broken = sandbox.jobs()[0]!.name;
    const before = await kodi.homeProperty('svc.stream_url');
    sandbox.faults.webdav.push({
      kind: 'status',
      status: 500,
      when: ({ method, path }) => method === 'GET' && decodeURIComponent(path).includes(broken),
    });
    const place = (await kodi.player.position()) ?? 0;
    await kodi.player.seek(820);
    await kodi.until(
      'another release is announced',
      async () => !['', before].includes(await kodi.homeProperty('svc.stream_url')) || undefined,
      150_000,
    );
    await beyond(s, 1);
    const position = (await kodi.player.position()) ?? 0;
    expect(position).toBeGreaterThan(place - 15 - NEAR - 10);
    expect(position).toBeLessThan(place + NEAR);
    await kodi.player.stop();
    await s.nothingLeft();
  });
});
