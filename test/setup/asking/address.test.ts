import { expect, test } from 'vitest';
import { withScheme } from '../../../src/setup/asking/address.ts';

test.each([
  ['192.168.1.10:3000', 'http://192.168.1.10:3000'],
  ['nas:6789', 'http://nas:6789'],
  ['nas', 'http://nas'],
  ['nas.local', 'http://nas.local'],
  ['nas.fritz.box/path', 'http://nas.fritz.box/path'],
  ['indexer.example', 'https://indexer.example'],
  [' api.indexer.example/api ', 'https://api.indexer.example/api'],
  ['indexer.example:8443', 'http://indexer.example:8443'],
  ['[fd00::1]:3000', 'http://[fd00::1]:3000'],
  ['http://indexer.example', 'http://indexer.example'],
  ['HTTPS://indexer.example', 'HTTPS://indexer.example'],
  ['stremio://addon.example/manifest.json', 'stremio://addon.example/manifest.json'],
  ['http://', ''],
  ['', ''],
])('"%s" is meant as "%s"', (typed, meant) => {
  expect(withScheme(typed)).toBe(meant);
});
