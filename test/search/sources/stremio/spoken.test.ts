import { expect, test, vi } from 'vitest';
import { resolveScheme } from '../../../../src/search/sources/stremio/resolve-scheme.ts';
import { serve } from '../../../support/http-server.ts';

vi.mock('../../../../src/io/local-network.ts', () => ({ isLocalHost: () => Promise.resolve(false) }));

test('an address of another network, which is a key, is never shown by plain HTTP', async () => {
  const asked: unknown[] = [];
  const url = await serve((request, response) => {
    asked.push(request);
    response.end();
  });
  const entered = `${url.replace('http:', 'stremio:')}/key/manifest.json`;
  const spoken = await resolveScheme(entered, new AbortController().signal);
  expect(spoken).toBe(entered.replace('stremio:', 'https:'));
  expect(asked).toEqual([]);
});
