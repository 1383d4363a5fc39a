import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/log/index.ts';
import { registerCredentials } from '../../../src/stream-proxy/source/credentials.ts';

const register = (query: string, headers: Record<string, string> = {}) => {
  registerCredentials({ url: `http://nas:8080/file.mkv?${query}`, headers });
};

describe('a parameter of the address', () => {
  it.each([
    'auth',
    'authorization',
    'key',
    'apikey',
    'api_key',
    'apiKey',
    'X-Api-Key',
    'token',
    'access_token',
    'accessToken',
    'accesstoken',
    'streamAuthToken',
    'pass',
    'password',
    'passwd',
    'user.passwd',
    'client_secret',
    'cookie',
    'downloadKey',
    'download_key',
    'downloadkey',
    'passkey',
  ])('%s opens something: its value is masked wherever it appears', (name) => {
    const secret = `opens-${name}-0`;
    register(`${name}=${secret}`);
    expect(redact(`the server said ${secret} to us`)).toBe('the server said *** to us');
  });

  it.each(['keyword', 'author', 'authors', 'monkey', 'passage', 'compass', 'secretary', 'tokens'])(
    '%s is an ordinary word, and so is its value',
    (name) => {
      const word = `ordinary-${name}-word`;
      register(`${name}=${word}`);
      expect(redact(`a film with ${word}`)).toBe(`a film with ${word}`);
    },
  );

  it('too short to be a key masks no word', () => {
    register('keyword=film&author=house&key=sintel&pass=spring');
    const text = 'film house sintel spring';
    expect(redact(text)).toBe(text);
  });
});

it('every header that may open something is masked, short values and Basic pairs too', () => {
  register('', { 'X-AuthInfo': 'abcd-1', Authorization: `Basic ${btoa('viewer:open sesame')}` });
  expect(redact('abcd-1, open sesame')).toBe('***, ***');
});
