import { describe, expect, test } from 'vitest';
import { type Candidate, type Quality, type Release, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import { pickerRow } from '../../src/selection/picker-row.ts';

const DAY = 86_400_000;
const NOW = 10_000 * DAY;

function rowOf(
  quality: Partial<Quality> = {},
  release: Partial<Omit<Release, 'quality'>> = {},
  candidate: Partial<Candidate> = {},
) {
  const made: Release = {
    name: 'Sintel.2010-OPEN',
    links: [
      { url: 'http://127.0.0.1/?apikey=k3y', guid: '1', indexer: 'Example', source: 'a' },
      { url: 'http://127.0.0.1/?apikey=k3y', guid: '2', indexer: 'Other', source: 'b' },
      { url: 'http://127.0.0.1/?apikey=k3y', guid: '3', indexer: 'Example', source: 'c' },
    ],
    quality: { ...UNKNOWN_QUALITY, ...quality },
    ...release,
  };
  return pickerRow(
    { release: made, rejections: [], formats: [], score: 0, ...candidate },
    { id: '7', now: NOW, downloaded: false },
  );
}

const badgesOf = (quality: Partial<Quality>) =>
  rowOf(quality).badges.map(({ kind, text }) => `${kind}: ${text}`);

describe('the badges of a row', () => {
  test('say what the name says, the most important first', () => {
    const badges = badgesOf({
      resolution: '2160p',
      source: 'BluRay',
      remux: true,
      hdr: ['DV', 'HDR10'],
      codec: 'HEVC',
      audio: ['Atmos', 'TrueHD', 'DD'],
      channels: ['5.1', '7.1'],
      editions: ["Director's Cut", 'IMAX'],
    });
    expect(badges).toEqual([
      'resolution: 2160p',
      'source: BluRay Remux',
      'hdr: DV',
      'hdr: HDR10',
      'codec: HEVC',
      'audio: Atmos TrueHD 7.1',
      "edition: Director's Cut",
    ]);
  });

  test.each<[Partial<Quality>, string]>([
    [{ source: 'DVD', disc: true }, 'source: DVD disc'],
    [{ disc: true }, 'source: disc'],
    [{ channels: ['2.0'] }, 'audio: 2.0'],
    [{ editions: ["Collector's Edition"] }, "edition: Collector's"],
    [{ threeD: true, revision: 1 }, 'edition: 3D'],
    [{ upscaled: true }, 'edition: Upscaled'],
    [{ hybrid: true }, 'edition: Hybrid'],
    [{ proper: true, revision: 2 }, 'edition: Proper'],
  ])('of %j: %s', (quality, badge) => {
    expect(badgesOf(quality)).toEqual([badge]);
  });

  test('are none when the name says nothing', () => {
    expect(badgesOf({})).toEqual([]);
  });
});

describe('the facts of a row', () => {
  test.each([
    [7.43 * 2 ** 30, '7.4 GB'],
    [1023.5 * 2 ** 20, '1.0 GB'],
    [1023.4 * 2 ** 20, '1023 MB'],
    [890.4 * 2 ** 20, '890 MB'],
    [10, '1 MB'],
    [undefined, ''],
  ])('a size of %s bytes: %s', (size, shown) => {
    expect(rowOf({}, size === undefined ? {} : { size }).size).toBe(shown);
  });

  test.each([
    [81_400_000, '81 Mbit/s'],
    [3_160_000, '3.2 Mbit/s'],
    [undefined, ''],
  ])('%s bits per second: %s', (bitrate, shown) => {
    expect(rowOf({}, {}, bitrate === undefined ? {} : { bitrate }).bitrate).toBe(shown);
  });

  test.each([
    [-DAY, 'today'],
    [DAY - 1, 'today'],
    [3.9 * DAY, '3 d'],
    [364 * DAY, '364 d'],
    [547.5 * DAY, '1.5 y'],
    [undefined, ''],
  ])('%s ms old: %s', (age, shown) => {
    expect(rowOf({}, age === undefined ? {} : { posted: NOW - age }).age).toBe(shown);
  });

  test.each<[Partial<Quality>, string]>([
    [{ languages: ['de', 'en'] }, 'DE EN'],
    [{ multi: true, dual: true, languages: ['fr'] }, 'MULTi FR'],
    [{ dual: true }, 'DUAL'],
    [{}, ''],
  ])('languages of %j: %s', (quality, shown) => {
    expect(rowOf(quality).languages).toBe(shown);
  });

  test.each<[Partial<Quality>, boolean]>([
    [{ complete: true }, true],
    [{ seasons: [1] }, true],
    [{ seasons: [1], episodes: [2] }, false],
    [{ episodes: [2] }, false],
    [{}, false],
  ])('a season pack by %j: %s', (quality, pack) => {
    expect(rowOf(quality).pack).toBe(pack);
  });

  test('who lists it first, who made it, and its marks', () => {
    expect(rowOf({ group: 'OPEN', complete: true })).toMatchObject({
      id: '7',
      name: 'Sintel.2010-OPEN',
      indexer: 'Example',
      group: 'OPEN',
      pack: true,
      downloaded: false,
      rejections: [],
    });
  });
});

describe('the details of a row', () => {
  test('tell what the row has no room for, and only what is known', () => {
    const { details } = rowOf(
      {
        audio: ['Atmos', 'TrueHD', 'DD'],
        channels: ['7.1'],
        container: 'mkv',
        bitDepth: 10,
        dolbyVisionProfile: '8.1',
      },
      { posted: NOW - 3 * DAY, grabs: 1234, passworded: true },
      { formats: ['Remux', 'Hybrid'], score: 150 },
    );
    expect(details).toEqual([
      { label: 'Audio', value: 'Atmos, TrueHD, DD, 7.1' },
      { label: 'Bit depth', value: '10 bit' },
      { label: 'Dolby Vision', value: 'profile 8.1' },
      { label: 'Container', value: 'MKV' },
      { label: 'Formats', value: 'Remux, Hybrid (150 points)' },
      { label: 'Posted', value: '3 d ago' },
      { label: 'Indexers', value: 'Example, Other' },
      { label: 'Grabs', value: '1,234' },
      { label: 'Password', value: 'yes' },
    ]);
    expect(rowOf().details).toEqual([{ label: 'Indexers', value: 'Example, Other' }]);
  });

  test('hold no link', () => {
    expect(JSON.stringify(rowOf())).not.toContain('k3y');
  });
});
