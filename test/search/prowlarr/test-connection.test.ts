import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProwlarrIndexer } from '../../../sandbox/indexer/prowlarr/indexer.ts';
import { startIndexer } from '../../../sandbox/indexer/start.ts';
import { prowlarrSource } from '../../../src/search/prowlarr/index.ts';
import { memoryLog } from '../../support/log.ts';

const KEY = 'key-of-the-test-93aa';
/** The indexer refuses its key, for which Prowlarr lets it rest. */
const FAILING = { code: 100, description: 'Incorrect user credentials' };

/** Its account has ended, so that it lists nothing. */
function expire(indexer: ProwlarrIndexer): void {
  Object.assign(indexer, { vipExpiration: '2026-01-31', search: 'empty' });
}

const { signal } = new AbortController();

async function setUp() {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'prowlarr-test-'));
  onTestFinished(() => rm(cacheFolder, { recursive: true }));
  const times = { betweenQueries: 0 };
  const service = await startIndexer('prowlarr', { apiKey: KEY, prowlarr: { times } });
  onTestFinished(() => service.close());
  const options = { id: 'x', name: 'Prowlarr', url: service.url, apiKey: KEY, timeout: 5_000, cacheFolder };
  return { service, source: prowlarrSource(options, memoryLog()) };
}

describe('the connection test of Prowlarr', () => {
  test('tells its version, its usenet indexers, and that they list something', async () => {
    const { source } = await setUp();
    expect(await source.test(signal)).toEqual([
      { what: 'The address of Prowlarr', found: 'Prowlarr 2.3.6.5324' },
      { what: 'The usenet indexers of Prowlarr', found: 'Meadow, Burrow' },
      { what: 'A search by Prowlarr', found: 'lists releases' },
    ]);
  });

  test('knows one without usenet indexers', async () => {
    const { source, service } = await setUp();
    for (const indexer of service.indexers) indexer.enable = indexer.protocol === 'torrent';
    const checks = await source.test(signal);
    expect(checks).toHaveLength(2);
    expect(checks[1]?.failure?.explanation.what).toContain('no usenet indexer that is switched on');
    expect(checks[1]?.setting).toBeUndefined();
  });

  test('is content with one indexer that works', async () => {
    const { source, service } = await setUp();
    service.indexers[0]!.search = FAILING;
    expect((await source.test(signal)).at(-1)?.found).toBe('lists releases');
  });

  test.each([
    [
      'failing',
      (indexer: ProwlarrIndexer) => (indexer.search = FAILING),
      /lets all of its usenet indexers rest/,
    ],
    ['expired', expire, /says: Indexer VIP benefits have expired: Meadow, Burrow/],
  ])('tells why its indexers list nothing: %s', async (_why, happens, words) => {
    const { source, service } = await setUp();
    for (const indexer of service.indexers.slice(0, 2)) happens(indexer);
    const again = async () => (await source.test(signal)).at(-1);
    for (const last of [await again(), await again()]) {
      expect([last?.what, last?.setting]).toEqual(['A search by Prowlarr', undefined]);
      expect(last?.failure?.explanation.what).toMatch(words);
    }
  });

  test('tells that they list nothing where nobody knows why', async () => {
    const { source, service } = await setUp();
    service.faults.search = 'empty';
    service.faults.wire = [{ kind: 'status', status: 500, when: ({ path }) => path.endsWith('/health') }];
    expect((await source.test(signal)).at(-1)?.failure?.code).toBe('NO_RESULTS');
  });
});
