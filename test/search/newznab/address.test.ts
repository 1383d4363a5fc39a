import { describe, expect, it } from 'vitest';
import { parseEndpoint } from '../../../src/search/newznab/address.ts';

describe('parseEndpoint', () => {
  it.each([
    ['https://api.indexer.example', 'https://api.indexer.example/api'],
    ['https://api.indexer.example/', 'https://api.indexer.example/api'],
    ['  https://api.indexer.example/api  ', 'https://api.indexer.example/api'],
    ['https://api.indexer.example/api/', 'https://api.indexer.example/api'],
    ['https://api.indexer.example/api?', 'https://api.indexer.example/api'],
    ['http://box:5076/nzbhydra', 'http://box:5076/nzbhydra/api'],
    ['http://box:9696/1/api', 'http://box:9696/1/api'],
    ['api.indexer.example', 'https://api.indexer.example/api'],
    ['http://[::1]:8080', 'http://[::1]:8080/api'],
  ])('%s becomes %s', (entered, url) => {
    expect(parseEndpoint(entered, 'x')).toEqual({ url });
  });

  it('takes the key out of a pasted request', () => {
    const pasted = 'https://api.indexer.example/api?t=search&q=x&apikey=abcdef&o=json';
    expect(parseEndpoint(pasted, 'x')).toEqual({ url: 'https://api.indexer.example/api', apiKey: 'abcdef' });
  });

  it.each([
    ['me:100%', 'me:100%'],
    [':p%40ss', ':p@ss'],
  ])('reads the login %s', (login, pair) => {
    expect(parseEndpoint(`https://${login}@indexer.example`, 'The indexer').authorization).toBe(
      `Basic ${Buffer.from(pair).toString('base64')}`,
    );
  });

  it('turns user and password into a header', () => {
    expect(parseEndpoint('http://me:p%40ss@box', 'x')).toEqual({
      url: 'http://box/api',
      authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    });
  });

  it.each(['', 'ftp://x', 'http://', 'javascript:alert(1)//', 'not an address'])('refuses %j', (entered) => {
    expect(() => parseEndpoint(entered, 'The indexer x')).toThrow(/INVALID_REQUEST/);
  });
});
