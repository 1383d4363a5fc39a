import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { whenQuery } from '../../sandbox/index.ts';
import { startIndexer } from '../../sandbox/indexer/start.ts';
import { expectNothingLeft, type Pipeline, pipeline } from './set-up.ts';
import { OFFLINE } from './whole.ts';

const BUNNY = '?type=movie&title=Big+Buck+Bunny&year=2008&imdb=tt1254207';

/** Whom each release that was fetched was fetched from. */
function watched(fetched: string[]): typeof OFFLINE {
  const { resolver } = OFFLINE;
  const fetchNzb: typeof resolver.fetchNzb = (release, options) => {
    fetched.push(release.links[0].indexer);
    return resolver.fetchNzb(release, options);
  };
  return { ...OFFLINE, resolver: { ...resolver, fetchNzb } };
}

/** A further source, which has the whole catalogue. */
async function addSource(p: Pipeline, kind: 'newznab' | 'hydra') {
  const service = await startIndexer(kind, { apiKey: 'k' });
  onTestFinished(() => service.close());
  const sources = JSON.stringify({
    version: 1,
    value: [{ kind, name: 'Further', url: service.url, apiKey: 'k' }],
  });
  await writeFile(join(p.host.dataFolder, 'sources.json'), sources, { mode: 0o600 });
  return service;
}

describe('an indexer whose downloads are used up', () => {
  test('costs one try, however many of the best releases are its own', async () => {
    // The sandbox's own indexer is not set up.
    const p = await pipeline({ settings: { max_attempts: '2', indexer_url: '' } });
    const service = await addSource(p, 'hydra');
    service.faults.wire.push({
      kind: 'body',
      type: 'application/x-nzb',
      times: 1,
      body: '<error code="501" description="Download limit reached"/>',
      when: ({ path }) => path.includes('/getnzb/'),
    });
    const fetched: string[] = [];
    await p.resolve(BUNNY, watched(fetched));
    expect(fetched).toHaveLength(2);
    expect(fetched[1]).not.toBe(fetched[0]);
    // Else the second try went elsewhere by itself.
    expect(p.log.lines.some((line) => line.includes('is passed over'))).toBe(true);
    expect(p.host.notified).toEqual([]);
  });

  test('is what is told when nobody else has the film, and it is asked once', async () => {
    const p = await pipeline({ settings: { max_attempts: '3' } });
    p.sandbox.faults.nzb = 'limit-reached';
    expect(await p.resolve(BUNNY)).toBe(false);
    expect(p.sandbox.requests.filter(whenQuery('t', 'get'))).toHaveLength(1);
    expect(p.host.notified).toMatchObject([
      { what: expect.stringContaining('The indexer Sandbox allows no more downloads for now') as string },
    ]);
    await expectNothingLeft(p);
  });
});

test('an indexer that keeps silent at the download is not waited for: the release comes from another one', async () => {
  const p = await pipeline();
  const service = await addSource(p, 'newznab');
  p.sandbox.faults.indexer.push({ kind: 'hang', when: whenQuery('t', 'get') });
  const { resolver } = OFFLINE;
  const fetchNzb: typeof resolver.fetchNzb = (release, options) =>
    resolver.fetchNzb(release, { ...options, patience: () => Promise.resolve() });
  expect(await p.resolve(BUNNY, { ...OFFLINE, resolver: { ...resolver, fetchNzb } })).toBe(true);
  expect(p.sandbox.requests.filter(whenQuery('t', 'get'))).toHaveLength(1);
  expect(service.requests.filter(whenQuery('t', 'get'))).toHaveLength(1);
  expect(p.host.progress.some(({ detail = '' }) => detail.includes('Release 2'))).toBe(false);
});
