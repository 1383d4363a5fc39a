import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Posting, type Release, UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import { groupBy, normalName } from '../../../src/search/match/identity.ts';
import { mergePostings, openMerger } from '../../../src/search/match/merge.ts';
import { type PostFields, posting } from '../posts.ts';

const parseName = (title: string) => ({ ...UNKNOWN_QUALITY, title });
const merge = (postings: readonly Posting[], order: readonly string[] = ['a', 'b', 'c']) =>
  mergePostings(postings, { parseName, order });
const at = (source: string, fields: PostFields = {}) => posting({ source, indexer: source, ...fields });
const SIZE = 4_000_000_000;
const TIME = Date.UTC(2024, 0, 1);
const HOUR = 3_600_000;
const links = (releases: readonly Release[]) =>
  releases.map((release) => release.links.map(({ source, guid }) => `${source}${guid}`).join('+'));

describe('a password in a name', () => {
  const listed = 'Sintel.2010.1080p.WEB.h264-INV {{open sesame}}';

  it('stands by itself, and the name is without it', () => {
    const [release] = merge([at('a', { name: listed })]);
    expect([release?.name, release?.password]).toEqual(['Sintel.2010.1080p.WEB.h264-INV', 'open sesame']);
  });

  it.each([
    'Sintel.2010.1080p.WEB.h264-INV password=open sesame',
    'Sintel.2010.1080p.WEB.h264-INV password=open sesame.nzb',
    'Sintel.2010.1080p.WEB.h264-INV{{open sesame}}.nzb',
  ])('stands at the end, in braces or not: %s', (name) => {
    const [release] = merge([at('a', { name })]);
    expect([release?.name.replace('.nzb', ''), release?.password]).toEqual([
      'Sintel.2010.1080p.WEB.h264-INV',
      'open sesame',
    ]);
  });

  it('is known of a post that others list without it', () => {
    const facts = { size: SIZE, posted: TIME };
    const [release, ...others] = merge([at('a', facts), at('b', { ...facts, name: listed })]);
    expect([release?.name, release?.password]).toEqual(['Sintel.2010.1080p.WEB.h264-INV', 'open sesame']);
    expect([release?.links.length, others]).toEqual([2, []]);
  });

  it.each(['', 'x'.repeat(101), 'two\nlines'])('is none that is none: %j', (password) => {
    const [release] = merge([at('a', { name: `Sintel.2010{{${password}}}` })]);
    expect(release?.password).toBeUndefined();
  });
});

