import { describe, expect, test } from 'vitest';
import { noFaults, type RecordedRequest, type Sandbox, whenQuery } from '../../sandbox/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { addonThatFirst } from './aborts/marks.ts';
import type { Kodi } from './harness/index.ts';
import { ADDON_ID, quitsClean, SINTEL, SINTEL_SCRIPT, type Stage, stage } from './slipstream.ts';
import { deeds, witnessedAddon } from './witness.ts';

const root = await rootOrSkip('cancels and shutdowns in a real Kodi 21');

/** Where a play can be when it is ended: the fault that holds it there, and how to see that it is there. */
const STAGES: readonly [string, (s: Stage) => void, (s: Stage) => boolean][] = [
  [
    'the search',
    ({ sandbox }) => sandbox.faults.indexer.push({ kind: 'hang', when: whenQuery('t', 'movie') }),
    ({ sandbox }) => sandbox.requests.some(({ query }) => query['t'] === 'movie'),
  ],
  [
    'the NZB',
    ({ sandbox }) => sandbox.faults.indexer.push({ kind: 'hang', when: whenQuery('t', 'get') }),
    ({ sandbox }) => sandbox.requests.some(({ query }) => query['t'] === 'get'),
  ],
  [
    'the submission, which the backend takes without a word',
    ({ sandbox }) =>
      sandbox.faults.api.push({ kind: 'answer-lost', how: 'hang', when: whenQuery('mode', 'addfile') }),
    ({ sandbox }) => sandbox.jobs().length > 0,
  ],
  [
    'the download',
    ({ sandbox }) => {
      sandbox.faults.job = { kind: 'stuck', percent: 40 };
    },
    ({ sandbox }) => sandbox.requests.filter(({ query }) => query['mode'] === 'queue').length > 1,
  ],
  [
    'the look into the folder',
    ({ sandbox }) => sandbox.faults.webdav.push({ kind: 'hang', when: looksIntoFolder(sandbox) }),
    ({ sandbox }) => sandbox.requests.some(looksIntoFolder(sandbox)),
  ],
  [
    'the first bytes',
    ({ sandbox }) => sandbox.faults.webdav.push({ kind: 'hang', when: ({ method }) => method === 'GET' }),
    ({ sandbox }) => sandbox.requests.some(({ service, method }) => service === 'webdav' && method === 'GET'),
  ],
];

/** Whether a request lists what a job of ours has come to. */
const looksIntoFolder =
  (sandbox: Sandbox) =>
  ({ method, path }: RecordedRequest): boolean =>
    method === 'PROPFIND' && sandbox.jobs().some(({ name }) => decodeURIComponent(path).includes(name));

/** What a person would see or hear of a failure: Kodi plays a sound with each of these windows. */
const WINDOWS = ['Window Init (DialogNotification.xml)', 'Window Init (DialogConfirm.xml)'];

/** Of what the add-on has done since there was so much of it: one answer of "nothing", and not a word. */
async function expectSilence({ kodi }: Stage, since: number, stageName: string): Promise<void> {
  const done = (await deeds(kodi)).slice(since);
  expect(done, stageName).toEqual([{ call: done[0]?.call, answer: false }]);
  const log = await kodi.log();
  for (const window of WINDOWS) expect(log, stageName).not.toContain(window);
  expect(log, stageName).not.toMatch(/EXCEPTION|Traceback|play failed/);
}

/** Kodi in debug level tells each window that it opens. */
const withWitness = async (settings: Readonly<Record<string, string>> = {}) =>
  stage(root!, { settings, kodi: { addons: [await witnessedAddon()], debug: true } });

/** Presses Back, and sees that the play ends, that it does so in silence, and that the backend keeps nothing of it. */
async function backEndsIt(s: Stage, stageName: string): Promise<void> {
  const { kodi, sandbox } = s;
  const { length } = await deeds(kodi);
  await kodi.rpc('Input.Back');
  await s.nothingLeft().catch((error: unknown) => {
    throw new Error(`after Back during ${stageName}`, { cause: error });
  });
  await canPlay(s);
  Object.assign(sandbox.faults, noFaults(), { job: undefined });
  await nothingThere(s);
  await expectSilence(s, length, stageName);
}

/** The host goes on for a moment after its engine, and the next play would be refused until then. */
async function canPlay({ kodi }: Stage): Promise<void> {
  for (const property of ['slipstream.starting', 'slipstream.failure-box'])
    await kodi.until(
      `${property} is cleared`,
      async () => (await kodi.homeProperty(property)) === '' || undefined,
    );
}

async function reach(s: Stage, isThere: (s: Stage) => boolean): Promise<void> {
  await s.kodi.until('the play has come that far', () => Promise.resolve(isThere(s) || undefined));
}

