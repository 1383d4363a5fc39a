import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startStremio } from '../../../../sandbox/direct-stream/stremio.ts';
import { stremioSource } from '../../../../src/search/sources/stremio/index.ts';
import { closedPort, serve } from '../../../support/http-server.ts';
import { memoryLog } from '../../../support/log.ts';

const { signal } = new AbortController();

async function setUp() {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'stremio-test-'));
  onTestFinished(() => rm(cacheFolder, { recursive: true }));
  const service = await startStremio({ apiKey: 'token-of-the-test-5d' });
  onTestFinished(() => service.close());
  const options = { id: 'x', name: 'Example', url: service.url, apiKey: '', timeout: 5_000, cacheFolder };
  return { service, source: stremioSource(options, memoryLog()) };
}

describe('the connection test of a Stremio add-on', () => {
  test('tells what it lists streams of', async () => {
    const { source } = await setUp();
    expect(await source.test(signal)).toEqual([
      { what: 'The address of Example', found: 'lists streams of movie, series' },
      {
        what: 'A search by Example',
        found: expect.stringMatching(/^\d+ streams of Big Buck Bunny$/) as string,
      },
    ]);
  });

  test.each([
    ['only catalogues', { resources: ['catalog'], types: ['movie'] }],
    ['streams of music', { resources: [{ name: 'stream', types: ['music'] }] }],
  ])('knows an add-on that has %s', async (_what, manifest) => {
    const { source, service } = await setUp();
    service.faults.wire = [{ kind: 'body', body: JSON.stringify(manifest) }];
    expect(await source.test(signal)).toMatchObject([
      { setting: 'stremio_url', failure: { code: 'NOT_CONFIGURED' } },
    ]);
  });

  test('does not take a film that it does not have for a fault', async () => {
    const { source, service } = await setUp();
    service.faults.search = 'empty';
    expect((await source.test(signal)).at(-1)?.found).toBe('0 streams of Big Buck Bunny');
  });

  test.each([
    ['nothing answers', closedPort, 1],
    ['anything answers', () => serve((_request, response) => response.writeHead(404).end()), 0],
  ])('looks, without opening a row, at the origin that rows name: %s', async (_what, elsewhere, notes) => {
    const { source, service } = await setUp();
    const origin = await elsewhere();
    const rows = { streams: [{ name: 'Big.Buck.Bunny.2008.1080p-MEADOW', url: `${origin}/play/1` }] };
    service.faults.wire = [
      { kind: 'body', body: JSON.stringify(rows), when: ({ path }) => path.includes('/stream/') },
    ];
    const checks = await source.test(signal);
    expect(checks[1]).toEqual({ what: 'A search by Example', found: '1 streams of Big Buck Bunny' });
    expect(checks.slice(2)).toMatchObject(
      Array.from({ length: notes }, () => ({
        isNote: true,
        failure: { explanation: { what: expect.stringContaining(origin) as string } },
      })),
    );
    expect(checks).toHaveLength(2 + notes);
  });

  test('asks no film of one that takes other ids', async () => {
    const { source, service } = await setUp();
    const manifest = { resources: [{ name: 'stream', types: ['movie'], idPrefixes: ['kitsu'] }] };
    service.faults.wire = [{ kind: 'body', body: JSON.stringify(manifest) }];
    expect((await source.test(signal)).at(-1)?.found).toBe('takes no ids of IMDb for films');
  });
});
