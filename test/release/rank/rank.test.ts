import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUDIO_FORMATS,
  type Candidate,
  CODECS,
  HDR_FORMATS,
  type Quality,
  RELEASE_SOURCES,
  RESOLUTIONS,
  type Release,
} from '../../../src/model/index.ts';
import { compileFormats } from '../../../src/release/formats/compile.ts';
import {
  CRITERION_IDS,
  type CriterionId,
  NO_LISTS,
  orderText,
  type Preferences,
  preferencesOf,
  rankCandidates,
  rankExplanation,
} from '../../../src/release/index.ts';
import { parseSettings, type Settings } from '../../../src/settings/index.ts';
import { candidate, link, release } from '../candidates.ts';

const preferences = (
  raw: Partial<Record<keyof Settings, string>> = {},
  criteria: CriterionId[] = [],
): Preferences => preferencesOf(parseSettings(raw), { ...NO_LISTS, criteria });

const one = (name: string, quality: Partial<Quality> = {}, fields: Partial<Release> = {}): Candidate =>
  candidate(release({ name, ...fields }, quality));

const names = (candidates: readonly Candidate[]) => candidates.map(({ release: { name } }) => name);

/** One that gives points, so that points count. */
const FORMATS = compileFormats([
  {
    name: 'F',
    score: 1,
    conditions: [{ kind: 'flag', name: 'never', negate: false, required: false }],
  },
]);

/** What the candidates are called, ranked from the last to the first of those given. */
function ranked(candidates: readonly Candidate[], wishes = preferences(), options = {}): string[] {
  return names(rankCandidates(candidates.toReversed(), wishes, options));
}

