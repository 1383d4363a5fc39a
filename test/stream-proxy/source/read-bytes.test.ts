import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { readBytes } from '../../../src/stream-proxy/source/read-bytes.ts';
import { virtualBytes } from '../../support/virtual-file.ts';
import { opened } from '../reader/simulated.ts';

const SIZE = 1000;
const { signal } = new AbortController();
const LIMITS = { stallTimeout: 500, signal };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const open = (first = 100, last?: number) =>
  opened({ first, size: SIZE, timeout: 1000, signal, ...(last === undefined ? {} : { last }) }, SIZE);

describe('reads', () => {
  it('as many bytes as are wanted, in whatever parts they come, and ends the body', async () => {
    const range = open();
    const reading = readBytes(range, 300, LIMITS);
    for (const part of [1, 199, 100]) range.body.deliver(part);
    expect(await reading).toEqual(virtualBytes(100, 399));
    expect(range.body.closed).toBe(true);
  });

  it('no byte beyond them', async () => {
    const range = open();
    range.body.deliver(SIZE);
    await readBytes(range, 300, LIMITS);
    expect(range.body.position).toBe(400);
  });

  it('all of a range that is shorter', async () => {
    const range = open(900);
    range.body.deliver(SIZE);
    expect(await readBytes(range, 300, LIMITS)).toEqual(virtualBytes(900, 999));
  });
});

describe('fails, and ends the body', () => {
  it.each<[string, (range: ReturnType<typeof open>) => void, object]>([
    [
      'broken when it ends early',
      (range) => {
        range.body.end(undefined);
      },
      { kind: 'broken' },
    ],
    [
      'as the body does',
      (range) => {
        range.body.end(new SourceFailure('wrong-answer', 'a chunk'));
      },
      { kind: 'wrong-answer' },
    ],
    [
      'stalled when nothing more comes',
      () => {
        vi.advanceTimersByTime(500);
      },
      { kind: 'stalled' },
    ],
  ])('%s', async (_what, act, failure) => {
    const range = open();
    const reading = readBytes(range, 300, LIMITS);
    range.body.deliver(299);
    act(range);
    await expect(reading).rejects.toMatchObject(failure);
    expect(range.body.closed).toBe(true);
  });

  it('not stalled as long as something comes', async () => {
    const range = open();
    const reading = readBytes(range, 300, LIMITS);
    for (let part = 0; part < 300; part++) {
      vi.advanceTimersByTime(499);
      range.body.deliver(1);
    }
    expect(await reading).toHaveLength(300);
  });

  it.each(['before', 'while'])("with the signal's reason when it aborts %s it reads", async (when) => {
    const leaving = new AbortController();
    const reason = new Error('left');
    if (when === 'before') leaving.abort(reason);
    const range = open();
    const reading = readBytes(range, 300, { stallTimeout: 500, signal: leaving.signal });
    leaving.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(range.body.closed).toBe(true);
  });
});
