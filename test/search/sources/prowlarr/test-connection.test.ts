import { describe, expect, onTestFinished, test } from 'vitest';
import { startIndexer } from '../../../../sandbox/indexer/start.ts';
import { prowlarrSource } from '../../../../src/search/sources/prowlarr/index.ts';
import { memoryLog } from '../../../support/log.ts';

const KEY = 'key-of-the-test-93aa';
const { signal } = new AbortController();

async function setUp() {
  const times = { betweenQueries: 0, betweenTries: 0, untilHealth: 0 };
  const service = await startIndexer('prowlarr', { apiKey: KEY, prowlarr: { times } });
  onTestFinished(() => service.close());
  const options = { id: 'x', name: 'Prowlarr', url: service.url, apiKey: KEY, cacheFolder: 'unused' };
  const source = prowlarrSource({ ...options, timeout: 5_000, memberTimeout: 5_000 }, memoryLog());
  const searched = () => service.indexers.flatMap(({ queries }) => queries).length;
  /** Makes the indexer fail at a search, as any client of Prowlarr may. */
  const failed = async (at: number) => {
    service.indexers[at]!.search = { code: 100, description: 'Incorrect user credentials' };
    const members = await source.members(signal);
    const query = { kind: 'text', area: 'movies', text: 'sintel' } as const;
    if (!('isAggregate' in members)) await members[at]?.ask(query, signal).catch(() => undefined);
  };
  return { service, source, searched, failed };
}

describe('the connection test of Prowlarr', () => {
  test('tells its version, and has a line for each usenet indexer, none of which it asks', async () => {
    const { source, searched } = await setUp();
    expect(await source.test(signal)).toEqual([
      { what: 'The address of Prowlarr', found: 'Prowlarr 2.3.6.5324' },
      { what: 'Meadow by Prowlarr', isOneOfMany: true },
      { what: 'Burrow by Prowlarr', isOneOfMany: true },
    ]);
    expect(searched()).toBe(0);
  });

  test('tells of one that rests, and until when', async () => {
    const { source, failed } = await setUp();
    await failed(0);
    const [, meadow, burrow] = await source.test(signal);
    expect(meadow?.failure?.explanation.what).toMatch(
      /^Meadow by Prowlarr rests until (?:tomorrow )?\d\d:\d\d because it failed\.$/,
    );
    expect(burrow?.failure).toBeUndefined();
  });

  test('knows one without usenet indexers', async () => {
    const { source, service } = await setUp();
    for (const indexer of service.indexers) indexer.enable = indexer.protocol === 'torrent';
    const checks = await source.test(signal);
    expect(checks).toHaveLength(2);
    expect(checks[1]?.failure?.explanation.what).toContain('no usenet indexer that is switched on');
    expect(checks[1]?.setting).toBeUndefined();
  });

  test('tells what Prowlarr finds fault with beside their rests', async () => {
    const { source, service } = await setUp();
    service.indexers[0]!.vipExpiration = '2026-01-31';
    const last = (await source.test(signal)).at(-1);
    expect(last).toMatchObject({ what: 'What Prowlarr says of its indexers', isNote: true });
    expect(last?.failure?.explanation.what).toMatch(/benefits have expired: Meadow/);
  });

  test('does without that where it cannot be had', async () => {
    const { source, service } = await setUp();
    service.faults.wire = [{ kind: 'status', status: 500, when: ({ path }) => path.endsWith('/health') }];
    expect((await source.test(signal)).flatMap(({ failure }) => failure ?? [])).toEqual([]);
  });
});