const nothingThere = ({ kodi, sandbox }: Stage) =>
  kodi.until('the backend has nothing of it', () =>
    Promise.resolve(sandbox.jobs().length === 0 || undefined),
  );

const rowIsFocused = (kodi: Kodi) =>
  kodi.until(
    'a row has the focus',
    async () => (await kodi.infoLabel('Container(50).ListItem.Label')) || undefined,
  );

/** Presses Back right before Kodi's busy dialog is closed for a window of ours: Kodi hears both in one frame. */
const BACK_IN_THE_SAME_FRAME = `
import xbmc
_builtin = xbmc.executebuiltin
def _with_back(function, wait=False):
    if function.startswith("Dialog.Close(busydialog"):
        _builtin("Action(Back)")
    _builtin(function, wait)
xbmc.executebuiltin = _with_back`;

describe.skipIf(!root)('ending a play before it plays', () => {
  test('Back ends the play at every stage, silently, and the next play works', async () => {
    const s = await withWitness();
    const { kodi, sandbox } = s;
    for (const [name, hold, isThere] of STAGES) {
      (sandbox.requests as unknown[]).length = 0;
      hold(s);
      await s.open(`/play?${SINTEL}`);
      await reach(s, isThere);
      await s.windowIsUp();
      await backEndsIt(s, name);
    }
    await s.open(`/play?${SINTEL}`);
    await kodi.until(
      'the next play plays',
      async () => ((await kodi.player.position()) ?? 0) > 1 || undefined,
    );
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('Back in the picker ends the play silently', async () => {
    const s = await withWitness({ auto_select: 'false' });
    await s.open(`/play?${SINTEL}`);
    await rowIsFocused(s.kodi);
    await backEndsIt(s, 'the picker');
  });

  test("Back on Kodi's own busy dialog, before any window of ours, ends the play", async () => {
    const s = await stage(root!);
    const { kodi } = s;
    await s.open(`/play?${SINTEL}`);
    // An engine that never comes to open a window leaves the busy dialog in front.
    await kodi.until('the engine runs', () => {
      for (const pid of s.engines('plugin')) process.kill(pid, 'SIGSTOP');
      return Promise.resolve(s.engines('plugin').length > 0 || undefined);
    });
    const busy = async () => {
      const answer = await kodi.rpc('XBMC.GetInfoBooleans', { booleans: ['Window.IsActive(busydialog)'] });
      return (answer as Record<string, boolean>)['Window.IsActive(busydialog)'] === true || undefined;
    };
    await kodi.until('the busy dialog is up', busy);
    await kodi.rpc('Input.Back');
    await s.nothingLeft();
    expect(s.sandbox.jobs()).toEqual([]);
  });

  test('Back in the frame in which our window takes the place of the busy dialog ends the play, and Kodi lives', async () => {
    const s = await stage(root!, {
      kodi: { addons: [await addonThatFirst(BACK_IN_THE_SAME_FRAME)], debug: true },
    });
    const { kodi } = s;
    const cancelled = async () => (await kodi.log()).split('cancelling add-on script Slipstream').length;
    for (let times = 1; times <= 3; times++) {
      const before = await cancelled();
      await s.open(`/play?${SINTEL}`);
      await kodi.until('the call is cancelled', async () => (await cancelled()) > before || undefined);
      await s.nothingLeft();
    }
    await canPlay(s);
    await nothingThere(s);
    expect(await kodi.log()).not.toContain('slipstream-progress.xml');
  });

  test.each(STAGES)(
    'Kodi quits in under 5 s during %s, and nothing is left',
    async (_name, hold, isThere) => {
      const s = await stage(root!);
      hold(s);
      await s.open(`/play?${SINTEL}`);
      await reach(s, isThere);
      await quitsClean(s.kodi);
      expect(s.sandbox.queueLength()).toBe(0);
    },
  );

  test('Kodi quits in under 5 s with the picker open, also from the script path', async () => {
    for (const start of ['handle', 'script']) {
      const s = await stage(root!, { settings: { auto_select: 'false' } });
      const { kodi } = s;
      if (start === 'handle') await s.open(`/play?${SINTEL}`);
      else await kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`);
      await rowIsFocused(kodi);
      await quitsClean(kodi);
    }
  });

  test('what a killed engine submitted is removed from the backend by the service', async () => {
    const s = await stage(root!);
    const { kodi, sandbox } = s;
    sandbox.faults.job = { kind: 'stuck', percent: 40 };
    await s.open(`/play?${SINTEL}`);
    await kodi.until('the job is queued', () => Promise.resolve(sandbox.queueLength() === 1 || undefined));
    await kodi.until('the id is known', () =>
      Promise.resolve(sandbox.requests.some(({ query }) => query['mode'] === 'queue') || undefined),
    );
    for (const pid of s.engines('plugin')) process.kill(pid, 'SIGKILL');
    await s.nothingLeft();
    await nothingThere(s);
  });
});
