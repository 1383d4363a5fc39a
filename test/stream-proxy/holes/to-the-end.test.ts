import { afterEach, describe, expect, it } from 'vitest';
import { mkvClip, mp4Clip } from '../../../sandbox/clips/index.ts';
import { clipContent, opaqueContent, packetContent } from '../../support/fault-server/index.ts';
import { startTestProxy } from '../../support/proxy.ts';
import { COMPLETE, type Stage, setStage } from './stage.ts';

const SIZE = 100_000_000;
const LOST = { first: SIZE - 900_000, last: SIZE - 1 };
const MKV = clipContent(mkvClip({ name: 'Sintel.2010.mkv', seconds: 1000, size: SIZE }));

let stage: Stage;
afterEach(() => stage.close());

/** As Kodi looks at the cues before and between. */
const looks = [SIZE - 100_000, SIZE - 500_000, SIZE - 100_000, LOST.first - 1000, SIZE - 500_000].map(
  (first) => ({
    first,
    last: SIZE - 1,
  }),
);

describe('a hole up to the end of a complete file', () => {
  it.each([
    ['Matroska', MKV, 'Sintel.mkv'],
    [
      'MP4',
      clipContent(mp4Clip({ name: 'Sintel.mp4', seconds: 1000, size: SIZE, index: 'front' })),
      'Sintel.mp4',
    ],
    ['a transport stream', packetContent(SIZE), 'Sintel.ts'],
  ])('is filled, in %s, and each look at it gives the same', async (_what, content, name) => {
    stage = await setStage({ content, name, serving: COMPLETE, script: { missing: [LOST] } });
    const whole = await stage.read({ first: LOST.first - 1000, last: SIZE - 1 });
    expect(stage.isRight(whole.subarray(0, 1000), LOST.first - 1000)).toBe(true);
    const asked = stage.server.requests.length;
    for (const look of looks) {
      const again = await stage.read(look);
      expect(again.equals(whole.subarray(look.first - LOST.first + 1000))).toBe(true);
    }
    expect(stage.server.requests.slice(asked).filter(({ status }) => status === 404)).toEqual([]);
    expect(stage.report()).toMatchObject({ fills: [LOST], counters: { lost: 0 } });
  });

  it('is asked for by few requests, however Kodi looks into it', async () => {
    stage = await setStage({ content: MKV, serving: COMPLETE, script: { missing: [LOST] } });
    for (const look of looks.slice(0, 4)) expect((await stage.read(look)).length).toBe(SIZE - look.first);
    const refused = stage.server.requests.filter(({ status }) => status === 404).length;
    expect(refused).toBeLessThan(60);
    expect(stage.report().fills.at(-1)?.last).toBe(SIZE - 1);
  });

  it('that cannot be filled is refused at once from then on, in the next engine too', async () => {
    stage = await setStage({ content: opaqueContent(SIZE), serving: COMPLETE, script: { missing: [LOST] } });
    await expect(stage.read(LOST)).rejects.toThrow();
    const asked = stage.server.requests.length;
    expect(asked).toBeLessThan(40);
    for (const look of looks.filter(({ first }) => first >= LOST.first))
      await expect(stage.read(look)).rejects.toThrow();
    expect(stage.server.requests.length).toBe(asked);
    expect(stage.report()).toMatchObject({ fills: [], lost: [LOST], counters: { lost: 1 } });
    const next = await startTestProxy({ snapshot: stage.snapshot() });
    const url = stage.url.replace(/:\d+/, `:${next.port}`);
    try {
      await expect(fetch(url, { headers: { range: `bytes=${SIZE - 100_000}-` } })).rejects.toThrow();
      expect(stage.server.requests.length).toBe(asked);
    } finally {
      await next.close();
    }
  });

  it('of more than may be filled is remembered too', async () => {
    const much = { first: SIZE - 5_000_000, last: SIZE - 1 };
    stage = await setStage({ content: MKV, serving: COMPLETE, script: { missing: [much] } });
    await expect(stage.read(much)).rejects.toThrow();
    const asked = stage.server.requests.length;
    await expect(stage.read(much)).rejects.toThrow();
    expect(stage.server.requests.length).toBe(asked);
    expect(stage.report().lost).toMatchObject([{ first: much.first }]);
  });
});

it('a running download has an end that is merely late', async () => {
  stage = await setStage({
    content: MKV,
    serving: { ...COMPLETE, complete: false },
    script: { late: [{ ...LOST, milliseconds: 700, status: 404 }] },
  });
  expect(stage.isRight(await stage.read(LOST), LOST.first)).toBe(true);
  expect(stage.report()).toMatchObject({ fills: [], counters: { lost: 0 } });
});

it('a hole of one article is bridged in a file below 49 MB', async () => {
  const size = 40_000_000;
  const hole = { first: 20_000_123, last: 20_716_922 };
  const content = clipContent(mkvClip({ name: 'Sintel.2010.mkv', seconds: 800, size }));
  stage = await setStage({ content, script: { missing: [hole] } });
  const bytes = await stage.read({ first: hole.first - 10, last: hole.last + 10 });
  expect(stage.isRight(bytes.subarray(-10), hole.last + 1)).toBe(true);
  expect(stage.report().fills).toMatchObject([hole]);
});
