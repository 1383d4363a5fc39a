import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MediaRequest } from '../../../../src/model/index.ts';
import { cachedSearch } from '../../../../src/search/cache/cached-search.ts';
import { openCooldowns } from '../../../../src/search/run/cooldown.ts';
import type { SearchSource } from '../../../../src/search/sources/source.ts';
import { secretsOfAddon, stremioSource } from '../../../../src/search/sources/stremio/index.ts';
import { memoryLog } from '../../../support/log.ts';
import { newFolder } from '../../folder.ts';
import { posting } from '../../posts.ts';
import { newId } from '../../searching.ts';
import { answer, fakeSource } from '../../sources.ts';
import { INDEXER_KEY, PASSWORD, replayed, reply } from '../aiostreams/replay.ts';

const FILM: MediaRequest = {
  kind: 'movie',
  title: 'Real Film',
  year: 2024,
  ids: { imdb: 'tt9001001' },
};
const { signal } = new AbortController();

async function setUp(takesNzbs: boolean, others: readonly SearchSource[] = []) {
  const folder = await newFolder();
  const service = await replayed({ search: reply('search-api', 'film') });
  const base = { id: newId(), name: 'Home', url: service.url, apiKey: '', timeout: 5_000, takesNzbs };
  const source = stremioSource({ ...base, cacheFolder: folder }, memoryLog());
  const log = memoryLog();
  const search = async () => {
    const running = await cachedSearch(FILM, [source, ...others], {
      signal,
      log,
      folder,
      cooldowns: openCooldowns({ folder, log }),
      timeouts: { querySpacing: 0 },
      secrets: { [base.id]: secretsOfAddon(service.url) },
    });
    await running.finished;
    await running.close();
    return running;
  };
  const searches = () => service.asked.filter(({ path }) => path.startsWith('/api/v1/search')).length;
  return { folder, log, search, searches };
}

/** An indexer whose links may be kept. */
function indexer() {
  const id = newId();
  const url = 'https://indexer.example/get/1';
  return fakeSource(id, () =>
    answer([posting({ source: id, url, name: 'Real.Film.2024.2160p.WEB.h265-INV', size: 7e9 })]),
  );
}

async function onDisk(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

describe.each([true, false])('what AIOStreams lists, with a backend for NZBs: %s', (takesNzbs) => {
  it('is asked for again by whoever goes back to a list; the others come from memory', async () => {
    const other = indexer();
    const { folder, log, search, searches } = await setUp(takesNzbs, [other]);
    const first = await search();
    expect(first.state.releases).toHaveLength(2);
    const queries = other.queries.length;
    const second = await search();
    expect(second.age).toBeDefined();
    const linksOf = ({ state }: typeof first) => state.releases.map(({ name, links }) => [name, links]);
    expect(linksOf(second)).toEqual(linksOf(first));
    expect(second.state.sources.map(({ state, found }) => [state, found])).toEqual([
      ['answered', 1],
      ['answered', 1],
    ]);
    expect([searches(), other.queries.length]).toEqual([2, queries]);
    const kept = await onDisk(folder);
    expect(kept).toContain('https://indexer.example/get/1');
    for (const secret of [INDEXER_KEY, PASSWORD, 'rarset', 'playback']) expect(kept).not.toContain(secret);
    expect(log.lines.join('\n')).not.toMatch(/cannot be kept/);
  });

  it('is kept nowhere where nobody else is asked', async () => {
    const { folder, search, searches } = await setUp(takesNzbs);
    // Of a version that kept such links.
    const old = join(folder, 'searches', 'search-old.json');
    await mkdir(join(folder, 'searches'));
    await writeFile(old, JSON.stringify({ version: 3, value: INDEXER_KEY }));
    await utimes(old, 0, 0);
    await search();
    expect((await search()).age).toBeUndefined();
    expect(searches()).toBe(2);
    expect(await onDisk(folder)).not.toContain(INDEXER_KEY);
  });
});