describe('rankCandidates', () => {
  it('puts resolution before size, unknown last of its kind, rejected last of all', () => {
    const rows = [
      one('2160', { resolution: '2160p' }, { size: 1 }),
      one('1080 large', { resolution: '1080p' }, { size: 2 }),
      one('1080 small', { resolution: '1080p' }, { size: 1 }),
      one('1080 without size', { resolution: '1080p' }),
      one('720', { resolution: '720p' }, { size: 1 }),
      one('no resolution', {}, { size: 99 }),
      { ...one('rejected', { resolution: '2160p' }, { size: 99 }), rejections: ['Too large'] },
    ];
    expect(ranked(rows)).toEqual(names(rows));
  });

  /** By each criterion alone, the best first. */
  const orders: readonly (readonly [CriterionId, readonly Candidate[]])[] = [
    ['camera', [one('b', {}), one('a', { source: 'CAM' })]],
    ['3d', [one('b'), one('a', { threeD: true })]],
    ['format-score', [5, 0, -5].map((score, index) => ({ ...one('cba'.charAt(index)), score }))],
    [
      'resolution',
      [...RESOLUTIONS, undefined].map((resolution, index) =>
        one(String(99 - index), resolution === undefined ? {} : { resolution }),
      ),
    ],
    ['upscaled', [one('b'), one('a', { upscaled: true })]],
    [
      'hdr',
      [
        one('f', { hdr: ['DV', 'HDR10'] }),
        one('e', { hdr: ['HDR10+'] }),
        one('d', { hdr: ['HDR10'] }),
        one('c', { hdr: ['DV'], source: 'WEB-DL' }),
        one('b', { hdr: ['HLG'] }),
        one('a', { hdr: ['SDR'] }),
      ],
    ],
    [
      'remux',
      [one('c', { remux: true, hybrid: true }), one('b', { remux: true }), one('a', { hybrid: true })],
    ],
    [
      'audio',
      [
        one('k', { audio: ['Atmos', 'TrueHD'] }),
        one('j', { audio: ['Atmos', 'DD+'] }),
        one('i', { audio: ['TrueHD'] }),
        one('h', { audio: ['DTS:X'] }),
        one('g', { audio: ['DTS-HD MA', 'DD'] }),
        one('f', { audio: ['DTS-HD'] }),
        one('e', { audio: ['DTS'] }),
        one('d', { audio: ['DD+'] }),
        one('c', { audio: ['AAC'] }),
        one('b', { audio: ['MP3'] }),
        one('a'),
      ],
    ],
    [
      'source',
      [...RELEASE_SOURCES, undefined].map((source, index) =>
        one(String(99 - index), source === undefined ? {} : { source }),
      ),
    ],
    [
      'codec',
      [...CODECS, undefined].map((codec, index) =>
        one(String(99 - index), codec === undefined ? {} : { codec }),
      ),
    ],
    ['proper', [one('c', { revision: 2 }), one('b', { proper: true }), one('a')]],
    ['size', [one('c', {}, { size: 2 }), one('b', {}, { size: 1 }), one('a')]],
    ['bitrate', [{ ...one('c'), bitrate: 2 }, { ...one('b'), bitrate: 1 }, one('a')]],
    ['age', [one('c', {}, { posted: 2 }), one('b', {}, { posted: 1 }), one('a')]],
    ['grabs', [one('c', {}, { grabs: 2 }), one('b', {}, { grabs: 0 }), one('a')]],
  ];

  it.each(orders)('compares by %s', (id, rows) => {
    expect(ranked(rows, { ...preferences({}, [id]), formats: FORMATS })).toEqual(names(rows));
  });

  it('takes no season for the larger one of two, for its size says nothing of the episode', () => {
    const pack = candidate(release({ name: 'pack', size: 9e9 }, { seasons: [1] }));
    const single = candidate(release({ name: 'single', size: 1e9 }, { seasons: [1], episodes: [2] }));
    const names = (sort: 'best' | 'largest') =>
      rankCandidates([pack, single], preferencesOf(parseSettings({ sort_by: sort }))).map(
        (each) => each.release.name,
      );
    expect(names('best')).toEqual(['single', 'pack']);
    expect(names('largest')).toEqual(['pack', 'single']);
  });

  it('compares by what needs a wish of the person', () => {
    const groups = preferences({ preferred_groups_1: 'one', preferred_groups_3: 'three' }, ['tier']);
    const grouped = [one('c', { group: 'One' }), one('b', { group: 'THREE' }), one('a', { group: 'INV' })];
    expect(ranked(grouped, groups)).toEqual(['c', 'b', 'a']);

    const indexers = preferences({ preferred_indexers: 'second, third' }, ['indexer']);
    const listed = [
      one('c', {}, { links: [link(), link({ indexer: 'Second' })] }),
      one('b', {}, { links: [link({ indexer: 'Third' })] }),
      one('a'),
    ];
    expect(ranked(listed, indexers)).toEqual(['c', 'b', 'a']);

    const options = { downloaded: ({ name }: Release) => name === 'b' };
    expect(ranked([one('b'), one('a')], preferences({}, ['downloaded']), options)).toEqual(['b', 'a']);
  });

  it('prefers the language that comes first, and takes MULTi for it', () => {
    const wishes = preferences({ wanted_languages: 'de, en' }, ['language']);
    const rows = [
      one('e', { languages: ['de', 'fr'] }),
      one('f', { languages: ['fr'], multi: true }),
      one('d', { languages: ['en'] }),
      one('c'),
      one('b', { languages: ['fr'] }),
    ];
    expect(ranked(rows, wishes)).toEqual(['e', 'f', 'd', 'b', 'c']);
    expect(ranked(rows, wishes, { originalLanguage: 'de' })).toEqual(['c', 'e', 'f', 'd', 'b']);
    const original = preferences({ wanted_languages: 'original, en' }, ['language']);
    expect(ranked(rows, original)).toEqual(['c', 'f', 'd', 'b', 'e']);
    expect(ranked(rows, original, { originalLanguage: 'fr' })).toEqual(['b', 'c', 'e', 'f', 'd']);
  });

  it('puts what the connection does not sustain behind all that it does, by "best first" only', () => {
    const rows = [
      { ...one('good', { resolution: '1080p' }, { size: 1 }), bitrate: 10e6 },
      one('nobody knows', { resolution: '720p' }),
      { ...one('too much', { resolution: '2160p' }, { size: 2 }), bitrate: 10e6 + 1 },
    ];
    expect(ranked(rows, preferences({ bitrate_limit_mbit: '10' }))).toEqual(names(rows));
    expect(ranked(rows, preferences({ bitrate_limit_mbit: '11' }))[0]).toBe('too much');
    expect(ranked(rows, preferences({ bitrate_limit_mbit: '10', sort_by: 'largest' }))[0]).toBe('too much');
  });

  it('takes what the connection has sustained for the limit where the person has set none', () => {
    const slow = { ...one('slow', { resolution: '720p' }), bitrate: 10e6 };
    const fast = { ...one('fast', { resolution: '2160p' }), bitrate: 20e6 };
    const first = (wishes: Preferences, sustained: number) => ranked([slow, fast], wishes, { sustained })[0];
    expect(first(preferences(), 15e6)).toBe('slow');
    expect(first(preferences(), 20e6)).toBe('fast');
    expect(first(preferences({ bitrate_limit_mbit: '30' }), 15e6)).toBe('fast');
    expect(first(preferences({ sort_by: 'largest' }), 15e6)).toBe('fast');
    // It is put last, and no more than that.
    expect(rankCandidates([fast], preferences(), { sustained: 1 })).toEqual([fast]);
  });

  it.each([
    ['largest', ['c', 'b', 'd', 'a']],
    ['smallest', ['b', 'c', 'd', 'a']],
    ['newest', ['b', 'd', 'c', 'a']],
  ])('sorts by %s, unknown and rejected last', (sort, expected) => {
    const rows = [
      { ...one('a', {}, { size: 1, posted: 9 }), rejections: ['x'] },
      one('b', {}, { size: 2, posted: 3 }),
      one('c', {}, { size: 3 }),
      one('d', {}, { posted: 2 }),
    ];
    expect(ranked(rows, preferences({ sort_by: sort }))).toEqual(expected);
  });

  it('lets names decide between equals, then links, size and date', () => {
    const rows = [
      one('a'),
      one('b', {}, { links: [link({ guid: '1' })], size: 1, posted: 1 }),
      one('b', {}, { links: [link({ guid: '1' })], size: 1, posted: 2 }),
      one('b', {}, { links: [link({ guid: '1' })], size: 2 }),
      one('b', {}, { links: [link({ guid: '2' })] }),
    ];
    const wishes = preferences({}, ['camera']);
    expect(rankCandidates(rows.toReversed(), wishes)).toEqual(rows);
    expect(rankCandidates([...rows.slice(2), ...rows.slice(0, 2)], wishes)).toEqual(rows);
  });

  const anyCandidate = fc
    .record({
      name: fc.constantFrom('a', 'b', 'c'),
      guid: fc.constantFrom('1', '2'),
      resolution: fc.option(fc.constantFrom(...RESOLUTIONS), { nil: undefined }),
      source: fc.option(fc.constantFrom(...RELEASE_SOURCES), { nil: undefined }),
      hdr: fc.subarray([...HDR_FORMATS]),
      audio: fc.subarray([...AUDIO_FORMATS]),
      languages: fc.subarray(['de', 'en', 'fr']),
      size: fc.option(fc.nat(3), { nil: undefined }),
      bitrate: fc.option(fc.nat(3), { nil: undefined }),
      score: fc.integer({ min: -1, max: 1 }),
      rejected: fc.boolean(),
    })
    .map(({ name, guid, size, bitrate, score, rejected, resolution, source, ...quality }) => ({
      ...candidate(
        release(
          { name, links: [link({ guid })], ...(size !== undefined && { size }) },
          { ...quality, ...(resolution && { resolution }), ...(source && { source }) },
        ),
        rejected ? ['x'] : [],
      ),
      ...(bitrate !== undefined && { bitrate }),
      score,
    }));

  it('gives the same list for the same candidates in any order', () => {
    const wishes = fc.record({
      criteria: fc.shuffledSubarray([...CRITERION_IDS]),
      sort_by: fc.constantFrom('best', 'largest', 'smallest', 'newest'),
      wanted_languages: fc.constantFrom('', 'de, en'),
    });
    const shuffled = fc
      .array(anyCandidate, { maxLength: 12 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(
      fc.property(shuffled, wishes, ([list, other], { criteria, ...raw }) => {
        const wish = preferences(raw, criteria);
        const first = rankCandidates(list, wish);
        // Whoever is equal in name, link, size and date is told apart by what counts in the list, or not at all.
        const told = (row: Candidate) => [
          row.release.name,
          row.release.links[0].guid,
          row.release.size,
          rankExplanation(row, wish),
          row.rejections,
        ];
        expect(rankCandidates(other, wish).map(told)).toEqual(first.map(told));
        expect(rankCandidates(first, wish)).toEqual(first);
        expect(new Set(first)).toEqual(new Set(list));
      }),
    );
  });
});

describe('standing', () => {
  it('says by what a candidate was compared, in that order, and leaves out what cannot count or is not so', () => {
    const row = {
      ...one(
        'a',
        { resolution: '2160p', hdr: ['DV', 'HDR10'], audio: ['Atmos'], group: 'INV' },
        { size: 7.4 * 1024 ** 3 },
      ),
      bitrate: 78e6,
    };
    expect(rankExplanation(row, preferences())).toEqual([
      { label: 'Resolution', value: '2160p' },
      { label: 'HDR', value: 'DV, HDR10' },
      { label: 'Sound', value: 'Atmos' },
      { label: 'Source', value: 'not known' },
      { label: 'Size', value: '7.4 GB' },
    ]);
    expect(
      rankExplanation(row, preferences({ bitrate_limit_mbit: '61', preferred_groups_2: 'inv' })).slice(0, 1),
    ).toEqual([{ label: 'Bitrate', value: '78 Mbit/s, above the 61 Mbit/s of the connection' }]);
    expect(rankExplanation(row, preferences(), { sustained: 61e6 })[0]).toEqual({
      label: 'Bitrate',
      value: '78 Mbit/s; your connection sustained 61 Mbit/s',
    });
    expect(rankExplanation(row, preferences({ preferred_groups_2: 'inv' }, ['tier', 'bitrate']))).toEqual([
      { label: 'Preferred groups', value: 'INV (second)' },
      { label: 'Bitrate', value: '78 Mbit/s' },
    ]);
    expect(rankExplanation(row, preferences({ sort_by: 'newest' }))).toEqual([
      { label: 'Date of the post', value: 'not known' },
    ]);
  });

  it('has a value for every criterion, of what is known and of what is not', () => {
    const wishes = {
      ...preferences(
        {
          wanted_languages: 'de',
          preferred_groups_1: 'inv',
          preferred_indexers: 'example',
          bitrate_limit_mbit: '1',
        },
        [...CRITERION_IDS],
      ),
      formats: FORMATS,
    };
    const full = {
      ...one(
        'a',
        {
          threeD: true,
          upscaled: true,
          remux: true,
          hybrid: true,
          source: 'CAM',
          languages: ['de'],
          multi: true,
          revision: 2,
          group: 'INV',
          codec: 'AV1',
        },
        { size: 1e6, posted: 0, grabs: 3 },
      ),
      bitrate: 5e5,
      formats: ['F'],
      score: 1,
    };
    expect(rankExplanation(full, wishes, { downloaded: () => true }).map(({ value }) => value)).toEqual([
      '0.5 Mbit/s, within the 1.0 Mbit/s of the connection',
      'CAM',
      'yes',
      '1 (F)',
      'German, several',
      'not known',
      'yes',
      'not known',
      'hybrid',
      'INV (first)',
      'not known',
      'CAM',
      'AV1',
      'yes',
      '2 times',
      'Example',
      '1 MB',
      '0.5 Mbit/s',
      '1970-01-01',
      '3',
    ]);
    // It is no cinema recording, no 3D, not upscaled, no remux, not there already and was not mended.
    expect(rankExplanation(one('a'), wishes)).toHaveLength(CRITERION_IDS.length + 1 - 6);
    expect(rankExplanation(one('a'), wishes).every(({ value }) => value !== '')).toBe(true);
  });
});

describe('orderText', () => {
  it('names what counts, in a line that fits', () => {
    expect(orderText(preferences())).toBe('Best first: resolution, HDR, remux, sound, source …');
    const sustained = 'what the connection sustains';
    const three: CriterionId[] = ['language', 'tier', 'age'];
    expect(orderText(preferences({ bitrate_limit_mbit: '9', wanted_languages: 'de' }, three))).toBe(
      `Best first: ${sustained}, language, newest`,
    );
    expect(orderText(preferences({}, ['age']), { sustained: 9e6 })).toBe(`Best first: ${sustained}, newest`);
    expect(orderText(preferences({}, ['camera']))).toBe('Best first');
    expect(orderText(preferences({ sort_by: 'smallest' }))).toBe('Smallest first');
  });
});
