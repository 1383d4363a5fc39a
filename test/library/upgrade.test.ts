import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLastPlayed, openPackStore, openResumePoints, resumeKey } from '../../src/library/index.ts';
import type { Logger } from '../../src/log/index.ts';
import { memoryLog } from '../support/log.ts';
import { episode, job, newFolder, release } from './library.ts';

const RELEASE = release('Caminandes.S01.1080p-INV');
const REQUEST = episode(1, 1);
const KEY = resumeKey(RELEASE, REQUEST);
const PACK = {
  backend: 'nzbdav',
  job: job('j'),
  keepStorage: true,
  release: RELEASE,
  request: REQUEST,
  episodes: [1, 2].map((number) => ({ season: 1, episode: number, file: { path: [`${number}.mkv`] } })),
};

interface Store {
  readonly keep: () => Promise<unknown>;
  readonly recall: () => Promise<unknown>;
  /** Gets rid of what is in the file of that name. */
  readonly drop?: (name: string) => Promise<void>;
}

const STORES: Readonly<Record<string, (options: { folder: string; log: Logger }) => Store>> = {
  packs: (options) => {
    const packs = openPackStore(options);
    return {
      keep: () => packs.save(PACK),
      recall: async () => (await packs.find(REQUEST, 'nzbdav'))[0],
      drop: (name) => packs.remove(name),
    };
  },
  resume: (options) => {
    const points = openResumePoints(options);
    return {
      keep: () => points.save(KEY, { position: 600, duration: 3_600 }),
      recall: () => points.forRelease(KEY),
      drop: () => points.clear(KEY),
    };
  },
  'last-played': (options) => {
    const last = openLastPlayed(options);
    return { keep: () => last.record(REQUEST, RELEASE), recall: () => last.find(REQUEST) };
  },
};

describe.each(Object.entries(STORES))('%s', (place, open) => {
  /** A store whose documents all have this content. */
  async function holding(content: string) {
    const folder = await newFolder();
    const log = memoryLog();
    const store = open({ folder, log });
    await store.keep();
    expect(await store.recall()).toBeDefined();
    const files = await readdir(join(folder, place));
    const paths = files.map((file) => join(folder, place, file));
    for (const path of paths) await writeFile(path, content);
    return { store, log, paths, name: files[0]?.replace('.json', '') ?? '' };
  }

  test.each([
    ['damaged', '{"version":1,"val'],
    ['of another shape', '{"version":1,"value":{"films":[]}}'],
    ['of a version that never was', '{"version":0,"value":[]}'],
    ['of a version without a number', '{"value":[]}'],
  ])('that are %s count as absent, and are written over', async (_, content) => {
    const { store, log } = await holding(content);
    expect(await store.recall()).toBeUndefined();
    await store.keep();
    expect(await store.recall()).toBeDefined();
    expect(log.lines).toEqual([]);
  });

  test('of a newer add-on count as absent, and are left to it', async () => {
    const newer = '{"version":9,"value":{"films":["of another form"]}}';
    const { store, log, paths, name } = await holding(newer);
    expect(await store.recall()).toBeUndefined();
    await store.keep();
    await store.drop?.(name);
    for (const path of paths) expect(await readFile(path, 'utf8')).toBe(newer);
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toContain('A newer version of Slipstream');
  });
});
