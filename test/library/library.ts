import { copyFile, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FinishedJob } from '../../src/backends/backend.ts';
import type { Candidate, MediaRequest, Release } from '../../src/model/index.ts';
import { loadReleaseNameParser } from '../../src/release/index.ts';

export const parseName = await loadReleaseNameParser();

/** An empty folder, gone when the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-library-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The text of all that is on disk, with the names of the files. */
export async function textOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map(async ({ name, parentPath }) => `${name}\n${await readFile(join(parentPath, name), 'utf8')}`);
  return (await Promise.all(texts)).join('\n');
}

/** Fills a folder with copies of its only document up to so many, all of them older than it, the last the oldest. */
export async function crowd(folder: string, documents: number): Promise<void> {
  const [only = ''] = await readdir(folder);
  for (let n = 1; n < documents; n++) {
    const copy = join(folder, `${String(n).padStart(32, '0')}.json`);
    await copyFile(join(folder, only), copy);
    await utimes(copy, 10_000 - n, 10_000 - n);
  }
}

export const GB = 1e9;

export const release = (name: string, fields: Partial<Omit<Release, 'name' | 'quality'>> = {}): Release => ({
  links: [{ url: 'http://indexer.example/get?apikey=canary', guid: 'g1', indexer: 'Example', source: 's1' }],
  ...fields,
  name,
  quality: parseName(name),
});

export const candidate = (of: Release, rejections: readonly string[] = []): Candidate => ({
  release: of,
  rejections,
  formats: [],
  score: 0,
});

export const job = (name: string, fields: Partial<FinishedJob> = {}): FinishedJob => ({
  id: name,
  name,
  category: 'tv',
  storage: `/mnt/complete/${name}`,
  ...fields,
});

/** An episode of Caminandes. */
export const episode = (
  season: number,
  number: number,
  fields: Partial<MediaRequest> = {},
): MediaRequest => ({
  kind: 'episode',
  title: 'Caminandes',
  year: 2013,
  ids: { tmdb: '1001', imdb: 'tt0001001' },
  episode: { season, episode: number },
  ...fields,
});

export const film = (title: string, fields: Partial<MediaRequest> = {}): MediaRequest => ({
  kind: 'movie',
  title,
  ids: {},
  ...fields,
});
