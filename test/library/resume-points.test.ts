import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { pause } from '../../src/io/wait.ts';
import { filmKey, resumeKey as keyOf, openResumePoints, ResumeKey } from '../../src/library/index.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { memoryLog } from '../support/log.ts';
import { crowd, episode, film, GB, newFolder, parseName, textOf } from './library.ts';

const SINTEL = film('Sintel', { year: 2010, ids: { tmdb: '45745' } });
const DAY = 86_400_000;
const POSTED = 17_000 * DAY + 3_600_000;
const WEB = { name: 'Sintel.2010.1080p.WEB-DL.H.264-INV', size: 4 * GB, posted: POSTED };
const REMUX = { name: 'Sintel.2010.2160p.BluRay.REMUX-INV', size: 40 * GB, posted: POSTED };
type Listed = { readonly name: string; readonly size?: number; readonly posted?: number };
/** Its quality is what its name tells. */
const resumeKey = (listed: Listed, request: MediaRequest, ...more: MediaRequest[]) =>
  keyOf({ ...listed, quality: parseName(listed.name) }, request, ...more);
const KEY = resumeKey(WEB, SINTEL);
/** Seconds. */
const HOUR = 3_600;

/** Milliseconds: two points are told apart by when they were left. */
const later = () => pause(3, new AbortController().signal);

async function memory() {
  const folder = await newFolder();
  const log = memoryLog();
  return { folder, log, points: openResumePoints({ folder, log }) };
}

describe('the names of a show under which a resume point is kept', () => {
  test.each([
    ['Caminandes.2014.S01E02.1080p.WEB-INV', true],
    ['Caminandes.S2014E02.1080p.WEB-INV', false],
  ])('take the year of %s: %s', (name, isTaken) => {
    const undated: MediaRequest = {
      kind: 'episode',
      title: 'Caminandes',
      ids: {},
      episode: { season: 1, episode: 2 },
    };
    const { names } = resumeKey({ name }, undated);
    expect(names.some((each) => each.startsWith('dated.'))).toBe(isTaken);
  });
});

