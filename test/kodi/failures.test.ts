import { describe, expect, test } from 'vitest';
import { noFaults } from '../../sandbox/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { ADDON_ID, SINTEL, SINTEL_SCRIPT, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('failures in a real Kodi 21');

/** What goes wrong, and the code under which the log names it. */
type Failure = readonly [name: string, code: string, breakIt: (s: Stage) => Promise<void> | void];
const FAILURES: readonly Failure[] = [
  ['the indexer is down', 'UNREACHABLE', ({ sandbox }) => sandbox.shut('indexer')],
  ['the backend is down', 'UNREACHABLE', ({ sandbox }) => sandbox.shut('api')],
  [
    'nothing is found',
    'NO_RESULTS',
    ({ sandbox }) => {
      sandbox.faults.search = 'empty';
    },
  ],
  [
    'the NZB is refused',
    'NZB_INVALID',
    ({ sandbox }) => {
      sandbox.faults.nzb = 'html';
    },
  ],
  [
    'the job fails',
    'JOB_FAILED',
    ({ sandbox }) => {
      sandbox.faults.job = { kind: 'fails', message: 'article not found' };
    },
  ],
  [
    'the job never finishes',
    'JOB_TIMEOUT',
    ({ sandbox }) => {
      sandbox.faults.job = { kind: 'stuck', percent: 40 };
    },
  ],
];

const failedLines = async ({ kodi }: Stage) =>
  (await kodi.log()).split('\n').filter((line) => line.includes('play failed'));

/** Lets everything work again. */
async function mend({ sandbox }: Stage): Promise<void> {
  Object.assign(sandbox.faults, { ...noFaults(), search: undefined, nzb: undefined, job: undefined });
  await sandbox.open('indexer');
  await sandbox.open('api');
}

/** Breaks one thing, starts a play, and sees it end with one message and nothing left. */
async function failOnce(s: Stage, [name, code, breakIt]: Failure, start: () => Promise<void>) {
  const before = (await failedLines(s)).length;
  await breakIt(s);
  await start();
  const lines = await s.kodi.until(`${name}: it is told`, async () => {
    const now = await failedLines(s);
    return now.length > before ? now.slice(before) : undefined;
  });
  await s.nothingLeft();
  expect(await failedLines(s), name).toHaveLength(before + 1);
  expect(lines[0], name).toContain(code);
  expect(s.kodi.processes().length, name).toBe(2);
  await mend(s);
  const idle = async () => (await s.kodi.homeProperty('slipstream.starting')) === '' || undefined;
  await s.kodi.until('the guard is down', idle);
}

describe.skipIf(!root)('a play that comes to nothing in a real Kodi 21', () => {
  test('on the handle path: one answer, one message, nothing left, and the next play works', async () => {
    const s = await stage(root!, { settings: { download_timeout: '10' } });
    for (const failure of FAILURES) await failOnce(s, failure, () => s.open(`/play?${SINTEL}`));
    await s.open(`/play?${SINTEL}`);
    await s.kodi.until('it plays', async () => ((await s.kodi.player.position()) ?? 0) > 1 || undefined);
    await s.kodi.player.stop();
    await s.nothingLeft();
  });

  test('on the script path: the message, no playback', async () => {
    const s = await stage(root!);
    const failure = FAILURES.find(([name]) => name === 'nothing is found')!;
    await failOnce(s, failure, () => s.kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`));
    expect(await s.kodi.player.position()).toBeUndefined();
  });

  test('other schemes are not played directly', async () => {
    const s = await stage(root!);
    const file: Failure = ['other schemes', 'INVALID_REQUEST', () => undefined];
    await failOnce(s, file, () => s.open('/direct_play?url=file%3A%2F%2F%2Fetc%2Fpasswd'));
  });
});
