import { describe, expect, it } from 'vitest';
import { mkvClip } from '../../sandbox/index.ts';
import { planFill } from '../../src/media/plan-fill.ts';
import { around, inMemory, plan } from './holes.ts';

const KINDS = ['video/x-matroska', 'video/webm', 'video/mp2t', 'video/mp4', 'video/quicktime'];
const clip = mkvClip({ name: 'Sintel.mkv', seconds: 60, size: 60_000_000 });
const hole = { first: 30_000_000, last: 30_700_000 };

describe('planning a fill', () => {
  it.each(['video/x-msvideo', 'video/mpeg', 'application/octet-stream', 'constructor'])(
    'is refused for %s, of which nothing is known',
    async (mime) => {
      expect(await plan(mime, clip, hole)).toEqual({ refused: expect.stringContaining(mime) as string });
    },
  );

  it.each(KINDS)('refuses what only calls itself %s', async (mime) => {
    const text = inMemory(Buffer.alloc(100_000, 'no film at all. '));
    expect(await plan(mime, text, { first: 50_000, last: 60_000 })).toHaveProperty('refused');
  });

  it.each(KINDS)('rejects with the reason when it is aborted: %s', async (mime) => {
    const abort = new AbortController();
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(planFill(mime, hole, around(clip, [hole]), abort.signal)).rejects.toBe(reason);
  });

  it('takes a reader that refuses everything for a file with more holes', async () => {
    const file = around(clip, [{ first: 0, last: clip.size }]);
    for (const mime of KINDS)
      expect(await planFill(mime, hole, file, new AbortController().signal)).toHaveProperty('refused');
  });
});