describe('a resume point', () => {
  test('is there for the next run, for the release that was left', async () => {
    const { folder, log, points } = await memory();
    expect(await points.forRelease(KEY)).toBeUndefined();
    const before = Date.now();
    await points.save(KEY, { position: 1_234.5, duration: 2 * HOUR });
    const point = await openResumePoints({ folder, log }).forRelease(KEY);
    expect(point).toMatchObject({ position: 1_234.5, duration: 2 * HOUR, sameCut: true });
    expect(point?.at).toBeGreaterThanOrEqual(before);
    await points.save(KEY, { position: 2_000, duration: 2 * HOUR });
    expect(await points.forRelease(KEY)).toMatchObject({ position: 2_000 });
    expect(log.lines).toEqual([]);
  });

  // The first 180 s and the last 8 %, as in Kodi.
  test.each([
    ['at the start', 0, 2 * HOUR, 'left as it was'],
    ['after 180 s', 180, 2 * HOUR, 'left as it was'],
    ['later', 180.1, 2 * HOUR, 'set'],
    ['before the last 8 %', 0.919 * 2 * HOUR, 2 * HOUR, 'set'],
    ['exactly 8 % before the end', 920, 1_000, 'set'],
    ['in the last 8 %', 0.921 * 2 * HOUR, 2 * HOUR, 'cleared'],
    ['at the end', 2 * HOUR, 2 * HOUR, 'cleared'],
    ['past the end', 2 * HOUR + 5, 2 * HOUR, 'cleared'],
    ['in the last 8 % of a short film', 140, 150, 'cleared'],
    ['in the middle of a short film', 100, 150, 'left as it was'],
    ['somewhere, while nobody knows the duration', 700, 0, 'set'],
    ['at a time that is none', Number.NaN, 2 * HOUR, 'left as it was'],
  ])('of a film that is left %s (%d of %d s) is %s', async (_, position, duration, outcome) => {
    const { points } = await memory();
    await points.save(KEY, { position: 555, duration: 2 * HOUR });
    await points.save(KEY, { position, duration });
    const expected = { set: position, cleared: undefined, 'left as it was': 555 }[outcome];
    expect((await points.forRelease(KEY))?.position).toBe(expected);
  });

  test('goes with the film’s end, and those of its other releases with it', async () => {
    const { folder, points } = await memory();
    await points.save(KEY, { position: 600, duration: 2 * HOUR });
    await points.save(resumeKey(REMUX, SINTEL), { position: 900, duration: 2 * HOUR });
    await points.clear(KEY);
    await points.clear(KEY);
    expect(await points.forRelease(KEY)).toBeUndefined();
    expect(await points.forRelease(resumeKey(REMUX, SINTEL))).toBeUndefined();
    expect(await readdir(join(folder, 'resume'))).toEqual([]);
  });

  test.each([
    ['the same', {}, true],
    ['as another indexer lists it', { size: 4.03 * GB, name: 'sintel 2010 1080p web-dl h.264-inv' }, true],
    ['posted a few hours earlier, by another clock', { posted: POSTED - DAY / 12 }, true],
    ['without its size', { size: undefined }, true],
    ['without its day', { posted: undefined }, true],
    ['of another size', { size: 4.1 * GB }, false],
    ['of another day', { posted: POSTED + 2 * DAY }, false],
    ['under another name', { name: 'Sintel.2010.1080p.WEB-DL.H.264-VNI' }, false],
  ])('knows the release that was watched: %s %o', async (_, fields, isSame) => {
    const { points } = await memory();
    await points.save(KEY, { position: 600, duration: 2 * HOUR });
    const listed = Object.fromEntries(
      Object.entries({ ...WEB, ...fields }).filter(([, value]) => value !== undefined),
    ) as { name: string };
    const left = await points.latest(filmKey(SINTEL));
    expect(left).toMatchObject({ position: 600, duration: 2 * HOUR });
    expect(left?.isOf(listed)).toBe(isSame);
  });

  test('belongs to the film: the latest one counts for every release', async () => {
    const { points } = await memory();
    await points.save(resumeKey(REMUX, SINTEL), { position: 500, duration: 2 * HOUR });
    await later();
    await points.save(KEY, { position: 600, duration: 2 * HOUR });
    for (const listed of [WEB, REMUX, { name: 'Sintel.2010.720p-INV' }])
      expect(await points.forRelease(resumeKey(listed, SINTEL))).toMatchObject({ position: 600 });
  });

  test.each([
    ['of the same cut', 'Sintel.2010.720p-INV', 0, true],
    ['that is one per cent longer', 'Sintel.2010.720p-INV', 2 * HOUR * 1.01, true],
    ['that is two per cent longer', 'Sintel.2010.720p-INV', 2 * HOUR * 1.021, false],
    ['of another edition', 'Sintel.2010.Extended.720p-INV', 0, false],
    ['of another edition that is as long', 'Sintel.2010.Extended.720p-INV', 2 * HOUR, false],
  ])('is exact for a release %s (%s, %d s): %s', async (_, name, duration, sameCut) => {
    const { points } = await memory();
    const other = resumeKey({ name }, SINTEL);
    if (duration > 0) await points.save(other, { position: 300, duration });
    await later();
    await points.save(KEY, { position: 600, duration: 2 * HOUR });
    expect(await points.forRelease(other)).toMatchObject({ position: 600, sameCut });
    expect(await points.forRelease(KEY)).toMatchObject({ position: 600, sameCut: true });
  });

  test('of an edition is exact for that edition', async () => {
    const { points } = await memory();
    const [one, other] = ['1080p', '2160p'].map((size) =>
      resumeKey({ name: `Sintel.2010.Extended.${size}-INV` }, SINTEL),
    );
    await points.save(one!, { position: 600, duration: 2 * HOUR });
    expect(await points.forRelease(other!)).toMatchObject({ sameCut: true });
    expect(await points.forRelease(KEY)).toMatchObject({ sameCut: false });
  });

  const IMDB = film('Sintel', { year: 2010, ids: { imdb: 'tt1727587' } });
  const BOTH = film('Sintel', { year: 2010, ids: { tmdb: '45745', imdb: 'tt1727587' } });
  const DATED = film('Sintel', { year: 2010 });
  const TYPED = film('Sintel');
  const LOCALISED = {
    ...film('Die Drachenjägerin', { year: 2010, ids: { tmdb: '45745' } }),
    alternativeTitles: ['Sintel'],
  };
  test.each<[string, MediaRequest[], MediaRequest[], boolean]>([
    ['by one id, then by another that the lookup told', [SINTEL, BOTH], [IMDB], true],
    ['by an id, then by title and year', [SINTEL], [DATED], true],
    ['by title and year, then by an id', [DATED], [SINTEL], true],
    ['by an id, then by its title', [SINTEL], [TYPED], true],
    ['by its title, then by an id', [TYPED], [SINTEL], true],
    ['by its title and what was looked up, then by an id', [TYPED, BOTH], [IMDB], true],
    [
      'under another title, with an id',
      [SINTEL],
      [film('Sintel: Der Film', { ids: { tmdb: '45745' } })],
      true,
    ],
    [
      'by an id, then as another film of that title and year',
      [SINTEL],
      [film('Sintel', { year: 2010, ids: { tmdb: '1' } })],
      false,
    ],
    ['by title and year, then as one of another year', [DATED], [film('Sintel', { year: 2024 })], false],
    ['by an id, then as one of another year', [SINTEL], [film('Sintel', { year: 2024 })], false],
    ['by one kind of id, then by another that nobody has told of', [SINTEL], [IMDB], true],
    [
      'by an English title that went along, then by that',
      [LOCALISED],
      [film('Sintel', { year: 2010 })],
      true,
    ],
    ['as a film, then as an episode', [TYPED], [episode(1, 1, { title: 'Sintel', ids: {} })], false],
  ])('is found when the film is asked for %s', async (_, before, after, isFound) => {
    const { points } = await memory();
    const at = { position: 600, duration: 2 * HOUR };
    const [first, second] = [before, after].map(([request, ...more]) => resumeKey(WEB, request!, ...more));
    await points.save(first!, at);
    expect(await points.forRelease(second!)).toEqual(
      isFound ? expect.objectContaining({ position: 600 }) : undefined,
    );
    // Seen to its end by the one way, it is offered by neither; another film's is left alone.
    await points.clear(second!);
    expect(await points.forRelease(first!)).toEqual(
      isFound ? undefined : expect.objectContaining({ position: 600 }),
    );
  });

  test('of the version before this one is found, without its cut', async () => {
    const { folder, points } = await memory();
    await points.save(KEY, { position: 600, duration: 2 * HOUR });
    const place = join(folder, 'resume');
    for (const file of await readdir(place)) await rm(join(place, file));
    const old = [{ release: KEY.release, position: 700, duration: 2 * HOUR, at: 1 }];
    const [tmdb = ''] = KEY.names;
    await writeFile(
      join(place, `${tmdb.replace('tmdb.', '')}.json`),
      JSON.stringify({ version: 1, value: old }),
    );
    expect(await points.forRelease(KEY)).toMatchObject({ position: 700, sameCut: true });
    expect(await points.forRelease(resumeKey(REMUX, SINTEL))).toMatchObject({
      position: 700,
      sameCut: false,
    });
  });

  test('of a film without a year goes by the one that the release tells', async () => {
    const { points } = await memory();
    const at = { position: 600, duration: 2 * HOUR };
    const dune = (year: string) => ({ name: `Dune.${year}.1080p.WEB-DL-INV` });
    const old = film('Dune', { year: 1984, ids: { tmdb: '841' } });
    const young = film('Dune', { year: 2021, ids: { tmdb: '438631' } });
    await points.save(resumeKey(dune('1984'), film('Dune')), at);
    expect(await points.forRelease(resumeKey(dune('2021'), young))).toBeUndefined();
    expect(await points.forRelease(resumeKey(dune('1984'), old))).toMatchObject({
      position: 600,
      sameCut: true,
    });
    await later();
    await points.save(resumeKey(dune('2021'), young), { ...at, position: 900 });
    await later();
    await points.save(resumeKey(dune('1984'), film('Dune')), { ...at, position: 1_500 });
    expect(await points.forRelease(resumeKey(dune('2021'), young))).toMatchObject({ position: 900 });
    expect(await points.forRelease(resumeKey(dune('1984'), old))).toMatchObject({ position: 1_500 });
  });

  test('that lies under a title alone may be another film’s, and is offered as about there', async () => {
    const { points } = await memory();
    const unnamed = { name: 'a1b2c3' };
    await points.save(resumeKey(unnamed, film('Sintel')), { position: 600, duration: 2 * HOUR });
    expect(await points.forRelease(resumeKey(WEB, SINTEL))).toMatchObject({ position: 600, sameCut: false });
  });

  test('of another film stays when one of the same title and year is seen to its end', async () => {
    const { points } = await memory();
    const at = { position: 600, duration: 2 * HOUR };
    const other = film('Sintel', { year: 2010, ids: { tmdb: '2' } });
    await points.save(KEY, at);
    await later();
    await points.save(resumeKey(WEB, other), at);
    await points.clear(filmKey(film('Die Drachenjägerin', { ids: { tmdb: '45745' } })));
    expect(await points.forRelease(KEY)).toBeUndefined();
    expect(await points.forRelease(resumeKey(WEB, other))).toBeDefined();
    expect(await points.forRelease(resumeKey(WEB, film('Sintel', { year: 2010 })))).toBeDefined();
  });

  test('is of no film whose title says nothing', async () => {
    const { points } = await memory();
    await points.save(resumeKey(WEB, film('???', { year: 2010 })), { position: 600, duration: 2 * HOUR });
    expect(await points.forRelease(resumeKey(WEB, film('...', { year: 2010 })))).toBeUndefined();
  });

  test('of a film that was found in two ways is one', async () => {
    const { folder, points } = await memory();
    await points.save(resumeKey(WEB, TYPED), { position: 600, duration: 2 * HOUR });
    await later();
    await points.save(KEY, { position: 900, duration: 2 * HOUR });
    expect(await points.forRelease(resumeKey(WEB, TYPED))).toMatchObject({ position: 900 });
    await points.clear(resumeKey(WEB, TYPED));
    expect(await readdir(join(folder, 'resume'))).toEqual([]);
  });

  test('is of one film, or of one episode of a pack', async () => {
    const { points } = await memory();
    const season = { name: 'Caminandes.S01.1080p-INV', size: GB };
    await points.save(resumeKey(season, episode(1, 1)), { position: 600, duration: HOUR });
    expect(await points.forRelease(resumeKey(season, episode(1, 2)))).toBeUndefined();
    expect(await points.forRelease(resumeKey(season, episode(2, 1)))).toBeUndefined();
    expect(
      await points.forRelease(resumeKey(season, film('Caminandes', { ids: { tmdb: '1001' } }))),
    ).toBeUndefined();
    expect(
      await points.forRelease(resumeKey(season, episode(1, 1, { title: 'Los Caminandes' }))),
    ).toMatchObject({
      sameCut: true,
    });
    expect(await points.forRelease(resumeKey(WEB, film('Sintel', { year: 2024 })))).toBeUndefined();
  });
});

