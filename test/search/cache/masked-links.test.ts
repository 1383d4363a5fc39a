import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Link } from '../../../src/model/index.ts';
import { openLinkMasker } from '../../../src/search/cache/masked-links.ts';

const KEY = 'f00dfeedcafe0123';
const ODD = 'p@ss word/+ÿ';
const links = openLinkMasker({ a: [KEY, ODD], b: ['other-secret-99'] });
const link = (url: string, fields: Partial<Link> = {}): Link => ({
  url,
  guid: '1',
  indexer: 'X',
  source: 'a',
  ...fields,
});

describe('a hidden link', () => {
  it.each([
    ['as it is', `https://x.example/api?t=get&id=1&apikey=${KEY}`],
    ['twice', `https://x.example/${KEY}/get?apikey=${KEY}`],
    ['in the path with the old pair', `https://x.example/getnzb/1.nzb&i=7&r=${KEY}`],
    ['percent-encoded', `https://x.example/get?pass=${encodeURIComponent(ODD)}`],
    [
      'percent-encoded in small letters',
      `https://x.example/get?pass=${encodeURIComponent(ODD).toLowerCase()}`,
    ],
    ['as a form writes it', `https://x.example/get?${new URLSearchParams({ pass: ODD }).toString()}`],
    [
      'in an address within an address',
      `https://x.example/get?url=https%3A%2F%2Fy%2F%3Fapikey%3D${KEY}%26t%3Dget`,
    ],
    ['not at all', 'https://x.example/get/1?year=2010&server=3'],
  ])('holds no secret and is whole again: %s', (_, url) => {
    const hidden = links.mask(link(url));
    const text = JSON.stringify(hidden);
    for (const secret of [KEY, ODD, encodeURIComponent(ODD)]) expect(text).not.toContain(secret);
    expect(hidden === undefined ? undefined : links.unmask(hidden)).toEqual(link(url));
  });

  it('hides what an id holds, too', () => {
    const given = link('https://x.example/1', { guid: `https://x.example/1?apikey=${KEY}` });
    const hidden = links.mask(given);
    expect(JSON.stringify(hidden)).not.toContain(KEY);
    expect(hidden && links.unmask(hidden)).toEqual(given);
  });

  it.each([
    ['a key of somebody else', 'https://y.example/get?id=1&apikey=0123456789abcdef'],
    [
      'one in an address within an address',
      'https://x.example/get?url=https%3A%2F%2Fy%2F%3Fapikey%3D0123456789',
    ],
    ['the old pair', 'https://y.example/getnzb/1.nzb&i=7&r=0123456789abcdef'],
    ['a token', 'https://y.example/get?download_token=abc'],
    ['a user', 'https://user:pass@y.example/get'],
    ['a key of a feed', 'https://y.example/get/1?rsskey=0123456789abcdef'],
    ['a key to sign with', 'https://y.example/get/1?authkey=0123456789'],
    ['a key of one letter', 'https://y.example/get/1?i=77&k=0123456789'],
    ['a hash', 'https://y.example/get/1.nzb?user=7&hash=0123456789'],
    ['its key in a mixture of cases', 'https://x.example/F00DfeedCAFE0123/get'],
    ['a mark', 'https://y.example/\ue0000.0\ue001'],
  ])('there is none of a link with %s', (_, url) => {
    expect(links.mask(link(url))).toBeUndefined();
  });

  it.each([
    ['what another source keeps secret', 'https://y.example/other-secret-99/get?apikey=other-secret-99'],
    ['its key in capitals', `https://x.example/${KEY.toUpperCase()}/get`],
  ])('holds a mark in place of %s', (_, url) => {
    const hidden = links.mask(link(url));
    expect(hidden?.url).not.toMatch(/other-secret-99|f00dfeed/i);
    expect(hidden && links.unmask(hidden)).toEqual(link(url));
  });

  it("keeps a host whose name is a user's name at another source", () => {
    const hiding = openLinkMasker({ a: ['films', 'usenetfilms', KEY], b: ['0123456789abcdef'] });
    const given = link('https://usenetfilms.films.example/1?apikey=0123456789abcdef', { source: 'b' });
    const hidden = hiding.mask(given);
    expect(hidden).toBeDefined();
    expect(hidden && hiding.unmask(hidden)).toEqual(given);
  });

  it('never takes a part of a mark for a secret', () => {
    const hiding = openLinkMasker({ 'newznab-1': ['long-secret-1'], 'hydra-2': ['newznab', 'hydra'] });
    const given = link('https://x.example/long-secret-1/hydra', { source: 'hydra-2' });
    const hidden = hiding.mask(given);
    expect(hidden && hiding.unmask(hidden)).toEqual(given);
  });

  it('leaves nothing of a secret that begins with another one', () => {
    const hiding = openLinkMasker({ a: ['abcd', 'abcdefgh'] });
    const given = link('https://x.example/get/abcdefgh/abcd');
    const hidden = hiding.mask(given);
    expect(hidden?.url).not.toMatch(/abcd|efgh/);
    expect(hidden && hiding.unmask(hidden)).toEqual(given);
  });

  it('takes the key that the source has now', () => {
    const hidden = links.mask(link(`https://x.example/get?apikey=${KEY}`));
    const renewed = openLinkMasker({ a: ['new key', ODD] });
    expect(hidden && renewed.unmask(hidden)?.url).toBe('https://x.example/get?apikey=new key');
  });

  it('is of no use when its source has gone', () => {
    const hidden = links.mask(link(`https://x.example/get?apikey=${KEY}`));
    expect(hidden && openLinkMasker({}).unmask(hidden)).toBeUndefined();
    expect(hidden && openLinkMasker({ a: [''] }).unmask(hidden)).toBeUndefined();
  });

  it('never holds a secret, and comes back as it was', () => {
    const secret = fc.string({ minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(secret, secret, fc.webUrl({ withQueryParameters: true }), (one, two, base) => {
        const hiding = openLinkMasker({ a: [one, two] });
        const given = link(`${base}#${encodeURIComponent(one)}/${two}`);
        const hidden = hiding.mask(given);
        if (hidden === undefined) return;
        expect(hidden.url).not.toContain(two);
        expect(hidden.url).not.toContain(encodeURIComponent(one));
        expect(hiding.unmask(hidden)).toEqual(given);
      }),
    );
  });
});
