import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlipstreamError } from '../../src/errors/index.ts';
import { type Entry, parsePluginEntry, parseScriptEntry } from '../../src/router/entry.ts';
import { ACTIONS } from '../../src/setup/action.ts';

const PLUGIN = 'plugin://plugin.video.slipstream';

const plugin = (route: string, query = '') =>
  parsePluginEntry([`${PLUGIN}${route}`, '1', query, 'resume:false']);
const script = (...pairs: string[]) => parseScriptEntry(['addon.py', 'meta_play', ...pairs]);

function requestOf(entry: Entry) {
  return entry.kind === 'play' ? entry.request : expect.fail('no play');
}

function failureOf(parse: () => unknown): SlipstreamError {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(SlipstreamError);
    return error as SlipstreamError;
  }
  return expect.fail('it did not fail');
}

/** Both ways in, told the same: what comes out is the same request. */
const BOTH: readonly [string, (pairs: Record<string, string>) => Entry][] = [
  ['plugin://', (pairs) => plugin('/play', `?${new URLSearchParams(pairs).toString()}`)],
  [
    'RunScript',
    (pairs) => script(...Object.entries(pairs).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)),
  ],
];

describe.each(BOTH)('%s', (_, enter) => {
  test('a film, with all that TMDbHelper knows', () => {
    const pairs = {
      type: 'movie',
      title: 'Sintel',
      originaltitle: 'Sintel (Durian)',
      year: '2010',
      premiered: '2010-09-27',
      imdb: 'tt1727587',
      tmdb: '45745',
      tvdb: '7',
      plot: 'A girl,\na dragon.',
      poster: 'http://127.0.0.1/p.jpg',
      fanart: 'image://x',
      thumb: 'http://127.0.0.1/t.jpg',
      clearlogo: 'http://127.0.0.1/l.png',
    };
    expect(requestOf(enter(pairs))).toEqual({
      kind: 'movie',
      title: 'Sintel',
      originalTitle: 'Sintel (Durian)',
      year: 2010,
      premiered: '2010-09-27',
      ids: { imdb: 'tt1727587', tmdb: '45745', tvdb: '7' },
      plot: 'A girl,\na dragon.',
      poster: 'http://127.0.0.1/p.jpg',
      fanart: 'image://x',
      thumb: 'http://127.0.0.1/t.jpg',
      clearlogo: 'http://127.0.0.1/l.png',
    });
  });

  test('an episode, with the show’s year and both kinds of ids', () => {
    const pairs = {
      type: 'episode',
      showname: 'Caminandes',
      title: 'Gran Dillama',
      season: '1',
      episode: '02',
      year: '2014',
      showyear: '2013',
      premiered: '2013-11-22',
      imdb: 'tt0000001',
      tmdb: '1',
      tvdb: '2',
      epimdb: 'tt0000003',
      eptmdb: '4',
      eptvdb: '5',
    };
    expect(requestOf(enter(pairs))).toEqual({
      kind: 'episode',
      title: 'Caminandes',
      year: 2013,
      ids: { imdb: 'tt0000001', tmdb: '1', tvdb: '2' },
      episode: {
        season: 1,
        episode: 2,
        title: 'Gran Dillama',
        aired: '2013-11-22',
        ids: { imdb: 'tt0000003', tmdb: '4', tvdb: '5' },
      },
    });
  });

  test.each(['None', '_', '', ' ', '\n', '\0'])('%j is what TMDbHelper does not know', (unknown) => {
    const rest = Object.fromEntries(
      ['originaltitle', 'year', 'premiered', 'imdb', 'tmdb', 'season', 'episode', 'plot', 'poster'].map(
        (key) => [key, unknown],
      ),
    );
    expect(requestOf(enter({ title: 'Sintel', ...rest }))).toEqual({
      kind: 'movie',
      title: 'Sintel',
      ids: {},
    });
    expect(failureOf(() => enter({ title: unknown })).code).toBe('INVALID_REQUEST');
    expect(requestOf(enter({ title: unknown, originaltitle: 'Sintel' }))).toMatchObject({ title: 'Sintel' });
  });

  test.each([
    'None but the Brave',
    '_ and _',
    '100% Wolf',
    '100%25',
    '%',
    '%zz %4',
    '%E9',
    '1+1=2',
    'Rock, Paper',
    'a&b;c?d#e',
    'x=y=z',
    'Größe ☺ 大魚',
    'It\'s "quoted"',
    'C:\\film',
    '../../etc',
  ])('the title %j arrives as it is', (title) => {
    expect(requestOf(enter({ title }))).toMatchObject({ title });
  });

  test.each([
    ['a\0b', 'a b'],
    ['a\r\n\tb', 'a b'],
    ['  a   b  ', 'a b'],
    ['\u001b[31ma\u0085b', '[31ma b'],
  ])('control characters and blanks in %j do not', (title, clean) => {
    expect(requestOf(enter({ title }))).toMatchObject({ title: clean });
  });

  test.each([
    [{ season: '1', episode: '2', showname: 'S' }, 'episode'],
    [{ season: '0', episode: '0', showname: 'S' }, 'episode'],
    [{ type: 'movie', season: '1', episode: '2', title: 'S' }, 'movie'],
    [{ season: '1', title: 'S' }, 'movie'],
    [{ type: 'tv', season: '1', episode: '2', showname: 'S' }, 'episode'],
  ] as const)('%j is of the right kind', (pairs, kind) => {
    expect(requestOf(enter(pairs)).kind).toBe(kind);
  });

  test.each([
    { season: '-1' },
    { season: 'x' },
    { season: '1.5' },
    { season: '123456' },
    { season: 'None' },
    { episode: '' },
  ])('an episode without its numbers is refused: %j', (pairs) => {
    expect(
      failureOf(() => enter({ type: 'episode', showname: 'S', season: '1', episode: '1', ...pairs })).code,
    ).toBe('INVALID_REQUEST');
  });

  test.each([
    [{ imdb: '1727587', tmdb: '0', tvdb: '-5' }, {}],
    [{ imdb: 'tt1727587&x', tmdb: '12345678901', tvdb: '5 ' }, { tvdb: '5' }],
    [{ imdb: 'tt12345' }, {}],
    [{ imdb: 'tt12345678901' }, {}],
    [
      { imdb: 'tt123456', tmdb: '1234567890' },
      { imdb: 'tt123456', tmdb: '1234567890' },
    ],
  ])('ids in another form are left out: %j', (pairs, ids) => {
    expect(requestOf(enter({ title: 'S', ...pairs })).ids).toEqual(ids);
  });

  test.each([
    [{ year: '2010' }, 2010],
    [{ year: '2010-09-27' }, 2010],
    [{ year: 'x', premiered: '2011-01-01' }, 2011],
    [{ year: '1799' }, undefined],
    [{ year: '20101' }, undefined],
    [{ year: '3000' }, undefined],
  ])('the year of %j', (pairs, year) => {
    expect(requestOf(enter({ title: 'S', ...pairs })).year).toBe(year);
  });

  test.each(['2013-13-01', '2013-00-10', '2013-01-32', '22.11.2013', '2013-1-2'])(
    '%s is no date',
    (premiered) => {
      const { episode } = requestOf(enter({ showname: 'S', season: '1', episode: '1', premiered }));
      expect(episode).not.toHaveProperty('aired');
    },
  );

  test('a megabyte in a parameter is cut to what a title, a plot, an address can be', () => {
    for (const piece of ['x', '%', '☺', '\0a']) {
      const value = piece.repeat(1_000_000 / piece.length);
      expect(JSON.stringify(requestOf(enter({ title: `T${value}` }))).length).toBeLessThan(1000);
      expect(JSON.stringify(requestOf(enter({ title: 'T', plot: value }))).length).toBeLessThan(10_000);
      expect(requestOf(enter({ title: 'T', poster: value, year: value, imdb: value }))).toEqual({
        kind: 'movie',
        title: 'T',
        ids: {},
      });
    }
  });

  test('no cut leaves half of a character behind: it could not be searched for', () => {
    for (const before of ['', 'x']) {
      const { title, plot = '' } = requestOf(
        enter({ title: before + '☺😀'.repeat(3000), plot: before + '😀'.repeat(3000) }),
      );
      expect(() => encodeURIComponent(title + plot)).not.toThrow();
    }
  });

  test('whatever comes, it is read or refused with words', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('None', '_', '1', '%', 'tt1234567', '2010-01-01'),
    );
    const key = fc.constantFrom(
      'type',
      'title',
      'showname',
      'season',
      'episode',
      'year',
      'imdb',
      'premiered',
      'plot',
      '__proto__',
      'x',
    );
    fc.assert(
      fc.property(fc.dictionary(key, value), (pairs) => {
        // URLs carry no halves of characters; the next test writes them.
        fc.pre(Object.values(pairs).every((text) => !/\p{Cs}/u.test(text)));
        try {
          expect(requestOf(enter(pairs)).title).not.toBe('');
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
        }
      }),
    );
  });
});

