import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBrokenReleases } from '../../src/library/index.ts';
import type { Release } from '../../src/model/index.ts';
import { memoryLog } from '../support/log.ts';
import { crowd, episode, film, GB, job, newFolder, release, textOf } from './library.ts';

const SINTEL = film('Sintel', { year: 2010 });
const NAME = 'Sintel.2010.1080p.WEB-INV';
const DAY = 86_400_000;
const LOST = { code: 'DAMAGED', broken: true } as const;

const listed = (indexer: string, fields: Partial<Omit<Release, 'quality' | 'links'>> = {}) =>
  release(fields.name ?? NAME, {
    size: 4 * GB,
    ...fields,
    links: [{ url: 'http://indexer.example/get?apikey=canary', guid: 'g', indexer, source: 's' }],
  });

/** Opens the memory of one folder, for a film unless told otherwise, at a time that can be set. */
async function memory() {
  const folder = await newFolder();
  const log = memoryLog();
  const at = { now: 1_000 * DAY };
  const open = (request = SINTEL, backend = 'nzbdav') =>
    openBrokenReleases(request, backend, { folder, log, now: () => at.now });
  return { folder, log, at, open, place: join(folder, 'broken') };
}

describe('a release that proved broken', () => {
  test('is known by the next process, with the time', async () => {
    const { open, at } = await memory();
    await (await open()).recordFailure({ release: listed('Example') }, LOST);
    expect((await open()).failedAt(listed('Example'))).toBe(at.now);
  });

  test.each<[string, Release, boolean]>([
    ['in another spelling', listed('Example', { name: 'sintel 2010 1080p web inv' }), true],
    ['of nearly its size', listed('Example', { size: 4.03 * GB }), true],
    ['whose size is not told', release(NAME, { links: listed('Example').links }), true],
    ['of another size', listed('Example', { size: 4.1 * GB }), false],
    ['of another name', listed('Example', { name: 'Sintel.2010.720p.WEB-INV' }), false],
    ['of another indexer', listed('Other'), false],
  ])('is, or is not, the one %s', async (_, other, same) => {
    const { open } = await memory();
    await (await open()).recordFailure({ release: listed('Example') }, LOST);
    expect((await open()).failedAt(other) !== undefined).toBe(same);
  });

  test('is any post that one of its indexers lists', async () => {
    const { open } = await memory();
    const [first] = listed('Example').links;
    const merged = release(NAME, { size: 4 * GB, links: [first, ...listed('Other').links] });
    await (await open()).recordFailure({ release: merged }, LOST);
    expect((await open()).failedAt(listed('Other'))).toBeDefined();
  });

  test('is forgotten after seven days, also on disk', async () => {
    const { open, at, place } = await memory();
    await (await open()).recordFailure({ release: listed('Example') }, LOST);
    at.now += 7 * DAY - 1;
    expect((await open()).failedAt(listed('Example'))).toBeDefined();
    at.now += 1;
    expect((await open()).failedAt(listed('Example'))).toBeUndefined();
    expect(await readdir(place)).toEqual([]);
  });

  test('is forgotten when it plays', async () => {
    const { open } = await memory();
    const broken = await open();
    await broken.recordFailure({ release: listed('Example') }, LOST);
    await broken.recordPlayed(listed('Example'));
    expect(broken.failedAt(listed('Example'))).toBeUndefined();
    expect((await open()).failedAt(listed('Example'))).toBeUndefined();
  });

  test.each(['JOB_FAILED', 'NO_VIDEO', 'DAMAGED', 'NZB_INVALID', 'PREPARE_FAILED'] as const)(
    'is none by a failure that proves nothing: %s',
    async (code) => {
      const { open, folder } = await memory();
      const broken = await open();
      await broken.recordFailure({ release: listed('Example') }, { code, broken: false });
      await broken.recordFailure({ job: job(NAME) }, { code, broken: false });
      expect(broken.failedAt(listed('Example'))).toBeUndefined();
      expect(broken.isBroken(job(NAME))).toBe(false);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  test('is none that an add-on plays, for its service may choose another post', async () => {
    const { open } = await memory();
    const [link] = listed('Example').links;
    const own = release(NAME, { links: [{ ...link, plays: true }] });
    const broken = await open();
    await broken.recordFailure({ release: own }, LOST);
    expect(broken.failedAt(own)).toBeUndefined();
  });
});

describe('a season pack', () => {
  const PACK = release('Caminandes.S01.1080p-INV', { size: 9 * GB });

  test.each(['NO_VIDEO', 'DAMAGED', 'NZB_INVALID'] as const)(
    'that failed with %s is broken for that episode only',
    async (code) => {
      const { open } = await memory();
      await (await open(episode(1, 5))).recordFailure({ release: PACK }, { code, broken: true });
      expect((await open(episode(1, 5))).failedAt(PACK)).toBeDefined();
      expect((await open(episode(1, 6))).failedAt(PACK)).toBeUndefined();
    },
  );

  test('whose job failed is broken for all of them', async () => {
    const { open } = await memory();
    await (await open(episode(1, 5))).recordFailure({ release: PACK }, { code: 'JOB_FAILED', broken: true });
    expect((await open(episode(1, 6))).failedAt(PACK)).toBeDefined();
  });
});

describe('a finished job that proved broken', () => {
  test('is left alone for as long as it is there', async () => {
    const { open, at } = await memory();
    await (await open()).recordFailure({ job: job(NAME, { id: '7' }) }, LOST);
    at.now += 400 * DAY;
    expect((await open()).isBroken(job(NAME, { id: '7' }))).toBe(true);
  });

  test('is not another one of its name, of its id, or of another backend', async () => {
    const { open } = await memory();
    await (await open()).recordFailure({ job: job(NAME, { id: '7' }) }, LOST);
    const broken = await open();
    expect(broken.isBroken(job(NAME, { id: '8' }))).toBe(false);
    expect(broken.isBroken(job('Sintel.2010.720p', { id: '7' }))).toBe(false);
    expect((await open(SINTEL, 'other')).isBroken(job(NAME, { id: '7' }))).toBe(false);
  });
});

describe('on disk', () => {
  test('stands no name of a release, no link and no key', async () => {
    const { open, folder } = await memory();
    const broken = await open();
    await broken.recordFailure({ release: listed('Example') }, LOST);
    await broken.recordFailure({ job: job(NAME) }, LOST);
    const text = await textOf(folder);
    expect(text).toContain('Example');
    expect(text).not.toMatch(/sintel|canary|http/i);
  });

  test('stand the latest 300', async () => {
    const { open, place } = await memory();
    const broken = await open();
    await broken.recordFailure({ release: listed('Example') }, LOST);
    await crowd(place, 310);
    await broken.recordFailure({ release: listed('Other') }, LOST);
    expect(await readdir(place)).toHaveLength(300);
    expect((await open()).failedAt(listed('Other'))).toBeDefined();
  });

  test('counts as absent what is damaged, and nothing fails where nothing can be written', async () => {
    const { open, place, folder, log } = await memory();
    await (await open()).recordFailure({ release: listed('Example') }, LOST);
    const [file = ''] = await readdir(place);
    writeFileSync(join(place, file), '{"version":1,"value":{"kind":"release"}}');
    expect((await open()).failedAt(listed('Example'))).toBeUndefined();
    mkdirSync(join(folder, 'else'));
    writeFileSync(join(folder, 'else', 'broken'), '');
    const nowhere = await openBrokenReleases(SINTEL, 'nzbdav', { folder: join(folder, 'else'), log });
    await nowhere.recordFailure({ release: listed('Example') }, LOST);
    expect(log.lines.join('\n')).toContain('is not remembered');
    expect(nowhere.failedAt(listed('Example'))).toBeDefined();
  });
});
