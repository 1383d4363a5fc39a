import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openThroughputStore } from '../../src/library/throughput.ts';

const DAY = 86_400_000;

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-sustained-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = { now: Date.UTC(2024, 0, 1) };
  const rate = openThroughputStore(folder, () => clock.now);
  const add = async (...rates: readonly number[]) => {
    for (const each of rates) await rate.add(each);
  };
  return { folder, clock, rate, add };
}

describe('the rate that the connection has sustained', () => {
  test('is not known before three plays', async () => {
    const { rate, add } = await setUp();
    expect(await rate.read()).toBeUndefined();
    await add(50e6, 60e6);
    expect(await rate.read()).toBeUndefined();
    await add(70e6);
    expect(await rate.read()).toMatchObject({ bitsPerSecond: 50e6, plays: 3 });
  });

  test('is what nine of ten plays reached, of the last twenty', async () => {
    const { rate, add, clock } = await setUp();
    await add(1e6, ...Array.from({ length: 20 }, (_, index) => (index + 1) * 10e6));
    // The first one is forgotten; of 10, 20 … 200 the second lowest.
    expect(await rate.read()).toEqual({ bitsPerSecond: 20e6, plays: 20, measured: clock.now });
  });

  test('is forgotten after three months', async () => {
    const { rate, add, clock } = await setUp();
    await add(1e6, 1e6, 1e6);
    clock.now += 60 * DAY;
    await add(50e6, 50e6, 50e6);
    clock.now += 31 * DAY;
    expect(await rate.read()).toEqual({ bitsPerSecond: 50e6, plays: 3, measured: clock.now - 31 * DAY });
    clock.now += 60 * DAY;
    expect(await rate.read()).toBeUndefined();
  });

  test('is no rate that nothing has', async () => {
    const { folder, rate, add } = await setUp();
    await add(0, -1, Number.NaN, Infinity, 0.5);
    await expect(readFile(join(folder, 'sustained.json'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await rate.read()).toBeUndefined();
  });
});