describe('mergePostings', () => {
  it('makes one release of a post that several sources list, with every link', () => {
    const [release, ...others] = merge([
      at('b', {
        size: SIZE + 1000,
        posted: TIME + 60_000,
        grabs: 7,
        passworded: false,
        name: 'sintel 2010 1080p web h264-inv',
      }),
      at('a', { size: SIZE, posted: TIME, grabs: 3, claims: { imdb: 'tt1' } }),
      at('c', {
        size: SIZE,
        posted: TIME,
        poster: 'P <p@x.example>',
        passworded: true,
        claims: { imdb: 'tt2', tmdb: '2' },
      }),
    ]);
    expect(others).toEqual([]);
    expect(release).toEqual({
      name: 'Sintel.2010.1080p.WEB.h264-INV',
      links: [at('a').link, at('b').link, at('c').link],
      size: SIZE,
      posted: TIME,
      grabs: 7,
      passworded: true,
      poster: 'P <p@x.example>',
      claims: { imdb: 'tt1', tmdb: '2' },
      quality: parseName('Sintel.2010.1080p.WEB.h264-INV'),
    });
  });

  it.each<[string, PostFields, PostFields]>([
    ['another size', { size: SIZE, posted: TIME }, { size: SIZE * 1.02, posted: TIME }],
    ['another time', { size: SIZE, posted: TIME }, { size: SIZE, posted: TIME + 3 * HOUR }],
    [
      'another poster',
      { size: SIZE, posted: TIME, poster: 'p@x' },
      { size: SIZE, posted: TIME, poster: 'q@x' },
    ],
    [
      'another name',
      { size: SIZE, posted: TIME },
      { size: SIZE, posted: TIME, name: 'Sintel.2010.1080p.WEB.h264-INW' },
    ],
    [
      'a PROPER',
      { size: SIZE, posted: TIME },
      { size: SIZE, posted: TIME, name: 'Sintel.2010.PROPER.1080p.WEB.h264-INV' },
    ],
    [
      'HDR10+ instead of HDR10',
      { size: SIZE, posted: TIME, name: 'A.HDR10' },
      { size: SIZE, posted: TIME, name: 'A.HDR10+' },
    ],
    ['neither size nor time', {}, {}],
    ['a size that only one tells', { size: SIZE }, {}],
    ['size here and time there', { size: SIZE }, { posted: TIME }],
    ['one poster and nothing else', { poster: 'p@x' }, { poster: 'p@x' }],
    ['a size without times, another poster', { size: SIZE, poster: 'p@x' }, { size: SIZE, poster: 'q@x' }],
  ])('keeps apart: %s', (_, one, other) => {
    expect(links(merge([at('a', one), at('b', other)]))).toHaveLength(2);
  });

  it.each<[string, PostFields, PostFields]>([
    ['sizes within one in a hundred', { size: SIZE, posted: TIME }, { size: SIZE * 1.009, posted: TIME }],
    ['clocks an hour apart', { size: SIZE, posted: TIME }, { size: SIZE, posted: TIME - HOUR }],
    ['a time that only one tells', { size: SIZE, posted: TIME }, { size: SIZE }],
    ['a size that only one tells', { size: SIZE, posted: TIME }, { posted: TIME + HOUR }],
    ['a size and no times', { size: SIZE }, { size: SIZE }],
    [
      'a poster that only one tells',
      { size: SIZE, posted: TIME, poster: 'p@x' },
      { size: SIZE, posted: TIME },
    ],
    [
      'a poster in two spellings',
      { size: SIZE, posted: TIME, poster: 'P <p@x.org>' },
      { size: SIZE, posted: TIME, poster: 'p@X.org (P)' },
    ],
    [
      'an ending',
      { size: SIZE, posted: TIME },
      { size: SIZE, posted: TIME, name: 'Sintel.2010.1080p.WEB.h264-INV.nzb' },
    ],
  ])('brings together: %s', (_, one, other) => {
    expect(links(merge([at('a', one), at('b', other)]))).toEqual(['a1+b1']);
  });

  it('takes one id and one name at one indexer for one post, whatever else is said', () => {
    const one = posting({ source: 'a', size: SIZE, posted: TIME });
    const other = posting({ source: 'b', size: SIZE * 2, name: 'sintel 2010 1080p web h264-inv.nzb' });
    expect(links(merge([one, other]))).toEqual(['a1+b1']);
  });

  it.each<[string, PostFields, PostFields]>([
    ['other names and sizes', { size: SIZE }, { size: SIZE * 2 }],
    ['other names and times', { posted: TIME }, { posted: TIME + 3 * HOUR }],
    ['one size at another time', { size: SIZE, posted: TIME }, { size: SIZE, posted: TIME + 3 * HOUR }],
    ['another size at one time', { size: SIZE, posted: TIME }, { size: SIZE * 2, posted: TIME }],
    ['other names and nothing to compare', { size: SIZE }, { posted: TIME }],
  ])("keeps apart one id at two sources' indexers of one name: %s", (_, one, other) => {
    const spring = posting({ source: 'b', name: 'Spring.2019.2160p.WEB-DL-INV', ...other });
    expect(links(merge([posting({ source: 'a', ...one }), spring])).sort()).toEqual(['a1', 'b1']);
  });

  it('takes one id under another name for one post where two sources tell one size or time', () => {
    const renamed = (fields: PostFields) =>
      links(
        merge([
          posting({ source: 'a', ...fields }),
          posting({ source: 'b', name: 'Sintel 2010', ...fields }),
        ]),
      );
    expect(renamed({ size: SIZE })).toEqual(['a1+b1']);
    expect(renamed({ posted: TIME })).toEqual(['a1+b1']);
  });

  it('takes one id of one source for one post under any name, until size or time contradicts', () => {
    const one = at('a', { size: SIZE, url: 'http://a.example/one' });
    const other = (fields: PostFields) =>
      links(merge([one, at('a', { name: 'Sintel 2010', url: 'http://a.example/two', ...fields })]));
    expect(other({})).toEqual(['a1+a1']);
    expect(other({ posted: TIME })).toEqual(['a1+a1']);
    expect(other({ size: SIZE * 2 })).toEqual(['a1', 'a1']);
  });

  it('gives each film its own links where two indexers share name and id', () => {
    const at12345 = (source: string, name: string, size: number) =>
      posting({ source, indexer: 'Indexer', guid: '12345', name, size });
    const releases = merge([
      at12345('a', 'Sintel.2010.1080p.BluRay-INV', SIZE),
      at12345('b', 'Spring.2019.2160p.WEB-DL-INV', SIZE * 2),
      at('c', { name: 'Spring.2019.2160p.WEB-DL-INV', size: SIZE * 2 }),
    ]);
    expect(releases.map(({ name }) => name)).toEqual([
      'Sintel.2010.1080p.BluRay-INV',
      'Spring.2019.2160p.WEB-DL-INV',
    ]);
    expect(links(releases)).toEqual(['a12345', 'b12345+c1']);
  });

  it('tells nothing by an id that an indexer gives to everything', () => {
    const films = Array.from({ length: 40 }, (_, index) => at('a', { name: `Film ${index}`, size: SIZE }));
    expect(merge(films)).toHaveLength(films.length);
  });

  it('takes two ids of one indexer for two posts, however alike they are', () => {
    const alike = { size: SIZE, posted: TIME };
    expect(links(merge([at('a', { guid: '1', ...alike }), at('a', { guid: '2', ...alike })]))).toEqual([
      'a1',
      'a2',
    ]);
  });

  it('lets exact agreement decide between two posts that are alike', () => {
    const reposts = (source: string) => [
      at(source, { guid: '1', size: SIZE, posted: TIME }),
      at(source, { guid: '2', size: SIZE + 5000, posted: TIME + HOUR }),
    ];
    expect(links(merge([...reposts('a'), ...reposts('b')]))).toEqual(['a1+b1', 'a2+b2']);
  });

  it('leaves alone what could be either of two posts', () => {
    const reposts = [
      at('a', { guid: '1', size: SIZE, posted: TIME }),
      at('a', { guid: '2', size: SIZE, posted: TIME + 24 * HOUR }),
    ];
    expect(links(merge([...reposts, at('b', { size: SIZE })]))).toEqual(['a1', 'a2', 'b1']);
  });

  it('leaves alone two that both fit one post but are two', () => {
    const two = [at('b', { guid: '1', size: SIZE }), at('b', { guid: '2', size: SIZE })];
    expect(links(merge([at('a', { size: SIZE, posted: TIME }), ...two]))).toEqual(['a1', 'b1', 'b2']);
  });

  it('lists the same address once', () => {
    const same = { url: 'http://x.example/1', size: SIZE, posted: TIME };
    expect(links(merge([at('a', same), at('b', same)]))).toEqual(['a1']);
  });

  it('leaves a release as it is to which nothing was added', () => {
    const merger = openMerger({ parseName });
    merger.add([at('a', { size: SIZE }), at('a', { guid: '2', name: 'Spring.2019' })]);
    const [sintel, spring] = merger.releases();
    merger.add([at('b', { size: SIZE })]);
    expect(merger.releases()[0]?.links).toHaveLength(2);
    expect(merger.releases()[0]).not.toBe(sintel);
    expect(merger.releases()[1]).toBe(spring);
  });
});

