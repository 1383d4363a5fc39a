import { afterEach, describe, expect, it } from 'vitest';
import { ALTMOUNT, CANARY, type Dialect, INFINIDYSK, NZBDAV, whenQuery } from '../../../sandbox/index.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import { memoryLog } from '../../support/log.ts';
import { CALM, startLab, type WebdavLab } from './lab.ts';

let lab: WebdavLab;
afterEach(() => lab.close());

const live = () => new AbortController().signal;
const fresh = async (dialect: Dialect) => (lab = await startLab(dialect, { isFresh: true }));
const submit = () => lab.backend.submit(lab.film.nzb, 'Sintel-0a1b2c3d', lab.film.request, live());
const modes = () => lab.sandbox.requests.map(({ path, query }) => `${path} ${query['mode']}`);

/** A backend for the same sandbox whose addresses end otherwise. */
function backendAt(api: string, share = '') {
  const { apiUrl, webdavUrl, apiKey, username, password } = lab.sandbox.backend;
  const config = { apiUrl: apiUrl + api, webdavUrl: webdavUrl + share, apiKey, username, password };
  return webdavBackend({ ...config, movieCategory: 'movies', tvCategory: 'tv' }, memoryLog(), CALM);
}

describe('recognising the server', () => {
  it.each([NZBDAV, INFINIDYSK])('costs a play with nzbdav or its fork nothing', async (dialect) => {
    await fresh(dialect);
    await submit();
    expect(modes()).toEqual(['/api addfile']);
  });

  it('costs a play with AltMount five requests, once', async () => {
    await fresh(ALTMOUNT);
    const job = await submit();
    const itself = ['status', 'addfile', 'get_config', 'addfile'].map((mode) => `/sabnzbd/api ${mode}`);
    expect(modes()).toEqual(['/api addfile', '/api status', ...itself]);
    expect(job.id).toBe(job.name);
    await lab.backend.finishedJobs(live());
    expect(modes()).toHaveLength(7);
    expect(lab.backend.name).toBe('AltMount');
  });

  it.each(['/sabnzbd', '/sabnzbd/api', '/sabnzbd/'])(
    'takes the hint of an address that ends in %s',
    async (end) => {
      await fresh(ALTMOUNT);
      await backendAt(end, '/webdav/').finishedJobs(live());
      expect(modes()).toEqual(['/sabnzbd/api status', '/sabnzbd/api history']);
    },
  );

  it.each([
    ['nzbdav', NZBDAV],
    ['InfiniDysk', INFINIDYSK],
    ['AltMount', ALTMOUNT],
  ])('calls %s by its name once it was tested', async (name, dialect) => {
    await fresh(dialect);
    const checks = await lab.backend.test(live());
    expect(lab.backend.name).toBe(name);
    expect(checks.map(({ what }) => what)).toEqual([
      `The API of ${name}`,
      'The categories',
      ...(dialect === INFINIDYSK ? ['The usenet provider of InfiniDysk'] : []),
      `The WebDAV of ${name}`,
    ]);
    expect(checks[0]?.found).toMatch(new RegExp(`^${name}, API 4\\.5`));
  });

  it('finds SABnzbd, which looks for the key in the address only', async () => {
    await fresh(NZBDAV);
    lab.sandbox.faults.api.push(
      {
        kind: 'status',
        status: 403,
        body: 'API Key Required',
        when: (request) => request.query['apikey'] !== CANARY.apiKey,
      },
      { kind: 'body', body: '{"status":{"version":"5.0.0","color":""}}', when: whenQuery('mode', 'status') },
    );
    expect(await lab.backend.finishedJobs(live())).toEqual([]);
    expect(lab.backend.name).toBe('SABnzbd');
  });

  it('knows InfiniDysk by its history, at no cost', async () => {
    await fresh(INFINIDYSK);
    const job = await submit();
    const options = { signal: live(), timeout: 5_000, onProgress: () => undefined };
    await lab.backend.waitUntilReady(job, options);
    expect(lab.backend.name).toBe('InfiniDysk');
    expect(modes().filter((mode) => mode.endsWith('status'))).toEqual([]);
  });

  it('does not send an NZB again to a fork that had taken it', async () => {
    await fresh(INFINIDYSK);
    lab.misbehave('submit', 'truncated', 1);
    await submit();
    expect(modes().filter((mode) => mode.endsWith('addfile'))).toHaveLength(1);
  });

  it('keeps the key of nzbdav out of the address, also when it is wrong', async () => {
    await fresh(NZBDAV);
    lab.sandbox.faults.api.push({ kind: 'wrong-key' });
    await expect(lab.backend.finishedJobs(live())).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    expect((await lab.backend.test(live()))[0]?.setting).toBe('webdav_api_key');
    expect(JSON.stringify(lab.sandbox.requests.map(({ query }) => query))).not.toContain('canary');
  });

  it('keeps the key of InfiniDysk out of the address once it is recognised', async () => {
    await fresh(INFINIDYSK);
    await lab.backend.test(live());
    await lab.backend.finishedJobs(live());
    expect(JSON.stringify(lab.sandbox.requests.map(({ query }) => query))).not.toContain('canary');
  });

  it('leaves it at nzbdav where nothing speaks the dialect, and asks again the next time', async () => {
    await fresh(ALTMOUNT);
    lab.sandbox.faults.api.push({ kind: 'html', times: 1 });
    lab.sandbox.faults.webdav.push({ kind: 'html', times: 2 });
    await expect(lab.backend.finishedJobs(live())).rejects.toMatchObject({ code: 'BAD_ANSWER' });
    expect(await lab.backend.finishedJobs(live())).toEqual([]);
  });
});

describe('submitting to each', () => {
  it('makes one job of InfiniDysk when the same name is sent twice', async () => {
    await fresh(INFINIDYSK);
    lab.nextJobs('stuck');
    await submit();
    await submit();
    expect(lab.jobs()).toHaveLength(1);
  });

  it('follows a job of InfiniDysk whose id has gone because it was sent again', async () => {
    await fresh(INFINIDYSK);
    // It waits, however slow the machine is.
    lab.nextJobs('stuck');
    const first = await submit();
    lab.sandbox.faults.job = undefined;
    const second = await submit();
    expect(second.id).not.toBe(first.id);
    const options = { signal: live(), timeout: 5_000, onProgress: () => undefined };
    expect((await lab.backend.waitUntilReady(first, options)).id).toBe(second.id);
  });
});

describe("AltMount's library", () => {
  it.each(['folder', 'symlink', 'strm'] as const)('is no obstacle: storage is a %s', async (storage) => {
    await fresh({ ...ALTMOUNT, storage });
    const job = await lab.backend.submit(lab.pack.nzb, 'Caminandes.S01-0a1b', lab.pack.request, live());
    const options = { signal: live(), timeout: 5_000, onProgress: () => undefined };
    const finished = await lab.backend.waitUntilReady(job, options);
    const { file, files } = await lab.backend.locate(finished, lab.pack.request, live());
    expect(file.name).toBe(lab.pack.fileName);
    expect(files).toHaveLength(3);
    expect(file.url).toContain('/webdav/complete/TV/Caminandes.S01-0a1b/');
    expect(await lab.opens(file)).toBe(true);
  });
});
