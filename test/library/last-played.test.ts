import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  openLastPlayed,
  type PlayedRelease,
  packAsRelease,
  preferredCandidate,
} from '../../src/library/index.ts';
import { memoryLog } from '../support/log.ts';
import { candidate, crowd, episode, film, newFolder, parseName, release } from './library.ts';

const KEY = 'a'.repeat(32);

describe('what was played last', () => {
  test('is remembered for the show, whichever episode is next, by the next run too', async () => {
    const folder = await newFolder();
    const log = memoryLog();
    const memory = openLastPlayed({ folder, log });
    expect(await memory.find(episode(1, 2))).toBeUndefined();
    await memory.record(episode(1, 1), release('Caminandes.S01E01.720p.HDTV-VNI'));
    await memory.record(episode(1, 2), release('Caminandes.S01E02.1080p.BluRay.REMUX.AVC-INV'), KEY);
    const next = openLastPlayed({ folder, log });
    expect(await next.find(episode(2, 1))).toEqual({
      name: 'Caminandes.S01E02.1080p.BluRay.REMUX.AVC-INV',
      group: 'INV',
      resolution: '1080p',
      source: 'BluRay',
      remux: true,
      pack: KEY,
    });
    expect(await next.find(episode(1, 1, { ids: { tmdb: '2002' } }))).toBeUndefined();
    expect(await readdir(join(folder, 'last-played'))).toHaveLength(1);
    expect(log.lines).toEqual([]);
  });

  test('knows a remembered pack by its row', async () => {
    const memory = openLastPlayed({ folder: await newFolder(), log: memoryLog() });
    const row = packAsRelease(
      { key: KEY, release: { name: 'Caminandes.S01-INV', indexer: 'Example' } },
      parseName,
    );
    await memory.record(episode(1, 1), row);
    expect(await memory.find(episode(1, 2))).toMatchObject({ pack: KEY });
  });

  test('is nothing for a film', async () => {
    const folder = await newFolder();
    const memory = openLastPlayed({ folder, log: memoryLog() });
    await memory.record(film('Sintel'), release('Sintel.2010.1080p-INV'));
    expect(await memory.find(film('Sintel'))).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  test('is bounded, and stops no play when it cannot be written', async () => {
    const folder = await newFolder();
    const memory = openLastPlayed({ folder, log: memoryLog() });
    await memory.record(episode(1, 1), release('Caminandes.S01E01-INV'));
    await crowd(join(folder, 'last-played'), 302);
    await memory.record(episode(1, 1, { ids: { tmdb: '2002' } }), release('Caminandes.S01E01-INV'));
    expect(await readdir(join(folder, 'last-played'))).toHaveLength(300);
    const log = memoryLog();
    await openLastPlayed({ folder: '/dev/null/nowhere', log }).record(
      episode(1, 1),
      release('Caminandes.S01E01-INV'),
    );
    expect(log.lines.join()).toContain('what was played last is not remembered');
  });
});

const LAST: PlayedRelease = {
  name: 'Caminandes.S01E01.1080p.WEB-DL.H.264-INV',
  group: 'INV',
  resolution: '1080p',
  source: 'WEB-DL',
  remux: false,
};
const single = (name: string, rejections: readonly string[] = []) => candidate(release(name), rejections);
const packRow = (key: string, rejections: readonly string[] = []) =>
  candidate(
    packAsRelease({ key, release: { name: 'Caminandes.S01.720p.HDTV-VNI', indexer: 'Example' } }, parseName),
    rejections,
  );

const BEST = single('Caminandes.S01E02.2160p.BluRay-VNI');
const ALIKE = single('Caminandes.S01E02.1080p.WEB-DL.H.265-inv');

describe('the next episode', () => {
  test.each([
    ['the best, when nothing was played before', [BEST, ALIKE], undefined, 0],
    ['that of the same group and quality', [BEST, ALIKE], LAST, 1],
    ['the better of two such', [BEST, single('Caminandes.S01E02.REPACK.1080p.WEB-DL-INV'), ALIKE], LAST, 1],
    ['the best, when no group was known', [BEST, ALIKE], { ...LAST, group: undefined }, 0],
    [
      'the best, when nobody has a group',
      [BEST, single('Caminandes.S01E02.1080p')],
      { ...LAST, group: undefined },
      0,
    ],
    [
      'the best, when the group has another resolution only',
      [BEST, single('Caminandes.S01E02.720p.WEB-DL-INV')],
      LAST,
      0,
    ],
    [
      'the best, when the group has another source only',
      [BEST, single('Caminandes.S01E02.1080p.BluRay-INV')],
      LAST,
      0,
    ],
    [
      'the best, when the group has a remux only',
      [BEST, single('Caminandes.S01E02.1080p.BluRay.REMUX-INV')],
      { ...LAST, source: 'BluRay' },
      0,
    ],
    ['the best, when what is alike was rejected', [BEST, single(ALIKE.release.name, ['Too large'])], LAST, 0],
    ['the first that passed', [single('Caminandes.S01E02.2160p-VNI', ['Too large']), BEST], LAST, 1],
    ['nothing, when all were rejected', [single('Caminandes.S01E02.2160p-VNI', ['Too large'])], LAST, -1],
    ['nothing of nothing', [], LAST, -1],
    ['the same pack before all', [BEST, ALIKE, packRow(KEY)], { ...LAST, pack: KEY }, 2],
    [
      'the same pack though the filters reject it',
      [BEST, ALIKE, packRow(KEY, ['Too small'])],
      { ...LAST, pack: KEY },
      2,
    ],
    ['not another pack', [BEST, ALIKE, packRow('b'.repeat(32))], { ...LAST, pack: KEY }, 1],
    ['what is alike, when the pack does not hold the episode', [BEST, ALIKE], { ...LAST, pack: KEY }, 1],
    ['another pack, when it is ranked first', [packRow('b'.repeat(32)), BEST], { ...LAST, pack: KEY }, 0],
  ])('is %s', (_, candidates, last, expected) => {
    const { group, ...rest } = last ?? {};
    const played = last && ({ ...rest, ...(group !== undefined && { group }) } as PlayedRelease);
    expect(preferredCandidate(candidates, played, [{ key: KEY }])).toBe(candidates[expected]);
  });

  test('is never a row that only claims to be the pack', () => {
    const last = { ...LAST, pack: KEY };
    expect(preferredCandidate([BEST, packRow(KEY)], last, [])).toBe(BEST);
  });

  test('is one of the candidates, rejected only as the same pack, and nothing only when nothing passed', () => {
    const candidates = fc.array(
      fc
        .tuple(fc.constantFrom('INV', 'VNI', KEY), fc.constantFrom('1080p', '720p'), fc.boolean())
        .map(([who, resolution, rejected]) => {
          const rejections = rejected ? ['Too large'] : [];
          return who === KEY
            ? packRow(KEY, rejections)
            : single(`Caminandes.S01E02.${resolution}.WEB-DL-${who}`, rejections);
        }),
      { maxLength: 8 },
    );
    const lasts = fc.option(fc.constantFrom(LAST, { ...LAST, pack: KEY }), { nil: undefined });
    fc.assert(
      fc.property(candidates, lasts, (list, last) => {
        const next = preferredCandidate(list, last, [{ key: KEY }]);
        const passed = list.filter(({ rejections }) => rejections.length === 0);
        const isPack = next?.release.links[0].guid === KEY && last !== undefined && 'pack' in last;
        if (next === undefined) expect(passed).toEqual([]);
        else expect(isPack ? list : passed).toContain(next);
      }),
    );
  });
});
