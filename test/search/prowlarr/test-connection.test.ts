import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startIndexer } from '../../../sandbox/indexer/start.ts';
import { prowlarrSource } from '../../../src/search/prowlarr/index.ts';
import { memoryLog } from '../../support/log.ts';

const KEY = 'key-of-the-test-93aa';
const { signal } = new AbortController();

async function setUp() {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'prowlarr-test-'));
  onTestFinished(() => rm(cacheFolder, { recursive: true }));
  const service = await startIndexer('prowlarr', { apiKey: KEY });
  onTestFinished(() => service.close());
  const options = { id: 'x', name: 'Prowlarr', url: service.url, apiKey: KEY, timeout: 5_000, cacheFolder };
  return { service, source: prowlarrSource(options, memoryLog()) };
}

describe('the connection test of Prowlarr', () => {
  test('tells its version, its usenet indexers, and that they list something', async () => {
    const { source } = await setUp();
    expect(await source.test(signal)).toEqual([
      { what: 'The address of Prowlarr', found: 'Prowlarr 1.28.2.4885' },
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
    service.indexers[0]!.state = 'resting';
    expect((await source.test(signal)).at(-1)?.found).toBe('lists releases');
  });

  test.each([
    ['resting', /lets all of its usenet indexers rest/],
    ['failing', /lets all of its usenet indexers rest/],
    ['expired', /says: Indexer VIP benefits have expired: Meadow, Burrow/],
  ] as const)('tells why its indexers list nothing: %s', async (state, words) => {
    const { source, service } = await setUp();
    for (const indexer of service.indexers.slice(0, 2)) indexer.state = state;
    const last = (await source.test(signal)).at(-1);
    expect([last?.what, last?.setting]).toEqual(['A search by Prowlarr', undefined]);
    expect(last?.failure?.explanation.what).toMatch(words);
  });

  test('tells that they list nothing where nobody knows why', async () => {
    const { source, service } = await setUp();
    service.faults.search = 'empty';
    service.faults.wire = [{ kind: 'status', status: 500, when: ({ path }) => path.endsWith('/health') }];
    expect((await source.test(signal)).at(-1)?.failure?.code).toBe('NO_RESULTS');
  });
});
