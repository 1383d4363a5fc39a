import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yieldEvery } from '../../../../src/io/wait.ts';
import { readFeed } from '../../../../src/search/sources/newznab/feed-document.ts';
import { indexerDialect, postingsOf } from '../../../../src/search/sources/newznab/feed-postings.ts';
import { feed, item } from './server.ts';

const context = {
  source: 'source-1',
  url: 'https://indexer.example/api?t=search',
  address: { base: 'https://indexer.example' },
  dialect: indexerDialect('Example'),
};
const giveWay = yieldEvery(4, new AbortController().signal);
const read = (xml: string) => readFeed(Buffer.from(xml), 16 * 1024 * 1024, giveWay);
const parse = async (xml: string) => postingsOf((await read(xml)).items, context);
const one = async (inner: string) => (await parse(feed([`<item><title>Sintel</title>${inner}</item>`])))[0];
const link = '<link>http://indexer.example/get/1</link>';
const attr = (name: string, value: string | number) => `<newznab:attr name="${name}" value="${value}"/>`;

describe('postingsOf', () => {
  it('reads a whole item', async () => {
    const attributes = {
      size: 123,
      usenetdate: 'Sat, 02 Oct 2010 10:00:00 +0000',
      grabs: 7,
      password: 0,
      guid: 'stable',
      poster: 'poster@example.invalid',
      files: 40,
      imdb: '01727587',
      tvdbid: 990001,
      tmdbid: 45745,
      season: 'S01',
      episode: 'E02',
    };
    expect(await parse(feed([item('Sintel.2010', 'x', attributes)]))).toEqual([
      {
        name: 'Sintel.2010',
        link: {
          url: 'http://indexer.example/get/x?r=key&i=1',
          guid: 'stable',
          indexer: 'Example',
          source: 'source-1',
        },
        size: 123,
        posted: Date.UTC(2010, 9, 2, 10),
        grabs: 7,
        passworded: false,
        poster: 'poster@example.invalid',
        claims: { imdb: 'tt1727587', tvdb: '990001', tmdb: '45745', season: 1, episode: 2 },
      },
    ]);
  });

  it('takes the size attribute before the enclosure, the post date before the listing', async () => {
    const enclosure = '<enclosure url="http://x/1" length="5" type="application/x-nzb"/>';
    const listed = '<pubDate>Sun, 03 Oct 2010 10:00:00 +0200</pubDate>';
    const posted = attr('usenetdate', 'Sat, 02 Oct 2010 10:00:00 +0000');
    expect(await one(enclosure + attr('size', 9) + listed + posted)).toMatchObject({
      size: 9,
      posted: Date.UTC(2010, 9, 2, 10),
    });
    expect(await one(enclosure + attr('size', 0) + listed)).toMatchObject({
      size: 5,
      posted: Date.UTC(2010, 9, 3, 8),
    });
    expect(await one(enclosure + attr('size', 'unknown'))).toMatchObject({ size: 5 });
    expect(await one(link)).not.toHaveProperty('size');
    expect(await one(link)).not.toHaveProperty('posted');
  });

  it.each([
    ['0', false],
    ['1', true],
    ['2', true],
    ['-1', undefined],
    ['10', undefined],
    ['', undefined],
  ])('reads password %j as %s', async (value, expected) => {
    expect((await one(link + attr('password', value)))?.passworded).toBe(expected);
  });

  it.each([
    ['http://x/details/abc', 'abc'],
    ['http://x/details/abc#comments', 'abc'],
    ['http://x/details/abc/', 'abc'],
    ['http://x/api?t=get&amp;id=abc&amp;apikey=secret', 'abc'],
    ['http://x/getnzb/abc.nzb&amp;i=1&amp;r=secret', 'abc'],
    ['http://x/details.php?nid=100', 'details.php?nid=100'],
    ['http://x/details.php?nid=101&amp;apikey=secret', 'details.php?nid=101'],
    ['urn:abc', 'abc'],
    ['abc', 'abc'],
  ])('gives %s the stable id %s', async (guid, expected) => {
    const id = (await one(`${link}<guid>${guid}</guid>`))?.link.guid;
    expect(id).toBe(expected);
    expect(id).not.toContain('secret');
  });

  it('prefers the enclosure that is an NZB, else the link', async () => {
    const torrent = '<enclosure url="http://x/torrent" type="application/x-bittorrent"/>';
    const nzb = '<enclosure url="http://x/nzb" type="application/x-nzb"/>';
    expect((await one(link + torrent + nzb))?.link.url).toBe('http://x/nzb');
    expect((await one(link))?.link.url).toBe('http://indexer.example/get/1');
    expect((await one('<link>/get/2</link>'))?.link.url).toBe('https://indexer.example/get/2');
  });

  it.each([
    ['no address', ''],
    ['a file address', '<link>file:///etc/passwd</link>'],
    ['a script', '<link>javascript:alert(1)</link>'],
    ['no web address', '<link>http://</link>'],
  ])('leaves out an item with %s', async (_case, inner) => {
    expect(await one(inner)).toBeUndefined();
  });

  it('leaves out an item without a name, and reads a feed without items or channel', async () => {
    expect(await parse(feed([`<item>${link}</item>`]))).toEqual([]);
    expect(await parse(feed([]))).toEqual([]);
    expect(await parse('<rss/>')).toEqual([]);
  });

  it('reads other prefixes, no declaration, and names with signs', async () => {
    const [release] = await parse(
      '<rss><channel><item><title>Tom & Co</title><link>http://x/1?a=1&b=2</link><nz:attr name="SIZE" value="4"/></item></channel></rss>',
    );
    expect(release).toMatchObject({ name: 'Tom & Co', link: { url: 'http://x/1?a=1&b=2' }, size: 4 });
  });

  it('gives no key as the id of a post that has none', async () => {
    expect((await one('<link>http://x/getnzb/abc.nzb?apikey=secret</link>'))?.link.guid).not.toContain(
      'secret',
    );
    expect((await one(link + attr('guid', 'http://x/details/abc?apikey=secret')))?.link.guid).toBe('abc');
  });

  it('reads the size as an element, which is where Prowlarr has it (protocols.md §7.3)', async () => {
    expect((await one(`${link}<size>77</size>`))?.size).toBe(77);
  });

  it('reads ids with and without tt, as imdb and as imdbid, and none of 0', async () => {
    expect((await one(link + attr('imdbid', 'tt0111161')))?.claims).toEqual({ imdb: 'tt0111161' });
    expect((await one(link + attr('imdb', '111161')))?.claims).toEqual({ imdb: 'tt0111161' });
    expect(await one(link + attr('imdb', '0000000') + attr('tvdbid', 0))).not.toHaveProperty('claims');
  });

  it.each([
    ['3', 3],
    ['S03', 3],
    ['s0', 0],
    ['', undefined],
    ['S03E01', undefined],
  ])('reads season %j as %s', async (value, season) => {
    expect((await one(link + attr('season', value)))?.claims?.season).toBe(season);
  });

  it('says how many rows there are, where it is told', async () => {
    expect((await read(feed([], 10_000))).total).toBe(10_000);
    expect(await read(feed([]))).not.toHaveProperty('total');
    expect(await read(feed([]).replace('<channel>', '<channel><response total="many"/>'))).not.toHaveProperty(
      'total',
    );
  });

  it('does not even look at what comes after a thousand items', async () => {
    const rows = Array.from({ length: 1001 }, () => item('x', '1')).join('');
    expect((await read(`<rss><channel>${rows}<broken`)).items).toHaveLength(1000);
    await expect(read(`<rss><channel>${item('x', '1')}<broken`)).rejects.toThrow();
  });

  it('bounds the number of items and the length of names', async () => {
    expect(await parse(feed(Array.from({ length: 1500 }, () => item('x', '1'))))).toHaveLength(1000);
    expect((await parse(feed([item('x'.repeat(5000), '1')])))[0]?.name).toHaveLength(500);
  });

  it('takes any attribute values without throwing', async () => {
    const value = fc.oneof(
      fc.constantFrom('0', '-1', '1e9', '999999999999999999', 'tt0', 'NaN', 'S1', '0x10'),
      fc.stringMatching(/^[\w :+-]{0,30}$/),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom('size', 'usenetdate', 'grabs', 'imdb', 'season', 'guid', 'password', 'tvmazeid'),
          value,
        ),
        async (attributes) => {
          const [release] = await parse(feed([item('x', '1', attributes)]));
          for (const number of [release?.size, release?.posted, release?.grabs])
            expect(number === undefined || (Number.isFinite(number) && number >= 0)).toBe(true);
        },
      ),
    );
  });
});
