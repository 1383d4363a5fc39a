import { describe, expect, it } from 'vitest';
import { type DownloadClientConfig, rpcAddress } from '../../../src/backends/download-client/config.ts';
import { redact } from '../../../src/log/index.ts';

const config = (url: string, username = 'nzbget', password = 'canary-4711'): DownloadClientConfig => ({
  url,
  username,
  password,
  movieCategory: '',
  tvCategory: '',
  folder: '',
  serverFolder: '',
  mappings: [],
  priority: 'normal',
  backups: 0,
});
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('the address of NZBGet', () => {
  it.each([
    ['http://nas:6789', 'http://nas:6789/jsonrpc'],
    ['http://nas:6789/', 'http://nas:6789/jsonrpc'],
    ['http://nas:6789/jsonrpc', 'http://nas:6789/jsonrpc'],
    ['http://nas:6789/xmlrpc/?x=1#y', 'http://nas:6789/jsonrpc'],
    ['https://home.example/nzbget/', 'https://home.example/nzbget/jsonrpc'],
    ['http://nas:6789/nzbget:tegbzn6789/jsonrpc', 'http://nas:6789/jsonrpc'],
    ['http://u:p@nas:6789', 'http://nas:6789/jsonrpc'],
  ])('is read as people paste it: %s', (entered, url) => {
    expect(rpcAddress(config(entered)).url).toBe(url);
  });

  it('brings a login along where the settings have none', () => {
    const login = (url: string, username = 'nzbget', password = '') =>
      rpcAddress(config(url, username, password)).headers['authorization'];
    expect(login('http://nas/me:a%2Fb/jsonrpc')).toBe(basic('me:a/b'));
    expect(login('http://me:a%2Fb@nas')).toBe(basic('me:a/b'));
    expect(login('http://me:other@nas', 'nzbget', 'mine')).toBe(basic('nzbget:mine'));
    expect(login('http://nas')).toBe(basic('nzbget:'));
    expect(login('http://nas', '')).toBeUndefined();
  });

  it('makes the password a secret of the log', () => {
    rpcAddress(config('http://nas', 'nzbget', 'canary-rpc-91'));
    expect(redact('it is canary-rpc-91')).not.toContain('canary-rpc-91');
  });

  it('is refused when it is none', () => {
    expect(() => rpcAddress(config('nas'))).toThrow(/INVALID_REQUEST/);
  });
});
