import { describe, expect, test } from 'vitest';
import { pause } from '../../src/io/wait.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { film } from './engine-here.ts';
import { ADDON_ID, quitsClean, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('the opening of a film in a real Kodi 21');

const BIG_BUCK_BUNNY = 'type=movie&title=Big%20Buck%20Bunny&year=2008&imdb=tt1254207';

const SIGN = 'extendedprogressdialog';
const BUSY = 'busydialog';
const TOAST = 'Window Init (DialogNotification.xml)';

const signComes = (s: Stage) =>
  s.kodi.until('the sign is up', async () => (await s.kodi.isActive(SIGN)) || undefined);
const signGoes = (s: Stage) =>
  s.kodi.until('the sign is gone', async () => !(await s.kodi.isActive(SIGN)) || undefined, 2000);

const plays = ({ kodi }: Stage) =>
  kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined, 60_000);

/** A play whose film was handed over and has no picture yet: each of Kodi's requests takes a while. */
async function opening(): Promise<Stage> {
  const s = await stage(root!, { kodi: { debug: true } });
  s.sandbox.faults.webdav.push({ kind: 'slow', milliseconds: 3000, when: ({ method }) => method === 'GET' });
  await s.open(`/play?${SINTEL}`);
  await s.kodi.until(
    'it is handed over',
    async () => (await s.kodi.homeProperty('svc.stream_url')) || undefined,
    60_000,
  );
  await signComes(s);
  return s;
}

/** Stops it, and waits until Kodi has. */
async function stops({ kodi }: Stage): Promise<void> {
  const mark = kodi.notifications.mark();
  await kodi.rpc('Input.ExecuteAction', { action: 'stop' });
  await kodi.notifications.wait('Player.OnStop', { since: mark });
}

describe.skipIf(!root)('between the hand-over of a film and its first picture', () => {
  test('a sign of ours is up, which takes no key and goes with the picture', async () => {
    const s = await opening();
    const { kodi } = s;
    await kodi.until('Kodi shows its busy sign', async () => (await kodi.isActive(BUSY)) || undefined);
    await kodi.rpc('Input.Back');
    await kodi.until('Back has reached Kodi', async () => !(await kodi.isActive(BUSY)) || undefined);
    expect(await kodi.isActive(SIGN)).toBe(true);
    await kodi.notifications.wait('Player.OnAVStart', { ms: 60_000 });
    await signGoes(s);
    await plays(s);
  });

  test('Stop ends it at once, and the sign with it', async () => {
    const s = await opening();
    await stops(s);
    await signGoes(s);
    await s.nothingLeft();
  });

  test('a play right after that stop is no error: it begins without a word as soon as it can', async () => {
    const s = await opening();
    const { kodi, sandbox } = s;
    await stops(s);
    await kodi.until(
      'the box might come up',
      async () => (await kodi.homeProperty('slipstream.failure-box')) || undefined,
    );
    sandbox.faults.webdav.length = 0;
    const item = { file: `plugin://${ADDON_ID}/play?${BIG_BUCK_BUNNY}` };
    await kodi.rpc('Player.Open', { item, options: { resume: true } });
    await plays(s);
    // As Kodi had been told to: the refused call, and the one that plays.
    expect((await kodi.log()).match(/CPythonInvoker\(\d+\): {2}resume:true/g)).toHaveLength(2);
    expect(await kodi.homeProperty('svc.stream_url')).toContain('Big');
    expect(await kodi.log()).not.toContain(TOAST);
    expect(await kodi.homeProperty('slipstream.again')).toBe('');
  });

  test('nor is a play by a script, which waits for that itself', async () => {
    const s = await opening();
    const { kodi, sandbox } = s;
    await stops(s);
    await kodi.until(
      'the box might come up',
      async () => (await kodi.homeProperty('slipstream.failure-box')) || undefined,
    );
    sandbox.faults.webdav.length = 0;
    await kodi.builtin(`RunScript(${ADDON_ID},meta_play,${BIG_BUCK_BUNNY.replaceAll('&', ',')})`);
    await plays(s);
    expect(await kodi.homeProperty('svc.stream_url')).toContain('Big');
    expect(await kodi.log()).not.toContain(TOAST);
  });

  test('such a play gives way to what the person has started since', async () => {
    const s = await opening();
    const { kodi, sandbox } = s;
    await stops(s);
    await kodi.until(
      'the box might come up',
      async () => (await kodi.homeProperty('slipstream.failure-box')) || undefined,
    );
    sandbox.faults.webdav.length = 0;
    const { length } = sandbox.requests;
    await s.open(`/play?${BIG_BUCK_BUNNY}`);
    const { url } = await film(600);
    await kodi.rpc('Player.Open', { item: { file: url } });
    await plays(s);
    await pause(2000, new AbortController().signal);
    expect(await kodi.infoLabel('Player.Filenameandpath')).toBe(url);
    expect(sandbox.requests.slice(length).filter(({ query }) => query['t'] === 'movie')).toEqual([]);
  });

  test('Kodi quits as ever', async () => {
    await quitsClean((await opening()).kodi);
  });
});
