import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asks } from '../../sandbox/index.ts';
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

/** NZBHydra2 in the place of the sandbox's own indexer. */
async function behindHydra(p: Pipeline) {
  const service = await startIndexer('hydra', { apiKey: 'k' });
  onTestFinished(() => service.close());
  const source = { kind: 'hydra', name: 'NZBHydra2', url: service.url, apiKey: 'k' };
  const sources = JSON.stringify({ version: 1, value: [source] });
  await writeFile(join(p.host.dataFolder, 'sources.json'), sources, { mode: 0o600 });
  Object.assign(p.host.settings, { indexer_url: '' });
  return service;
}

describe('an indexer whose downloads are used up', () => {
  test('costs one try, however many of the best releases are its own', async () => {
    const p = await pipeline({ settings: { max_attempts: '2' } });
    const service = await behindHydra(p);
    service.faults.wire.push({
      ...{ kind: 'body', type: 'application/x-nzb', times: 1 },
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
    expect(p.sandbox.requests.filter(asks('t', 'get'))).toHaveLength(1);
    expect(p.host.notified).toMatchObject([
      { what: expect.stringContaining('The indexer Sandbox allows no more downloads for now') as string },
    ]);
    await expectNothingLeft(p);
  });
});
