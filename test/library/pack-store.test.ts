import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type NewPack, openPackStore, packAsRelease, packKey } from '../../src/library/index.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { memoryLog } from '../support/log.ts';
import { crowd, episode, film, GB, job, newFolder, parseName, release, textOf } from './library.ts';

const NZBDAV = 'webdav http://127.0.0.1:3000';
const SEASON = release('Caminandes.S01.1080p.WEB-DL.H.264-INV', { size: 3 * GB, posted: 1_400_000_000_000 });

const files = (season: number, ...numbers: readonly number[]) =>
  numbers.map((number) => ({
    season,
    episode: number,
    file: { path: ['Caminandes', `Caminandes.S0${season}E0${number}.mkv`], size: GB },
  }));

const pack = (fields: Partial<NewPack> = {}): NewPack => ({
  backend: NZBDAV,
  job: job('Caminandes.S01-0123abcd', { id: 'n1' }),
  keepStorage: false,
  release: SEASON,
  request: episode(1, 1),
  episodes: files(1, 1, 2, 3),
  ...fields,
});

async function memory() {
  const folder = await newFolder();
  const log = memoryLog();
  let time = 1_700_000_000_000;
  return { folder, log, packs: openPackStore({ folder, log, now: () => time++ }) };
}

describe('a season pack', () => {
  test('is found by the next run for each episode that it holds, and for no other', async () => {
    const { folder, log, packs } = await memory();
    const key = await packs.save(pack());
    const next = openPackStore({ folder, log });
    const [found] = await next.find(episode(1, 3), NZBDAV);
    expect(found).toMatchObject({
      key,
      backend: NZBDAV,
      job: { id: 'n1', name: 'Caminandes.S01-0123abcd', category: 'tv' },
      release: { name: SEASON.name, size: 3 * GB, posted: 1_400_000_000_000, indexer: 'Example' },
      episodes: [1, 2, 3].map((n) => ({
        season: 1,
        episode: n,
        path: ['Caminandes', `Caminandes.S01E0${n}.mkv`],
      })),
    });
    expect(found?.at).toBe(1_700_000_000_000);
    expect(await next.find(episode(1, 4), NZBDAV)).toEqual([]);
    expect(await next.find(episode(2, 1), NZBDAV)).toEqual([]);
    expect(await next.find(film('Caminandes', { ids: { tmdb: '1001' } }), NZBDAV)).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  test('is of one backend', async () => {
    const { packs } = await memory();
    await packs.save(pack());
    expect(await packs.find(episode(1, 1), 'webdav http://127.0.0.1:3001')).toEqual([]);
  });

  test.each([
    ['all its ids', {}, true],
    ['one of its ids', { ids: { imdb: 'tt0001001' }, title: 'Los Caminandes', year: 1999 }, true],
    ['an id that is another’s', { ids: { tmdb: '2002' } }, false],
    ['one id that agrees and one that does not', { ids: { tmdb: '1001', imdb: 'tt0009999' } }, false],
    ['title and year, without an id in common', { ids: { tvdb: '77' } }, true],
    ['its title in another spelling', { ids: {}, title: 'CAMINANDES!' }, true],
    ['its title and another year', { ids: {}, year: 2024 }, false],
    ['another title and its year', { ids: {}, title: 'Caminantes' }, false],
  ] satisfies [string, Partial<MediaRequest>, boolean][])(
    'is asked for by %s: %o %s',
    async (_, fields, isFound) => {
      const { packs } = await memory();
      await packs.save(pack());
      expect(await packs.find(episode(1, 2, fields), NZBDAV)).toHaveLength(isFound ? 1 : 0);
    },
  );

  test('is not asked for by its title alone when its year is known', async () => {
    const { packs } = await memory();
    await packs.save(pack());
    const { year: _, ...typed } = episode(1, 2, { ids: {} });
    expect(await packs.find(typed, NZBDAV)).toEqual([]);
  });

  test('of a show that was typed without a year is found by what was typed', async () => {
    const { packs } = await memory();
    const { year: _, ...typed } = episode(1, 1, { ids: {} });
    await packs.save(pack({ request: typed }));
    expect(await packs.find({ ...typed, episode: { season: 1, episode: 2 } }, NZBDAV)).toHaveLength(1);
    expect(await packs.find({ ...typed, title: '' }, NZBDAV)).toEqual([]);
  });

  test('is one for each job, as it was remembered last, the latest first', async () => {
    const { packs } = await memory();
    await packs.save(pack());
    await packs.save(pack({ job: job('Caminandes.S01', { id: 'n2' }) }));
    await packs.save(pack({ episodes: files(1, 1, 2, 3, 4) }));
    const found = await packs.find(episode(1, 1), NZBDAV);
    expect(found.map((each) => [each.job.id, each.episodes.length])).toEqual([
      ['n1', 4],
      ['n2', 3],
    ]);
    expect(new Set(found.map(({ key }) => key)).size).toBe(2);
  });

  test('is forgotten, and nothing else is', async () => {
    const { folder, packs } = await memory();
    await packs.save(pack());
    await packs.save(pack({ job: job('other') }));
    const [latest] = await packs.find(episode(1, 1), NZBDAV);
    await packs.remove(latest?.key ?? '');
    expect((await packs.find(episode(1, 1), NZBDAV)).map((each) => each.job.id)).toEqual(['n1']);
    await writeFile(join(folder, 'sources.json'), '{}');
    for (const foreign of ['', '../sources', 'sources']) await packs.remove(foreign);
    expect(await readdir(folder)).toContain('sources.json');
  });

  test.each([
    ['no episode', []],
    ['one episode', files(1, 1)],
    ['one episode twice', [...files(1, 1), ...files(1, 1)]],
  ])('with %s is none', async (_, episodes) => {
    const { folder, packs } = await memory();
    expect(await packs.save(pack({ episodes }))).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('what is kept of a pack', () => {
  test('is for its owner only, holds no link, and the storage only when it may be kept', async () => {
    const { folder, packs } = await memory();
    const secret = job('Caminandes.S01', { storage: 'http://127.0.0.1/stream/canary' });
    await packs.save(pack({ job: secret }));
    expect(await textOf(folder)).not.toMatch(/canary|indexer\.example|g1/);
    const [file = ''] = await readdir(join(folder, 'packs'));
    expect((await stat(join(folder, 'packs', file))).mode & 0o777).toBe(0o600);
    await packs.save(pack({ job: secret, keepStorage: true }));
    const [found] = await packs.find(episode(1, 1), NZBDAV);
    expect(found?.job.storage).toBe('http://127.0.0.1/stream/canary');
  });

  test('is bounded: those that were not remembered for longest go', async () => {
    const { folder, packs } = await memory();
    const place = join(folder, 'packs');
    await packs.save(pack({ job: job('first') }));
    await crowd(place, 302);
    await packs.save(pack({ job: job('latest') }));
    const left = await readdir(place);
    expect(left).toHaveLength(300);
    expect(left).toContain(`${'298'.padStart(32, '0')}.json`);
    const names = (await packs.find(episode(1, 1), NZBDAV)).map((each) => each.job.name);
    expect(names[0]).toBe('latest');
    expect(names).toContain('first');
  });

  test('does not stop a play when it is damaged, nor when it cannot be written', async () => {
    const { folder, log, packs } = await memory();
    await packs.save(pack());
    await writeFile(join(folder, 'packs', `${'0'.repeat(32)}.json`), '{"version":1,"value":{"backend":7}}');
    expect(await packs.find(episode(1, 1), NZBDAV)).toHaveLength(1);
    await packs.save(pack({ request: episode(1, 1, { title: 'x'.repeat(2_000) }) }));
    await openPackStore({ folder: join(folder, 'packs', `${'0'.repeat(32)}.json`), log }).save(pack());
    expect(log.lines).toHaveLength(2);
    expect(log.lines.join()).toContain('a season pack is not remembered');
    expect(await packs.find(episode(1, 1), NZBDAV)).toHaveLength(1);
  });
});

describe('a pack as a row of the list', () => {
  test('says what it said when it was found, with a link that is none', async () => {
    const { packs } = await memory();
    await packs.save(pack());
    const [found] = await packs.find(episode(1, 2), NZBDAV);
    if (found === undefined) throw new Error('not found');
    const row = packAsRelease(found, parseName);
    expect(row).toEqual({
      name: SEASON.name,
      size: 3 * GB,
      posted: 1_400_000_000_000,
      links: [
        {
          url: 'slipstream:remembered',
          guid: found.key,
          indexer: 'Example',
          source: 'slipstream:remembered',
        },
      ],
      quality: SEASON.quality,
    });
    expect(packKey(row)).toBe(found.key);
    expect(packKey(SEASON)).toBeUndefined();
  });

  test('is remembered anew when it is played', async () => {
    const { packs } = await memory();
    await packs.save(pack());
    const [found] = await packs.find(episode(1, 2), NZBDAV);
    if (found === undefined) throw new Error('not found');
    await packs.save(pack({ release: packAsRelease(found, parseName), request: episode(1, 2) }));
    expect(await packs.find(episode(1, 2), NZBDAV)).toMatchObject([
      { key: found.key, release: found.release },
    ]);
  });
});