describe('a plugin:// call', () => {
  test.each(['/play', '/play/'])('%s is the play route', (route) => {
    expect(plugin(route, '?title=Sintel').kind).toBe('play');
  });

  test.each([
    ['', 'menu'],
    ['/', 'menu'],
    ['/search', 'search'],
    ['/search/', 'search'],
  ])('"%s" is the %s', (route, kind) => {
    expect(plugin(route, '').kind).toBe(kind);
  });

  test.each(['//', '/PLAY', '/play/x', 'x/play', '/../play', '/play?title=x', `/${'/'.repeat(1_000_000)}x`])(
    'there is no route %#',
    (route) => {
      const error = failureOf(() => plugin(route, '?title=Sintel'));
      expect(error.code).toBe('INVALID_REQUEST');
      expect(error.message.length).toBeLessThan(300);
    },
  );

  test.each([
    [[]],
    [['']],
    [['plugin://plugin.video.other/play', '1', '?title=x']],
    [[`${PLUGIN}/play`]],
    [[`${PLUGIN}/play`, '1', '']],
  ])('is refused without what it needs: %j', (argv) => {
    expect(failureOf(() => parsePluginEntry(argv)).code).toBe('INVALID_REQUEST');
  });

  test.each([
    ['?title=a+b', 'a b'],
    ['?title=a%2Bb', 'a+b'],
    ['title=a%20b', 'a b'],
    ['?title=100%25%20Wolf', '100% Wolf'],
    ['?title=100%2525', '100%25'],
    ['?title=100%&x=1', '100%'],
    ['?title=one&title=two', 'one'],
    ['?title=None&title=two', 'two'],
    ['?title=caf%E9', 'caf\uFFFD'],
    ['?&&=&=x&title=a&', 'a'],
  ])('the title of %s', (query, title) => {
    expect(requestOf(plugin('/play', query))).toMatchObject({ title });
  });
});

