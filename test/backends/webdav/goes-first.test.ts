import { expect, it, onTestFinished } from 'vitest';
import {
  ALTMOUNT,
  type Dialect,
  INFINIDYSK,
  NZBDAV,
  startSandbox,
  whenQuery,
} from '../../../sandbox/index.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import { memoryLog } from '../../support/log.ts';
import { FILM, FILM_RELEASE, nzbFor } from '../labs.ts';

/** A server at which a dozen jobs wait, when ours comes. @returns the names in the queue, and what ours was sent with */
async function queueAt(dialect: Dialect, goesFirst: boolean) {
  const sandbox = await startSandbox({ jobDuration: 60_000, dialect });
  onTestFinished(() => sandbox.close());
  const config = { ...sandbox.backend, movieCategory: 'movies', tvCategory: 'tv' };
  const { signal } = new AbortController();
  const submit = async (name: string, first: boolean) => {
    const backend = webdavBackend({ ...config, goesFirst: first }, memoryLog());
    await backend.submit(nzbFor(FILM_RELEASE), name, FILM, signal);
  };
  for (let n = 0; n < 12; n++) await submit(`Import-${n}`, false);
  await submit('Sintel-0a1b2c3d', goesFirst);
  const ours = sandbox.requests.findLast(whenQuery('mode', 'addfile'));
  return { queue: sandbox.jobs().map(({ name }) => name), priority: ours?.query['priority'] };
}

it.each([
  ['nzbdav', NZBDAV],
  ['InfiniDysk', INFINIDYSK],
])('our job is the next one at %s, behind the one that runs', async (_name, dialect) => {
  const { queue, priority } = await queueAt(dialect, true);
  expect(queue).toHaveLength(13);
  expect(queue.slice(0, 2)).toEqual(['Import-0', 'Sintel-0a1b2c3d']);
  expect(priority).toBe('2');
});

it('our job waits its turn where the person wants it so', async () => {
  const { queue, priority } = await queueAt(NZBDAV, false);
  expect(queue.at(-1)).toBe('Sintel-0a1b2c3d');
  expect(priority).toBeUndefined();
});

it('AltMount, which heeds no priority, is sent none', async () => {
  expect((await queueAt(ALTMOUNT, true)).priority).toBeUndefined();
});
