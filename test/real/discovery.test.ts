import { describe, expect, it } from 'vitest';
import { findServices } from '../../src/setup/discovery/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { startNzbget } from './usenet/nzbget.ts';

const root = await rootOrSkip('the search for a real NZBGet');

describe.skipIf(!root)('a real NZBGet', () => {
  it('is found by what it says to everybody', async () => {
    const nzbget = await startNzbget(root!, 9);
    try {
      const url = new URL(nzbget.url).origin;
      const found = await findServices({
        hosts: ['127.0.0.1'],
        ports: [Number(new URL(url).port)],
        signal: new AbortController().signal,
      });
      expect(found).toEqual([{ service: 'nzbget', url, label: 'NZBGet' }]);
    } finally {
      await nzbget.end();
    }
  });
});
