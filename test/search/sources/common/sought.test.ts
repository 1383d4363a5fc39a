import { expect, test } from 'vitest';
import { apiHost } from '../../../../src/search/sources/common/probe-target.ts';

test.each([
  ['https://indexer.example', 'https://api.indexer.example'],
  ['https://www.indexer.example:8443/newznab', 'https://api.indexer.example:8443'],
  ['https://api.indexer.example', undefined],
  ['http://192.168.1.10:5076', undefined],
  ['http://[fd00::1]:5076', undefined],
  ['http://nas:5076', undefined],
])('the API of %s may be at %s', (base, url) => {
  expect(apiHost(base)?.url).toBe(url);
});
