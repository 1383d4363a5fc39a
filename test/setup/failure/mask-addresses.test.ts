import { describe, expect, test } from 'vitest';
import { addressText, maskHosts, pathText } from '../../../src/setup/failure/mask-addresses.ts';

test.each([
  ['', 'empty'],
  ['nonsense', 'no address'],
  ['http://192.168.1.10:3000/x?apikey=y', 'http, port 3000, local'],
  ['http://172.16.0.1', 'http, usual port, local'],
  ['http://172.32.0.1', 'http, usual port, public'],
  ['http://nas:8080', 'http, port 8080, local'],
  ['https://nas.lan', 'https, usual port, local'],
  ['http://[fd00::1]:80', 'http, usual port, local'],
  ['http://[2001:db8::1]', 'http, usual port, public'],
  ['https://user:pass@indexer.example/api', 'https, usual port, public'],
])('the address %s is told as "%s"', (address, told) => {
  expect(addressText(address)).toBe(told);
});

test.each([
  ['', 'empty'],
  ['/downloads', 'a path'],
  ['D:\\Downloads', 'a path'],
  ['smb://user:pass@nas/x', 'smb'],
  ['nfs://nas/x', 'nfs'],
])('the folder %s is told as "%s"', (path, told) => {
  expect(pathText(path)).toBe(told);
});

describe('hosts', () => {
  test('are taken out wherever they stand, the longer ones first', () => {
    const addresses = ['http://nas.example:1/x', 'http://www.nas.example', 'smb://media-box/share'];
    const text = 'at www.nas.example and nas.example:1, media-box too';
    expect(maskHosts(text, addresses)).toBe('at <host> and <host>:1, <host> too');
  });

  test('are taken out however they are written', () => {
    expect(maskHosts('MyServer.lan and MYSERVER.LAN', ['http://myServer.lan:1'])).toBe('<host> and <host>');
  });

  test.each([
    [
      'connect ECONNREFUSED 192.168.1.10:6789, then 10.0.0.1.',
      'connect ECONNREFUSED <host>:6789, then <host>.',
    ],
    ['connect ECONNREFUSED fd00::10:80, then 2001:db8::1', 'connect ECONNREFUSED <host>, then <host>'],
    ['https://dl.indexer.example:8080/x', 'https://<host>:8080/x'],
    ['at smb://***@nas/done and http://[fd00::5]:80/', 'at smb://***@<host>/done and http://<host>:80/'],
  ])('that no setting names are taken out as well: %s', (text, masked) => {
    expect(maskHosts(text, [])).toBe(masked);
  });

  test.each([
    '127.0.0.1 localhost ::1 http://127.0.0.1:80/x http://localhost:1 http://[::1]:2',
    'at 12:34:56, Node.js v24.21.0, version 1.25.4.4818, std::string, a: b',
  ])('of this machine, and what is none, stay: %s', (text) => {
    expect(maskHosts(text, ['http://127.0.0.1', 'http://localhost', 'http://[::1]'])).toBe(text);
  });
});