describe('a set-up action', () => {
  test.each(ACTIONS)('/setup/%s', (action) => {
    for (const route of [`/setup/${action}`, `/setup/${action}/`])
      expect(plugin(route)).toEqual({ kind: 'action', request: { action } });
  });

  test('names the service, and the page of the settings to go back to', () => {
    expect(plugin('/setup/test', '?service=webdav&back=backends')).toEqual({
      kind: 'action',
      request: { action: 'test', service: 'webdav', back: 'backends' },
    });
  });

  test.each(['?service=nonsense', '?back=../x', `?back=${'x'.repeat(100)}`, '?back=', '?x=y'])(
    'leaves out %s',
    (query) => {
      expect(plugin('/setup/test', query)).toEqual({ kind: 'action', request: { action: 'test' } });
    },
  );

  test.each(['/setup', '/setup/', '/setup/nonsense', '/setup/test/x', '/setup/constructor'])(
    '%s is none',
    (route) => {
      expect(failureOf(() => plugin(route)).code).toBe('INVALID_REQUEST');
    },
  );
});

describe('a RunScript call', () => {
  test.each([
    [['title=a%20b'], 'a b'],
    [['title=a+b'], 'a+b'],
    [['title=100%25'], '100%'],
    [['title=100%2525'], '100%25'],
    [['title=100% Wolf'], '100% Wolf'],
    [['title=100%25 Caf%E9 %C3%A9'], '100% Caf%E9 é'],
    [['title=Rock, Paper'], 'Rock, Paper'],
    [['title=a=b'], 'a=b'],
    [['title=one', 'title=two'], 'one'],
    [['title=None', 'title=two'], 'two'],
    [[' title=a'], 'a'],
    [['verbose', '=x', '', 'title=a'], 'a'],
  ])('the title of %j', (pairs, title) => {
    expect(requestOf(script(...pairs))).toMatchObject({ title });
  });

  test('half of a character, as Python writes bytes that are no text, is replaced', () => {
    expect(requestOf(script('title=caf\udce9'))).toMatchObject({ title: 'caf\uFFFD' });
  });

  test.each([
    [[]],
    [['addon.py']],
    [['addon.py', 'META_PLAY', 'title=x']],
    [['addon.py', 'x'.repeat(1_000_000)]],
    [['addon.py', 'meta_play']],
  ])('is refused without its verb or a title: %#', (argv) => {
    const error = failureOf(() => parseScriptEntry(argv));
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.message.length).toBeLessThan(300);
  });

  test('whatever the arguments are, they are read or refused with words', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' })),
        fc.array(fc.constantFrom('\ud800', '\udc00', '%', '%25', '=', 'title=', 'a')),
        (argv, pieces) => {
          for (const parse of [
            () => parsePluginEntry([`${PLUGIN}/play`, '1', pieces.join('')]),
            () => parsePluginEntry(argv),
            () => parseScriptEntry(argv),
            () => script(`title=${pieces.join('')}`),
          ]) {
            try {
              expect(encodeURIComponent(requestOf(parse()).title)).not.toBe('');
            } catch (error) {
              expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
            }
          }
        },
      ),
    );
  });
});