describe('what is kept of resume points', () => {
  test('tells nobody what was watched', async () => {
    const { folder, points } = await memory();
    await points.save(KEY, { position: 600, duration: 2 * HOUR });
    expect(await textOf(folder)).not.toMatch(/sintel|45745|INV/i);
  });

  test('is bounded: films, and releases of one film', async () => {
    const { folder, points } = await memory();
    const at = { position: 600, duration: 2 * HOUR };
    await points.save(KEY, at);
    await crowd(join(folder, 'resume'), 1_502);
    await points.save(resumeKey(WEB, film('Spring')), at);
    expect(await readdir(join(folder, 'resume'))).toHaveLength(1_500);
    expect(await points.forRelease(KEY)).toBeDefined();
    expect(await points.forRelease(resumeKey(WEB, film('Spring')))).toBeDefined();

    for (let n = 0; n < 12; n++) await points.save(resumeKey({ name: `Sintel ${n}` }, SINTEL), at);
    const files = await readdir(join(folder, 'resume'));
    const file = `${KEY.names[0]!.replace('tmdb.', '')}.json`;
    expect(files).toContain(file);
    const text = await readFile(join(folder, 'resume', file), 'utf8');
    expect((JSON.parse(text) as { value: { points: unknown[] } }).value.points).toHaveLength(10);
  });

  test('does not stop a play when it cannot be written', async () => {
    const log = memoryLog();
    const points = openResumePoints({ folder: '/dev/null/nowhere', log });
    await points.save(KEY, { position: 600, duration: 2 * HOUR });
    await points.save(KEY, { position: 31 * 86_400, duration: 0 });
    expect(log.lines).toHaveLength(2);
    expect(log.lines.join()).toContain('a resume point is not kept');
  });
});

describe('a key', () => {
  test('holds no title, and goes through JSON', () => {
    expect(v.parse(ResumeKey, JSON.parse(JSON.stringify(KEY)))).toEqual(KEY);
    expect(v.is(ResumeKey, resumeKey({ name: '' }, film('?')))).toBe(true);
    expect(v.is(ResumeKey, resumeKey({ name: 'x', size: 1.5e15, posted: 8.64e15 }, SINTEL))).toBe(true);
    expect(JSON.stringify(KEY)).not.toMatch(/sintel/i);
  });

  test.each([
    { ...KEY, names: ['tmdb.../../../etc/passwd'] },
    { ...KEY, release: 'x'.repeat(1_000_000) },
    { ...KEY, names: KEY.names.map((name) => name.toUpperCase()) },
    { ...KEY, names: Array.from({ length: 25 }, () => KEY.names[0]) },
    { ...KEY, cut: '0' },
    { release: KEY.release },
  ])('that is none is refused: %#', (key) => {
    expect(v.is(ResumeKey, key)).toBe(false);
  });
});
