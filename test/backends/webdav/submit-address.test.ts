import { expect, onTestFinished, test } from 'vitest';
import { type Dialect, INFINIDYSK, NZBDAV, startSandbox, whenQuery } from '../../../sandbox/index.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import { memoryLog } from '../../support/log.ts';
import { FILM, FILM_RELEASE, nzbFor } from '../labs.ts';
import { CALM } from './lab.ts';

const NAME = 'Sintel-0a1b2c3d';
const live = () => new AbortController().signal;

async function lab(dialect: Dialect = NZBDAV) {
  const sandbox = await startSandbox({ jobDuration: 0, dialect });
  onTestFinished(() => sandbox.close());
  const config = { ...sandbox.backend, movieCategory: 'movies', tvCategory: 'tv', goesFirst: true };
  const backend = webdavBackend(config, memoryLog(), CALM);
  const { url, apiKey } = sandbox.indexer;
  const query = new URLSearchParams({ t: 'get', id: FILM_RELEASE.guid, apikey: apiKey });
  const submissions = () => sandbox.requests.filter(whenQuery('mode', 'addurl'));
  return { sandbox, backend, address: `${url}/api?${query.toString()}`, submissions };
}

test('no address is given to a server that has not shown which one it is', async () => {
  const { backend } = await lab();
  expect(backend.submitAddress).toBeUndefined();
  await backend.finishedJobs(live());
  expect(backend.submitAddress).toBeDefined();
});

test('an address goes to nzbdav in the form that was recorded, with the name and the place of an NZB of ours', async () => {
  const { backend, address, submissions } = await lab();
  await backend.finishedJobs(live());
  await backend.submitAddress?.({ url: address }, NAME, FILM, live());
  const [{ method, query } = {}] = submissions();
  expect(method).toBe('GET');
  expect(query).toMatchObject({ name: address, nzbname: NAME, cat: 'movies', priority: '2' });
});

test('the password of its archive goes along at the end of the name, and the job is called without it', async () => {
  const { sandbox, backend, address, submissions } = await lab();
  await backend.finishedJobs(live());
  sandbox.faults.api.push({ kind: 'answer-lost', how: 'reset', when: whenQuery('mode', 'addurl'), times: 1 });
  const job = await backend.submitAddress?.({ url: address, password: 'laundry' }, NAME, FILM, live());
  expect(submissions().map(({ query }) => query['nzbname'])).toEqual([`${NAME}{{laundry}}`]);
  expect(sandbox.jobs()).toMatchObject([{ name: NAME, id: job?.id }]);
});

test('an address whose answer was lost has one job, and is not sent again', async () => {
  const { sandbox, backend, address, submissions } = await lab();
  await backend.finishedJobs(live());
  sandbox.faults.api.push({ kind: 'answer-lost', how: 'reset', when: whenQuery('mode', 'addurl'), times: 1 });
  const job = await backend.submitAddress?.({ url: address }, NAME, FILM, live());
  expect(sandbox.jobs()).toMatchObject([{ name: NAME, id: job?.id }]);
  expect(submissions()).toHaveLength(1);
});

test('InfiniDysk, which fetches nothing in the house, is given no address once it is known', async () => {
  const { backend } = await lab(INFINIDYSK);
  await backend.submit(nzbFor(FILM_RELEASE), NAME, FILM, live());
  await backend.finishedJobs(live());
  expect(backend.submitAddress).toBeUndefined();
});
