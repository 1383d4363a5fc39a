import { expect, test } from 'vitest';
import { expectNothingLeft, pipeline, SINTEL } from './set-up.ts';

// The real ten seconds, once.
test('without the service a play waits ten seconds for it, then tells, and has downloaded nothing', async () => {
  const p = await pipeline({ withoutProxy: true });
  const started = performance.now();
  await p.resolve(SINTEL);
  // A lower bound only: it must not give up on a service that is still starting.
  expect(performance.now() - started).toBeGreaterThan(9_900);
  expect(p.host.notified).toEqual([
    {
      what: 'The Slipstream service is not running.',
      next: expect.stringContaining('restart Kodi. If it stays away') as string,
    },
  ]);
  await expectNothingLeft(p);
  expect(p.sandbox.requests.some(({ method }) => method === 'POST')).toBe(false);
  expect(p.sandbox.requests.some(({ query }) => query['t'] === 'get')).toBe(false);
});
