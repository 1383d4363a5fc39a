import { describe, expect, test } from 'vitest';
import { noFaults } from '../../sandbox/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { ADDON_ID, SINTEL, SINTEL_SCRIPT, type Stage, stage } from './slipstream.ts';
import { deeds, witnessedAddon } from './witness.ts';

const root = await rootOrSkip('failures in a real Kodi 21');

/** What goes wrong, the code under which the log names it, and what the person reads. */
type Failure = readonly [
  name: string,
  code: string,
  told: RegExp,
  breakIt: (s: Stage) => Promise<void> | void,
];
const FAILURES: readonly Failure[] = [
  [
    'the indexer is down',
    'UNREACHABLE',
    /indexer Sandbox cannot be reached/,
    ({ sandbox }) => sandbox.shut('indexer'),
  ],
  ['the backend is down', 'UNREACHABLE', /nzbdav cannot be reached/, ({ sandbox }) => sandbox.shut('api')],
  [
    'nothing is found',
    'NO_RESULTS',
    /^Nothing was found for Sintel/,
    ({ sandbox }) => {
      sandbox.faults.search = 'empty';
    },
  ],
  [
    'the NZB is refused',
    'NZB_INVALID',
    /^All 3 releases .* failed/,
    ({ sandbox }) => {
      sandbox.faults.nzb = 'html';
    },
  ],
  [
    'the job fails',
    'JOB_FAILED',
    /^All 3 releases .* failed/,
    ({ sandbox }) => {
      sandbox.faults.job = { kind: 'fails', message: 'article not found' };
    },
  ],
  [
    'the job never finishes',
    'JOB_TIMEOUT',
    /not get the release ready within 10 seconds/,
    ({ sandbox }) => {
      sandbox.faults.job = { kind: 'stuck', percent: 40 };
    },
  ],
];
const NOTHING_FOUND = FAILURES[2]!;

const failedLines = async ({ kodi }: Stage) =>
  (await kodi.log()).split('\n').filter((line) => line.includes('play failed'));

const toastIsUp = async ({ kodi }: Stage) => {
  const condition = 'Window.IsActive(notification)';
  const answer = await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [condition] });
  return (answer as Record<string, boolean>)[condition] === true;
};

/** Lets everything work again. */
async function mend({ sandbox }: Stage): Promise<void> {
  Object.assign(sandbox.faults, { ...noFaults(), search: undefined, nzb: undefined, job: undefined });
  await sandbox.open('indexer');
  await sandbox.open('api');
}

/**
 * Breaks one thing, starts a play, and sees it end with nothing left. Of what the add-on did to Kodi there are these
 * answers of its handle, and one message.
 */
async function failOnce(
  s: Stage,
  [name, code, told, breakIt]: Failure,
  start: () => Promise<void>,
  answers: readonly boolean[] = [false],
) {
  const before = { lines: (await failedLines(s)).length, deeds: (await deeds(s.kodi)).length };
  await breakIt(s);
  await start();
  await s.kodi.until(`${name}: it is told`, async () => (await toastIsUp(s)) || undefined);
  const lines = await s.kodi.until(`${name}: it is in the log`, async () => {
    const now = await failedLines(s);
    return now.length > before.lines ? now.slice(before.lines) : undefined;
  });
  await s.nothingLeft();
  // The host goes on for a moment after its engine: until then it could still answer or tell something.
  const idle = async () => (await s.kodi.homeProperty('slipstream.starting')) === '' || undefined;
  await s.kodi.until('the playback lock is free', idle);
  expect(lines, name).toEqual([expect.stringContaining(code)]);
  expect(s.kodi.processes().length, name).toBe(2);
  const done = (await deeds(s.kodi)).slice(before.deeds);
  expect(new Set(done.map(({ call }) => call)).size, name).toBe(1);
  expect(
    done.flatMap((deed) => ('answer' in deed ? [deed.answer] : [])),
    name,
  ).toEqual(answers);
  const words = done.flatMap((deed) => ('notification' in deed ? [deed.notification] : []));
  expect(words, name).toEqual([expect.stringMatching(told)]);
  expect(done, name).toHaveLength(answers.length + 1);
  await mend(s);
}

const withWitness = async (settings: Readonly<Record<string, string>> = {}) =>
  stage(root!, { settings, kodi: { addons: [await witnessedAddon()] } });

describe.skipIf(!root)('a play that comes to nothing in a real Kodi 21', () => {
  test('on the handle path: one answer, one message, nothing left, and the next play works', async () => {
    const s = await withWitness({ download_timeout: '10' });
    for (const failure of FAILURES) await failOnce(s, failure, () => s.open(`/play?${SINTEL}`));
    const { length } = await deeds(s.kodi);
    await s.open(`/play?${SINTEL}`);
    await s.kodi.until('it plays', async () => ((await s.kodi.player.position()) ?? 0) > 1 || undefined);
    expect((await deeds(s.kodi)).slice(length)).toEqual([expect.objectContaining({ answer: true })]);
    await s.kodi.player.stop();
    await s.nothingLeft();
  });

  test('on the script path: the message, no playback', async () => {
    const s = await withWitness();
    await failOnce(s, NOTHING_FOUND, () => s.kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`), []);
    expect(await s.kodi.player.position()).toBeUndefined();
  });

  test('other schemes are not played directly', async () => {
    const s = await withWitness();
    const file: Failure = ['other schemes', 'INVALID_REQUEST', /./, () => undefined];
    await failOnce(s, file, () => s.open('/direct_play?url=file%3A%2F%2F%2Fetc%2Fpasswd'));
  });
});