/** Few values, so that many agree, nearly agree and just do not. */
const anyPosting: fc.Arbitrary<Posting> = fc
  .record(
    {
      name: fc.constantFrom('Sintel.2010', 'sintel 2010', 'Spring.2019'),
      source: fc.constantFrom('a', 'b', 'c'),
      indexer: fc.constantFrom('X', 'Y', 'Z'),
      guid: fc.constantFrom('1', '2', '3', '4'),
      size: fc.constantFrom(SIZE, SIZE * 1.005, SIZE * 1.012, SIZE * 2),
      posted: fc.constantFrom(TIME, TIME + HOUR, TIME + 3 * HOUR, TIME + 50 * HOUR),
      poster: fc.constantFrom('p@x', 'q@x'),
      grabs: fc.nat(9),
    },
    { requiredKeys: ['name', 'source', 'indexer', 'guid'] },
  )
  .map((fields) => posting(fields));

describe('any merge', () => {
  it('does not depend on the order', () => {
    fc.assert(
      fc.property(
        fc
          .array(anyPosting, { maxLength: 30 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(merge(shuffled)).toEqual(merge(all));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is the same when the listings come one after the other', () => {
    fc.assert(
      fc.property(fc.array(anyPosting, { maxLength: 30 }), fc.nat(30), (all, at) => {
        const merger = openMerger({ parseName, order: ['a', 'b', 'c'] });
        merger.add(all.slice(0, at));
        merger.releases();
        for (const each of all.slice(at)) merger.add([each]);
        expect(merger.releases()).toEqual(merge(all));
      }),
      { numRuns: 300 },
    );
  });

  it('loses no address', () => {
    fc.assert(
      fc.property(fc.array(anyPosting, { maxLength: 30 }), (all) => {
        const releases = merge(all);
        const urls = new Set(releases.flatMap((release) => release.links.map(({ url }) => url)));
        expect(urls).toEqual(new Set(all.map(({ link }) => link.url)));
      }),
    );
  });

  it('never brings two names together under one id where sizes or times contradict', () => {
    const oneId = anyPosting.map((each) => ({
      ...each,
      link: { ...each.link, indexer: 'X', guid: '1', url: `${each.link.url}?${JSON.stringify(each)}` },
    }));
    fc.assert(
      fc.property(fc.array(oneId, { maxLength: 12 }), (all) => {
        for (const { links: own } of merge(all)) {
          const posts = all.filter(({ link }) => own.some(({ url }) => url === link.url));
          const names = groupBy(posts, ({ name }) => normalName(name));
          // The preferred source's listing speaks for its name.
          const known = (key: 'size' | 'posted') =>
            [...names.values()].map((named) => merge(named)[0]?.[key]).filter((each) => each !== undefined);
          const [sizes, times] = [known('size'), known('posted')];
          if (sizes.length > 1) expect(Math.max(...sizes)).toBeLessThanOrEqual(Math.min(...sizes) * 1.01);
          if (times.length > 1) expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(2 * HOUR);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never brings together what contradicts itself', () => {
    const distinct = fc.uniqueArray(anyPosting, {
      maxLength: 30,
      selector: ({ link }) => `${link.indexer} ${link.guid}`,
    });
    fc.assert(
      fc.property(distinct, (some) => {
        // One address is one link, which then stands for several listings.
        const all = [...new Map(some.map((posting) => [posting.link.url, posting])).values()];
        for (const release of merge(all)) expectOnePost(release, all);
      }),
      { numRuns: 300 },
    );
  });
});

function expectOnePost({ links: own }: Release, all: readonly Posting[]): void {
  const posts = all.filter(({ link }) =>
    own.some((each) => each.guid === link.guid && each.indexer === link.indexer),
  );
  const known = <K extends keyof Posting>(key: K) =>
    posts.map((post) => post[key]).filter((each) => each !== undefined);
  const sizes = known('size');
  const times = known('posted');
  expect(new Set(posts.map(({ name }) => name.toLowerCase().replaceAll('.', ' '))).size).toBe(1);
  expect(new Set(known('poster')).size).toBeLessThanOrEqual(1);
  if (sizes.length > 0) expect(Math.max(...sizes)).toBeLessThanOrEqual(Math.min(...sizes) * 1.01);
  if (times.length > 0) expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(2 * HOUR);
  const places = posts.map(({ link }) => `${link.source} ${link.indexer}`);
  expect(new Set(places).size).toBe(places.length);
  // Each agrees with another one in size or in time.
  if (posts.length > 1) {
    for (const post of posts) {
      const others = posts.filter((other) => other !== post);
      expect(
        others.some(({ size, posted }) => Boolean(size && post.size) || Boolean(posted && post.posted)),
      ).toBeTruthy();
    }
  }
}
