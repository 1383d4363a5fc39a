import { describe, expect, test } from 'vitest';
import { whenMethod, whenQuery } from '../../sandbox/index.ts';
import { linksOnlyBackend } from '../../src/backends/direct-stream/links-only.ts';
import { router } from '../../src/router.ts';
import { expectNothingLeft, type Pipeline, pipeline, SINTEL } from './set-up.ts';

/** What a release costs: a grab at its indexer, a place in the backend's queue. */
const spent = ({ sandbox }: Pipeline) =>
  sandbox.requests.filter(
    (request) => whenQuery('t', 'get')(request) || whenQuery('mode', 'addfile')(request),
  );

describe('what would fail in the end is told before anything is fetched', () => {
  test.each<[string, (p: Pipeline) => void, RegExp]>([
    [
      'the key of the API',
      ({ sandbox }) => void sandbox.faults.api.push({ kind: 'wrong-key' }),
      /nzbdav refused the API key/,
    ],
    [
      'the login of the share',
      ({ sandbox }) =>
        void sandbox.faults.webdav.push({ kind: 'status', status: 401, when: whenMethod('PROPFIND') }),
      /WebDAV of nzbdav refused the user or password/,
    ],
    [
      'the address of the share',
      ({ sandbox }) =>
        void sandbox.faults.webdav.push({ kind: 'status', status: 404, when: whenMethod('PROPFIND') }),
      /WebDAV of nzbdav has no folder "content"/,
    ],
  ])('%s', async (_what, spoil, words) => {
    const p = await pipeline({ settings: { max_attempts: '3' } });
    spoil(p);
    await p.resolve(SINTEL);
    expect(p.host.notified.map(({ what }) => what)).toEqual([expect.stringMatching(words)]);
    expect(spent(p)).toEqual([]);
    await expectNothingLeft(p);
  });

  test('the share is away', async () => {
    const p = await pipeline();
    await p.sandbox.shut('webdav');
    await p.resolve(SINTEL);
    expect(spent(p)).toEqual([]);
    await expectNothingLeft(p);
  });

  test('a failure that has passed meanwhile stops nothing', async () => {
    const p = await pipeline();
    p.sandbox.faults.webdav.push({ kind: 'status', status: 401, when: whenMethod('PROPFIND'), times: 1 });
    expect(await p.resolve(SINTEL)).toBe(true);
  });

  test('there is no backend: no release costs a grab', async () => {
    const p = await pipeline({ settings: { max_attempts: '3' } });
    const stages: typeof router = {
      ...router,
      addMetadata: (request) => Promise.resolve(request),
      playbackBackend: () => Promise.resolve(linksOnlyBackend()),
    };
    await p.resolve(SINTEL, stages);
    expect(p.host.notified[0]?.next).toContain('needs a backend');
    expect(spent(p)).toEqual([]);
  });
});
