import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { INFINIDYSK, type RecordedRequest, whenQuery } from '../../sandbox/index.ts';
import { deferred } from '../../src/io/deferred.ts';
import { serve } from '../support/http-server.ts';
import { expectNothingLeft, ledgerRows, pipeline, SINTEL, SPRING } from './set-up.ts';

const THREE = { max_attempts: '3' };
const BUNNY = '?type=movie&title=Big+Buck+Bunny&year=2008&imdb=tt1254207';

describe('a release that cannot be played', () => {
  test('is followed by the next ones, until one plays whose job alone is left at the backend', async () => {
    const p = await pipeline({
      settings: THREE,
      onProgress: ({ detail = '' }) => {
        // From the second release on all is well but for that one itself, of which articles are gone (catalogue.ts).
        if (detail.includes('Release 2 of 3')) p.sandbox.faults.job = undefined;
      },
    });
    p.sandbox.faults.job = { kind: 'fails', message: 'Article with message-id 1@x was not found.' };
    expect(await p.resolve(BUNNY)).toBe(true);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(3);
    expect(p.sandbox.jobs().map(({ state }) => state)).toEqual(['completed']);
    expect(p.host.progress.some(({ detail = '' }) => detail.includes('Release 2 of 3: '))).toBe(true);
    expect(p.host.notified).toEqual([]);
    expect(await ledgerRows(p.host)).toEqual([]);
  });

  test('that is ciphertext under the name of a film is followed by the next one, and removed', async () => {
    const p = await pipeline({
      settings: THREE,
      onProgress: ({ detail = '' }) => {
        if (detail.includes('Release 2 of 3')) p.sandbox.faults.folder = undefined;
      },
    });
    p.sandbox.faults.folder = 'ciphertext';
    expect(await p.resolve(SINTEL)).toBe(true);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(2);
    expect(p.sandbox.jobs().map(({ state }) => state)).toEqual(['completed']);
    expect(p.host.progress.some(({ detail = '' }) => detail.includes('no video: it is encrypted'))).toBe(
      true,
    );
    expect(p.host.notified).toEqual([]);
  });

  test('is followed by no more than the person allows, and one message tells of all', async () => {
    const p = await pipeline({ settings: { max_attempts: '2' } });
    p.sandbox.faults.job = { kind: 'fails', message: 'Article with message-id 1@x was not found.' };
    expect(await p.resolve(BUNNY)).toBe(false);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(2);
    expect(p.host.notified).toHaveLength(1);
    expect(p.host.notified[0]?.what).toBe('All 2 releases that were tried failed.');
    await expectNothingLeft(p);
  });

  test('is not followed by another when the backend itself is at fault', async () => {
    const p = await pipeline({ settings: THREE });
    p.sandbox.faults.api.push({ kind: 'wrong-key', when: whenQuery('mode', 'addfile') });
    expect(await p.resolve(BUNNY)).toBe(false);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
    await expectNothingLeft(p);
  });

  test('is not followed by another when the server of its files is in trouble', async () => {
    const p = await pipeline({ settings: THREE });
    const when = ({ method }: RecordedRequest) => method === 'GET';
    p.sandbox.faults.webdav.push({ kind: 'status', status: 500, when });
    expect(await p.resolve(BUNNY)).toBe(false);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
    expect(p.host.notified).toMatchObject([{ what: expect.stringContaining('error of its own') as string }]);
    await expectNothingLeft(p);
  });

  test('a cancel during the second one ends everything', async () => {
    const p = await pipeline({
      settings: THREE,
      onProgress: ({ detail = '' }, host) => {
        if (detail.includes('Release 2 of 3')) host.cancel();
      },
    });
    p.sandbox.faults.job = { kind: 'fails', message: 'Article with message-id 1@x was not found.' };
    expect(await p.resolve(BUNNY)).toBe(false);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile')).length).toBeLessThanOrEqual(2);
    await expectNothingLeft(p);
  });

  test('is followed by what the slowest source finds: the dialog says that it is waited for', async () => {
    const slow = deferred<undefined>();
    const url = await serve((_request, response) => {
      slow.promise.then(
        () => response.writeHead(500).end(),
        () => undefined,
      );
    });
    const p = await pipeline({
      settings: { max_attempts: '9', auto_select: 'false', search_deadline: '1' },
      choice: ({ rows }) => Promise.resolve(rows[0]?.id),
      onProgress: ({ stage }) => {
        if (stage === 'Waiting for more releases') slow.resolve(undefined);
      },
    });
    const source = { kind: 'newznab', name: 'Slow', url, apiKey: 'k' };
    const sources = JSON.stringify({ version: 1, value: [source] });
    await writeFile(join(p.host.dataFolder, 'sources.json'), sources, { mode: 0o600 });
    p.sandbox.faults.job = { kind: 'fails', message: 'Article with message-id 1@x was not found.' };
    expect(await p.resolve(BUNNY)).toBe(false);
    expect(p.host.progress.find(({ stage }) => stage === 'Waiting for more releases')?.detail).toContain(
      'Slow',
    );
  });

  test('whose middle is lost counts as such, however well it begins', async () => {
    // Where a look into the middle is cheap; at nzbdav it comes once the film plays (stream-proxy/server/start.test.ts).
    const p = await pipeline({ settings: THREE, dialect: INFINIDYSK });
    p.sandbox.faults.missing = { from: 50_000_000, to: Number.MAX_SAFE_INTEGER };
    expect(await p.resolve(SPRING)).toBe(false);
    expect(p.host.notified).toHaveLength(1);
    await expectNothingLeft(p);
  });

  test('of which only a stub is there counts as such', async () => {
    const p = await pipeline({ settings: THREE });
    p.sandbox.faults.missing = { from: 0, to: Number.MAX_SAFE_INTEGER };
    expect(await p.resolve(BUNNY)).toBe(false);
    expect(p.host.notified).toHaveLength(1);
    await expectNothingLeft(p);
  });
});