describe('direct_play', () => {
  const direct = (url: string, title = '') =>
    plugin('/direct_play', `?${new URLSearchParams({ url, title }).toString()}`);

  test.each([
    ['http://127.0.0.1:1/a/Big.Buck.Bunny.mkv', '', 'Big.Buck.Bunny.mkv'],
    ['https://media.test/a%20b.mkv?x=1', '', 'a b.mkv'],
    ['https://media.test/100%.mkv', '', '100%.mkv'],
    ['https://media.test/%00%0a', '', 'media.test'],
    ['https://media.test/', '', 'media.test'],
    ['https://media.test/a', 'Sintel', 'Sintel'],
  ])('%s is called %j → %s', (url, title, shown) => {
    expect(direct(url, title)).toEqual({ kind: 'direct-play', url, title: shown });
  });

  test.each([
    '',
    'None',
    'x',
    'file:///etc/passwd',
    'smb://nas/x',
    'javascript:alert(1)',
    'http://',
    '//host/x',
    `http://h/${'x'.repeat(10_000)}`,
  ])('refuses address %#', (url) => {
    expect(failureOf(() => direct(url)).code).toBe('INVALID_REQUEST');
  });

  test('shows no more of a title than fits', () => {
    expect(direct('http://h.test/a', 'x'.repeat(5000))).toMatchObject({ title: 'x'.repeat(300) });
  });
});
