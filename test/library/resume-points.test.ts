import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ResumeKey, resumeKey, resumePoints } from '../../src/library/index.ts';
import { memoryLog } from '../support/log.ts';
import { crowd, episode, film, GB, newFolder, textOf } from './library.ts';

const SINTEL = film('Sintel', { year: 2010, ids: { tmdb: '45745' } });
const DAY = 86_400_000;
const POSTED = 17_000 * DAY + 3_600_000;
const WEB = { name: 'Sintel.2010.1080p.WEB-DL.H.264-INV', size: 4 * GB, posted: POSTED };
const REMUX = { name: 'Sintel.2010.2160p.BluRay.REMUX-INV', size: 40 * GB, posted: POSTED };
const KEY = resumeKey(WEB, SINTEL);
/** Seconds. */
const HOUR = 3_600;

async function memory() {
  const folder = await newFolder();
  const log = memoryLog();
  return { folder, log, points: resumePoints({ folder, log }) };
}

describe('a resume point', () => {
  test('is there for the next run, for the release that was left', async () => {
    const { folder, log, points } = await memory();
    expect(await points.of(KEY)).toBeUndefined();
    const before = Date.now();
    await points.left(KEY, { position: 1_234.5, duration: 2 * HOUR });
    const point = await resumePoints({ folder, log }).of(KEY);
    expect(point).toMatchObject({ position: 1_234.5, duration: 2 * HOUR, sameRelease: true });
    expect(point?.at).toBeGreaterThanOrEqual(before);
    await points.left(KEY, { position: 2_000, duration: 2 * HOUR });
    expect(await points.of(KEY)).toMatchObject({ position: 2_000 });
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
    await points.left(KEY, { position: 555, duration: 2 * HOUR });
    await points.left(KEY, { position, duration });
    const expected = { set: position, cleared: undefined, 'left as it was': 555 }[outcome];
    expect((await points.of(KEY))?.position).toBe(expected);
  });

  test('goes with the film’s end, and those of its other releases with it', async () => {
    const { folder, points } = await memory();
    await points.left(KEY, { position: 600, duration: 2 * HOUR });
    await points.left(resumeKey(REMUX, SINTEL), { position: 900, duration: 2 * HOUR });
    await points.clear(KEY);
    await points.clear(KEY);
    expect(await points.of(KEY)).toBeUndefined();
    expect(await points.of(resumeKey(REMUX, SINTEL))).toBeUndefined();
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
  ])('is known for its release %s: %o', async (_, fields, isSame) => {
    const { points } = await memory();
    await points.left(KEY, { position: 600, duration: 2 * HOUR });
    const listed = Object.fromEntries(
      Object.entries({ ...WEB, ...fields }).filter(([, value]) => value !== undefined),
    ) as { name: string };
    expect(await points.of(resumeKey(listed, SINTEL))).toMatchObject({ position: 600, sameRelease: isSame });
  });

  test('of another release is told as such, and gives way to the release’s own', async () => {
    const { points } = await memory();
    await points.left(KEY, { position: 600, duration: 2 * HOUR });
    await points.left(resumeKey({ name: 'Sintel.2010.720p-INV' }, SINTEL), { position: 700, duration: 0 });
    const other = resumeKey(REMUX, SINTEL);
    expect(await points.of(other)).toMatchObject({ position: 700, sameRelease: false });
    await points.left(other, { position: 500, duration: 2 * HOUR });
    expect(await points.of(other)).toMatchObject({ position: 500, sameRelease: true });
    expect(await points.of(KEY)).toMatchObject({ position: 600, sameRelease: true });
  });

  test('is of one film, or of one episode of a pack', async () => {
    const { points } = await memory();
    const season = { name: 'Caminandes.S01.1080p-INV', size: GB };
    await points.left(resumeKey(season, episode(1, 1)), { position: 600, duration: HOUR });
    expect(await points.of(resumeKey(season, episode(1, 2)))).toBeUndefined();
    expect(await points.of(resumeKey(season, episode(2, 1)))).toBeUndefined();
    expect(await points.of(resumeKey(season, film('Caminandes', { ids: { tmdb: '1001' } })))).toBeUndefined();
    expect(await points.of(resumeKey(season, episode(1, 1, { title: 'Los Caminandes' })))).toMatchObject({
      sameRelease: true,
    });
    expect(await points.of(resumeKey(WEB, film('Sintel', { year: 2024 })))).toBeUndefined();
  });
});

describe('what is kept of resume points', () => {
  test('tells nobody what was watched', async () => {
    const { folder, points } = await memory();
    await points.left(KEY, { position: 600, duration: 2 * HOUR });
    expect(await textOf(folder)).not.toMatch(/sintel|45745|INV/i);
  });

  test('is bounded: films, and releases of one film', async () => {
    const { folder, points } = await memory();
    const at = { position: 600, duration: 2 * HOUR };
    await points.left(KEY, at);
    await crowd(join(folder, 'resume'), 302);
    await points.left(resumeKey(WEB, film('Spring')), at);
    expect(await readdir(join(folder, 'resume'))).toHaveLength(300);
    expect(await points.of(KEY)).toBeDefined();
    expect(await points.of(resumeKey(WEB, film('Spring')))).toBeDefined();

    for (let n = 0; n < 12; n++) await points.left(resumeKey({ name: `Sintel ${n}` }, SINTEL), at);
    expect(await points.of(resumeKey({ name: 'Sintel 1' }, SINTEL))).toMatchObject({ sameRelease: false });
    expect(await points.of(resumeKey({ name: 'Sintel 2' }, SINTEL))).toMatchObject({ sameRelease: true });
  });

  test('does not stop a play when it cannot be written', async () => {
    const log = memoryLog();
    const points = resumePoints({ folder: '/dev/null/nowhere', log });
    await points.left(KEY, { position: 600, duration: 2 * HOUR });
    await points.left(KEY, { position: 31 * 86_400, duration: 0 });
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
    { film: '../../../etc/passwd', release: KEY.release },
    { film: KEY.film, release: 'x'.repeat(1_000_000) },
    { film: KEY.film.toUpperCase(), release: KEY.release },
    { film: KEY.film },
  ])('that is none is refused: %#', (key) => {
    expect(v.is(ResumeKey, key)).toBe(false);
  });
});
