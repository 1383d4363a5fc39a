import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '../../../tools/debian-root/lock.ts';

describe.skipIf(process.platform !== 'linux')('withLock', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipstream-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lets one task in at a time and hands on after a failure', async () => {
    const path = join(folder, 'lock');
    let within = 0;
    let most = 0;
    const task = async () => {
      most = Math.max(most, ++within);
      await new Promise((resolve) => setTimeout(resolve, 20));
      within--;
      throw new Error('failed');
    };
    const results = await Promise.allSettled([1, 2, 3].map(() => withLock(path, task)));
    expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual(
      Array(3).fill('Error: failed'),
    );
    expect(most).toBe(1);
  });
});
