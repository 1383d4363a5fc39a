import { expect, it } from 'vitest';
import { unlessAborted } from '../../../src/io/wait.ts';
import { ServerHealth } from '../../../src/stream-proxy/holes/server-health.ts';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';

/** A server that calls everything missing but its first byte; gives what is told of it. */
function inTrouble(waits: () => boolean) {
  const told: (number | undefined)[] = [];
  const standing = new ServerHealth({
    policy: { ...FILL_POLICY, recheckInterval: 5, reportAfter: 10, giveUpAfter: 60_000 },
    probe: (position) => Promise.resolve(position === 0),
    journal: { troubled: (since) => told.push(since) },
    onProbe: waits,
  });
  standing.onBytes(5_000, 100);
  return { standing, told };
}

const { signal } = new AbortController();

it('trouble that nobody waits for any longer is told once, and not as over until bytes come', async () => {
  const began = performance.now();
  const { standing, told } = inTrouble(() => performance.now() - began < 60);
  expect(await standing.check(signal)).toBe('unknown');
  expect(await standing.check(signal)).toBe('unknown');
  expect(told).toEqual([expect.any(Number)]);
  standing.onBytes(5_100, 100);
  expect(told).toEqual([expect.any(Number), undefined]);
});

it('a look that brings no answer does not outlast the time for which trouble is waited out', async () => {
  const told: (number | undefined)[] = [];
  let looks = 0;
  const standing = new ServerHealth({
    policy: { ...FILL_POLICY, recheckInterval: 5, reportAfter: 10, giveUpAfter: 300 },
    // What was there is missing; then nothing comes.
    probe: (position, ended) =>
      looks++ < 8
        ? Promise.resolve(position === 0)
        : unlessAborted(new Promise<boolean>(() => undefined), ended),
    journal: { troubled: (since) => told.push(since) },
    onProbe: () => true,
  });
  standing.onBytes(5_000, 100);
  const began = performance.now();
  expect(await standing.check(signal)).toBe('in trouble');
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(told).toEqual([expect.any(Number), undefined]);
});

it('a film is gone only where its first byte is missing for longer than a moment', async () => {
  const looks: number[] = [];
  const standing = new ServerHealth({
    policy: { ...FILL_POLICY, recheckInterval: 5, confirmAfter: 20 },
    // All is missing in the first two looks.
    probe: (position) => Promise.resolve(looks.push(position) > 2),
    journal: { troubled: () => undefined },
    onProbe: () => true,
  });
  standing.onBytes(5_000, 100);
  expect(await standing.check(signal)).toBe('served again');
  expect(looks).toEqual([5_000, 0, 0, 5_000]);
});
