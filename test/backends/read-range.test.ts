import { describe, expect, it, onTestFinished } from 'vitest';
import { readRange } from '../../src/backends/read-range.ts';
import { type Plan, startFileServer } from '../support/file-server.ts';

const SIZE = 1_000_000;
const RANGE = { from: 1000, length: 100 };

async function read(plan: Plan, range = RANGE): Promise<Uint8Array> {
  const { url, close } = await startFileServer(SIZE, () => plan);
  onTestFinished(close);
  const { signal } = new AbortController();
  return await readRange({ url, headers: {}, who: 'The test', timeout: 1_000, signal }, range);
}

describe('a piece of a file', () => {
  it('is as long as it was asked for, and shorter at the end alone', async () => {
    expect(await read({})).toHaveLength(100);
    expect(await read({}, { from: SIZE - 10, length: 100 })).toHaveLength(10);
  });

  const says = (last: number) => ({ 'content-range': `bytes 1000-${last}/${SIZE}` });
  it.each<[string, Plan]>([
    ['shorter than its range says', { answer: { first: 1000, last: 1049 }, headers: says(1099) }],
    ['longer than its range says', { headers: says(1049) }],
    ['another one', { answer: { first: 0, last: 99 } }],
    ['the whole file', { status: 200 }],
    ['one that does not say which', { headers: { 'content-range': undefined } }],
  ])('is damaged when it is %s', async (_, plan) => {
    await expect(read(plan)).rejects.toMatchObject({ code: 'DAMAGED' });
  });
});
