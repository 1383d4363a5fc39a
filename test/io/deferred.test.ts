import { describe, expect, test } from 'vitest';
import { deferred } from '../../src/io/deferred.ts';

describe('deferred', () => {
  test('is settled from outside, once', async () => {
    const kept = deferred<number>();
    kept.resolve(1);
    kept.resolve(2);
    kept.reject(new Error('late'));
    expect(await kept.promise).toBe(1);
    const broken = deferred<number>();
    broken.reject(new Error('first'));
    broken.resolve(2);
    await expect(broken.promise).rejects.toThrow('first');
  });
});
