import { describe, expect, it } from 'vitest';
import { UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import { openNameReader } from '../../../src/search/match/name-reader.ts';

const never = new AbortController().signal;
const busy = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

function openTest(cost = 0) {
  const read: string[] = [];
  const names = openNameReader(() =>
    Promise.resolve((name) => {
      read.push(name);
      busy(cost);
      return { ...UNKNOWN_QUALITY, title: name };
    }),
  );
  return { names, timesRead: (name: string) => read.filter((each) => each === name).length };
}

const many = (count: number) => Array.from({ length: count }, (_, i) => `many ${i}`);

describe('names', () => {
  it('are read once, however often they come', async () => {
    const { names, timesRead } = openTest();
    await Promise.all([names.read(['a', 'b', 'a'], never), names.read(['b'], never)]);
    await names.read(['a'], never);
    expect(['a', 'b'].map((name) => timesRead(name))).toEqual([1, 1]);
    expect(names.qualityOf('a').title).toBe('a');
    expect(names.qualityOf('c')).toBe(UNKNOWN_QUALITY);
  });

  it('of a short list do not wait for those of a long one, nor do timers', async () => {
    const { names } = openTest(1);
    const done: string[] = [];
    const long = names.read(many(200), never).then(() => done.push('long'));
    const timer = new Promise<void>((resolve) => {
      setTimeout(() => {
        done.push('timer');
        resolve();
      }, 1);
    });
    const short = names.read(['a', 'b'], never).then(() => done.push('short'));
    await Promise.all([long, short, timer]);
    expect(done.at(-1)).toBe('long');
  });

  it('are read no further when nobody wants them', async () => {
    const { names, timesRead } = openTest(1);
    const controller = new AbortController();
    const reading = names.read(many(200), controller.signal);
    const reason = new Error('enough');
    setTimeout(() => {
      controller.abort(reason);
    }, 1);
    await expect(reading).rejects.toBe(reason);
    expect(timesRead('many 0') + timesRead('many 199')).toBeLessThan(2);
  });

  it('fail with their parser', async () => {
    const names = openNameReader(() => Promise.reject(new Error('no parser')));
    await expect(names.read(['a'], never)).rejects.toThrow('no parser');
  });
});
