import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { searchSources } from '../../src/connections/sources.ts';
import type { SlipstreamError } from '../../src/errors/index.ts';
import { type ConfiguredSource, isManager } from '../../src/search/sources/source.ts';
import { parseSettings, type SourceEntry } from '../../src/settings/index.ts';
import { replayed, reply } from '../search/sources/aiostreams/replay.ts';
import { memoryLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KEY = 'k3y-that-nobody-sees';

async function open(settings: Record<string, string>, listed: readonly unknown[] = []) {
  const folder = temporaryFolder();
  const text = JSON.stringify({ version: 1, value: listed });
  if (listed.length > 0) writeFileSync(join(folder, 'sources.json'), text, { mode: 0o600 });
  return await searchSources(parseSettings(settings), folder, memoryLog());
}

const entry = (fields: Partial<SourceEntry> = {}): SourceEntry => ({
  kind: 'newznab',
  name: 'Another',
  url: 'https://another.example',
  apiKey: KEY,
  enabled: true,
  ...fields,
});

/** What a search begins with. */
async function asking(source: ConfiguredSource | undefined, signal: AbortSignal): Promise<unknown> {
  if (source === undefined) throw new Error('no such source');
  const behind = isManager(source) ? await source.members(signal) : source;
  return 'ask' in behind
    ? await behind.ask({ kind: 'text', area: 'movies', text: 'sintel' }, signal)
    : behind;
}

describe('the sources of a search', () => {
  test('are those of the settings, then those of the list', async () => {
    const { sources } = await open(
      {
        hydra_url: 'http://hydra.example:5076',
        prowlarr_url: 'http://prowlarr.example:9696',
        indexer_url: 'https://indexer.example',
        indexer_name: 'Own',
      },
      [
        entry(),
        entry({ name: 'Off', enabled: false }),
        entry({ name: 'Second', url: 'https://second.example' }),
      ],
    );
    expect(sources.map(({ name }) => name)).toEqual(['NZBHydra2', 'Prowlarr', 'Own', 'Another', 'Second']);
  });

  test('have ids that last, differ, and hold no secret', async () => {
    const listed = [
      entry({ url: `https://user:${KEY}@another.example/api?apikey=${KEY}` }),
      entry({ url: 'https://another.example/api/', apiKey: 'second account' }),
      entry({ kind: 'hydra', url: 'https://another.example/api' }),
      entry({ url: 'https://else.example/api' }),
    ];
    const first = await open({}, listed);
    const second = await open({}, listed);
    const ids = first.sources.map(({ id }) => id);
    expect(second.sources.map(({ id }) => id)).toEqual(ids);
    expect(new Set(ids).size).toBe(listed.length);
    expect(ids.join()).not.toContain(KEY);
  });

  test('tell all that must not be written down: the key, and what the address holds', async () => {
    const { sources, secrets } = await open({}, [
      entry({ url: 'https://me:p%40ss@another.example/api?apikey=in-the-address' }),
    ]);
    const [{ id } = { id: '' }] = sources;
    expect(secrets[id]).toEqual(expect.arrayContaining([KEY, 'in-the-address', 'me', 'p%40ss', 'p@ss']));
  });

  test('give managers of indexers the time that the slowest of theirs needs', async () => {
    const { sources, timeouts: patience } = await open(
      { search_timeout: '10', hydra_url: 'http://h.example' },
      [entry()],
    );
    expect(sources.map(({ id }) => patience[id])).toEqual([45_000, 10_000]);
  });

  test('one with an address that is none fails in its turn, and the others are asked', async () => {
    const { sources } = await open({}, [entry({ name: 'Broken', url: 'not an address' }), entry()]);
    expect(sources).toHaveLength(2);
    const signal = new AbortController().signal;
    await expect(asking(sources[0], signal)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('of an entry that makes no sense, one fails in its turn and says which, and the others are asked', async () => {
    const { sources } = await open({}, [entry(), { ...entry(), url: undefined }, entry({ name: 'Third' })]);
    expect(sources.map(({ name }) => name)).toEqual(['Another', 'Third', 'sources.json']);
    const signal = new AbortController().signal;
    await expect(asking(sources[2], signal)).rejects.toMatchObject({
      code: 'NOT_CONFIGURED',
      explanation: {
        what: 'Entry 2 of sources.json is left out: its "url" is missing.',
        next: 'Mend it in sources.json in the data folder of Slipstream.',
      },
    });
    // Also when nobody else is there.
    expect((await open({}, [{}])).sources).toHaveLength(1);
  });

  test.each(['newznab', 'hydra', 'prowlarr'] as const)(
    'a %s of the list whose key is refused leads to the list, one of the settings to the settings',
    async (kind) => {
      const server = createServer((_request, response) => response.writeHead(401).end());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const address = { newznab: 'indexer_url', hydra: 'hydra_url', prowlarr: 'prowlarr_url' }[kind];
      const { sources } = await open({ [address]: url }, [entry({ kind, url: `${url}/listed` })]);
      const signal = new AbortController().signal;
      const next = async (source: ConfiguredSource | undefined) => {
        const failure = await asking(source, signal).catch((error: unknown) => error);
        return (failure as SlipstreamError).explanation.next;
      };
      expect(await next(sources[0])).toContain('Open the settings of Slipstream (Connection)');
      expect(await next(sources[1])).toContain('Open the list of indexers in Slipstream');
    },
  );

  test.each([
    ['no backend', {}, true],
    ['a backend', { playback_backend: 'nzbget', nzbget_url: 'http://nzbget.example' }, undefined],
    [
      'a backend that is not the one that plays',
      { playback_backend: 'webdav', nzbget_url: 'http://nzbget.example' },
      true,
    ],
  ])('list what AIOStreams plays itself only where %s is set up', async (_case, settings, plays) => {
    const service = await replayed({ search: reply('search-api', 'film') });
    const { sources } = await open({ ...settings, stremio_url: service.url }, [
      entry({ kind: 'stremio', url: service.url }),
    ]);
    const signal = new AbortController().signal;
    for (const source of sources) {
      if (isManager(source)) throw new Error('a manager');
      const id = { kind: 'imdb', value: 'tt9001001' } as const;
      const answer = await source.ask({ kind: 'movie', area: 'movies', id }, signal);
      expect(answer !== 'unsupported' && answer.postings.map(({ link }) => link.plays)).toEqual([plays]);
    }
  });

  test('are needed', async () => {
    await expect(open({})).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
    await expect(open({}, [entry({ enabled: false })])).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
  });
});
