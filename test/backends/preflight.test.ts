import { describe, expect, it, onTestFinished } from 'vitest';
import { ALTMOUNT, NZBDAV, whenMethod } from '../../sandbox/index.ts';
import type { Backend } from '../../src/backends/backend.ts';
import { startLab as startDirectStream } from './direct-stream/lab.ts';
import { startLab as startDownloadClient } from './download-client/lab.ts';
import { startLab as startWebdav } from './webdav/lab.ts';

const { signal } = new AbortController();

async function kept<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const lab = await starting;
  onTestFinished(() => lab.close());
  return lab;
}

const tryOut = async ({ finishedJobs: finished, preflight }: Backend) => {
  await finished(signal);
  await preflight?.(signal);
};

describe('before anything is fetched', () => {
  it.each([NZBDAV, ALTMOUNT])('a WebDAV server is asked one thing more: $family', async (dialect) => {
    const { backend, requests, sandbox } = await kept(startWebdav(dialect));
    const before = requests();
    await tryOut(backend);
    expect(requests() - before).toBeLessThanOrEqual(2);
    expect(sandbox.requests.filter(whenMethod('PROPFIND')).length).toBeGreaterThan(0);
  });

  it('its share refuses the login, or is elsewhere', async () => {
    const { backend, sandbox } = await kept(startWebdav());
    const refuse = (status: number) => {
      sandbox.faults.webdav = [{ kind: 'status', status, when: whenMethod('PROPFIND') }];
    };
    refuse(401);
    await expect(tryOut(backend)).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    refuse(404);
    await expect(tryOut(backend)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  });

  it('AltMount may make its folder of finished jobs with the first one', async () => {
    const { backend, sandbox } = await kept(startWebdav(ALTMOUNT));
    sandbox.faults.webdav = [{ kind: 'status', status: 404, when: whenMethod('PROPFIND') }];
    await expect(tryOut(backend)).resolves.toBeUndefined();
  });

  it('NZBGet is asked once for its folder, in all of a play', async () => {
    const { backend, calls, film } = await kept(startDownloadClient());
    await tryOut(backend);
    const job = await backend.submit(film.nzb, 'Film-0a1b2c3d', film.request, signal);
    const wait = { signal, timeout: 5_000, onProgress: () => undefined };
    const finished = await backend.waitUntilReady(job, wait);
    await backend.locate(finished, film.request, signal);
    await backend.locate(finished, film.request, signal);
    expect(calls('config')).toBe(1);
  });

  it('the folder of its finished downloads does not open, or none is named', async () => {
    const { share, backend, backendWith } = await kept(startDownloadClient());
    await expect(tryOut(backendWith({ folder: '' }))).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
    share.away = true;
    await expect(tryOut(backend)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it.each(['altmount', 'streamnzb'] as const)('a streaming service refuses the key: %s', async (kind) => {
    const { backend, misbehave, sandbox } = await kept(startDirectStream(kind));
    await tryOut(backend);
    expect(sandbox.jobs()).toEqual([]);
    misbehave('submit', 'wrong-key');
    await expect(tryOut(backend)).rejects.toMatchObject({ code: 'AUTH_FAILED' });
  });
});
