import { describe, expect, it } from 'vitest';
import {
  apiKeyOf,
  parseAddress,
  parseLink,
  withLogin,
} from '../../../../src/search/sources/common/address.ts';

describe('parseAddress', () => {
  it.each([
    ['https://api.indexer.example', 'https://api.indexer.example'],
    ['https://api.indexer.example/', 'https://api.indexer.example'],
    ['  https://api.indexer.example/api  ', 'https://api.indexer.example'],
    ['https://api.indexer.example/api/', 'https://api.indexer.example'],
    ['https://api.indexer.example/api?', 'https://api.indexer.example'],
    ['http://box:5076/nzbhydra2/api', 'http://box:5076/nzbhydra2'],
    ['http://box:9696/1/api', 'http://box:9696/1'],
    ['api.indexer.example', 'https://api.indexer.example'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('%s becomes %s', (entered, base) => {
    expect(parseAddress(entered, 'x')).toEqual({ base });
  });

  it('takes the key out of a pasted request', () => {
    const pasted = 'https://api.indexer.example/api?t=search&q=x&apikey=abcdef&o=json';
    expect(parseAddress(pasted, 'x')).toEqual({ base: 'https://api.indexer.example', apiKey: 'abcdef' });
  });

  it.each([
    ['me:100%', 'me:100%'],
    [':p%40ss', ':p@ss'],
  ])('reads the login %s', (login, pair) => {
    expect(parseAddress(`https://${login}@indexer.example`, 'The indexer').login?.authorization).toBe(
      `Basic ${Buffer.from(pair).toString('base64')}`,
    );
  });

  it('turns user and password into a header', () => {
    expect(parseAddress('http://me:p%40ss@box', 'x')).toEqual({
      base: 'http://box',
      login: {
        authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
        username: 'me',
        password: 'p%40ss',
      },
    });
  });

  it.each(['', 'ftp://x', 'http://', 'javascript:alert(1)//', 'not an address'])('refuses %j', (entered) => {
    expect(() => parseAddress(entered, 'The indexer x')).toThrow(/INVALID_REQUEST/);
  });
});

describe('keyOf', () => {
  it('prefers the key that was entered as such', () => {
    expect(apiKeyOf(' entered ', { base: 'http://x', apiKey: 'pasted' })).toBe('entered');
    expect(apiKeyOf('', { base: 'http://x', apiKey: 'pasted' })).toBe('pasted');
    expect(apiKeyOf('', { base: 'http://x' })).toBe('');
  });
});

describe('withLogin', () => {
  const address = parseAddress('http://me:p%40ss@box/hydra', 'x');

  it('gives the login of the address to a link of the same origin only', () => {
    expect(withLogin(new URL('http://box/get/1?k=1'), address)).toBe('http://me:p%40ss@box/get/1?k=1');
    expect(withLogin(new URL('https://box/get/1'), address)).toBe('https://box/get/1');
    expect(withLogin(new URL('http://indexer.example/1'), address)).toBe('http://indexer.example/1');
    expect(withLogin(new URL('http://you:own@box/1'), address)).toBe('http://you:own@box/1');
    expect(withLogin(new URL('http://box/1'), { base: 'http://box' })).toBe('http://box/1');
  });
});

describe('linkFrom', () => {
  it.each(['', 'file:///etc/passwd', 'javascript:alert(1)', 'magnet:?xt=1', 'http://'])(
    'refuses %j',
    (text) => {
      expect(parseLink(text, 'http://box/api')).toBeUndefined();
    },
  );

  it('resolves relative ones', () => {
    expect(parseLink('/get/2', 'http://box/api?t=search')?.href).toBe('http://box/get/2');
  });
});
