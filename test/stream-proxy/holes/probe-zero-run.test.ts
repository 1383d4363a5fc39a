import { afterEach, describe, expect, it } from 'vitest';
import { mkvClip, mp4Clip } from '../../../sandbox/clips/index.ts';
import { silentMatroska, silentMp4 } from '../../media/silent.ts';
import { type Content, clipContent, opaqueContent, type Region } from '../../support/fault-server/index.ts';
import { RawClient } from '../../support/raw-client.ts';
import { COMPLETE, FILLING, type Stage, setStage, zeroed } from './stage.ts';

const SIZE = 100_000_000;
const MKV = clipContent(mkvClip({ name: 'Sintel.mkv', seconds: 100, size: SIZE }));
const MP4 = clipContent(mp4Clip({ name: 'Sintel.mp4', seconds: 1000, size: SIZE, index: 'front' }));
const ARTICLE = 716_800;
const LOST = { first: 40 * ARTICLE, last: 42 * ARTICLE - 1 };
const AROUND = { first: LOST.first - 2_000_000, last: LOST.last + 2_000_000 };

let stage: Stage;
afterEach(() => stage.close());

const inMemory = (bytes: Buffer): Content => ({
  size: bytes.length,
  read: (first, last) => bytes.subarray(first, last + 1),
});

/** The bytes of the hole that the session has filled; all others of the range are right. */
async function playAround(region: Region = AROUND): Promise<Buffer> {
  const bytes = await stage.read(region);
  const [fill] = stage.report().fills;
  if (fill === undefined) throw new Error('nothing is filled');
  expect(fill.first).toBeLessThanOrEqual(LOST.first);
  expect(fill.last).toBeGreaterThanOrEqual(LOST.last);
  const [from, to] = [Math.max(0, fill.first - region.first), fill.last + 1 - region.first];
  expect(stage.isRight(bytes.subarray(0, from), region.first)).toBe(true);
  expect(stage.isRight(bytes.subarray(to), fill.last + 1)).toBe(true);
  return bytes.subarray(from, to);
}

describe('zeros in place of a lost article, at a server that fills', () => {
  it('are bridged in Matroska as a hole that is called missing, and stay as they were', async () => {
    stage = await setStage({ content: MKV, served: zeroed(MKV, [LOST]), serving: FILLING });
    const once = await playAround();
    expect(once.every((byte) => byte === 0)).toBe(false);
    expect((await playAround()).equals(once)).toBe(true);
    expect(stage.report()).toMatchObject({ fills: [{ how: 'Void elements: 1' }], counters: { lost: 0 } });
  });

  it('are found by a seek into the middle of them', async () => {
    stage = await setStage({ content: MKV, served: zeroed(MKV, [LOST]), serving: FILLING });
    const middle = await stage.read({ first: LOST.first + ARTICLE, last: LOST.last + 100_000 });
    const whole = await stage.read(AROUND);
    expect(whole.subarray(LOST.first + ARTICLE - AROUND.first, -1_900_000).equals(middle)).toBe(true);
    expect(stage.report().fills.length).toBe(1);
  });

  it('are found where the request that meets them is not the one that plays', async () => {
    const lost = { first: SIZE - 5 * ARTICLE, last: SIZE - 3 * ARTICLE - 1 };
    stage = await setStage({ content: MKV, served: zeroed(MKV, [lost]), serving: FILLING });
    const player = new RawClient(Number(new URL(stage.url).port));
    try {
      const { host, pathname } = new URL(stage.url);
      player.send('GET', pathname, { host, range: 'bytes=10000000-' });
      expect((await player.head(5_000))?.status).toBe(206);
      const tail = await stage.read({ first: lost.first - 100_000, last: lost.last + 100_000 });
      expect(stage.isRight(tail.subarray(0, 90_000), lost.first - 100_000)).toBe(true);
      expect(stage.report()).toMatchObject({ fills: [{ how: 'Void elements: 1' }], counters: { lost: 0 } });
    } finally {
      player.close();
    }
  });

  it('are not given up while they are looked into, however slowly the server answers', async () => {
    stage = await setStage({
      content: MKV,
      served: zeroed(MKV, [LOST]),
      serving: FILLING,
      script: { latency: 150 },
      read: { nextByteTimeout: 600, firstByteTimeout: 600 },
    });
    const behind = { first: LOST.last + 1, last: LOST.last + 100_000 };
    const bytes = await stage.read({ first: LOST.last - 500_000, last: behind.last });
    expect(stage.isRight(bytes.subarray(-100_000), behind.first)).toBe(true);
    expect(stage.report()).toMatchObject({ fills: [{ how: 'Void elements: 1' }], counters: { lost: 0 } });
  });

  it('are listed in MP4, where samples begin in them', async () => {
    stage = await setStage({
      content: MP4,
      served: zeroed(MP4, [LOST]),
      name: 'Sintel.mp4',
      serving: FILLING,
    });
    await playAround();
    expect(stage.report()).toMatchObject({
      fills: [{ how: 'zeros: broken samples' }],
      counters: { lost: 0 },
    });
  });

  it('are not given out as an MP4’s index', async () => {
    const tail = clipContent(mp4Clip({ name: 'Sintel.mp4', seconds: 1000, size: SIZE, index: 'tail' }));
    const lost = { first: SIZE - 90_000, last: SIZE - 1 };
    stage = await setStage({
      content: tail,
      served: zeroed(tail, [lost]),
      name: 'Sintel.mp4',
      serving: FILLING,
    });
    await expect(stage.read({ first: SIZE - 4_000_000, last: SIZE - 1 })).rejects.toThrow();
    expect(stage.report()).toMatchObject({ fills: [], counters: { lost: 1 } });
    expect(stage.report().failure).toBeDefined();
  });

  it('beyond what may be filled end the stream hard, with a failure that starts the next release', async () => {
    const much = { first: LOST.first, last: LOST.first + 4_000_000 };
    stage = await setStage({ content: MKV, served: zeroed(MKV, [much]), serving: FILLING });
    await expect(stage.read({ first: AROUND.first, last: much.last + 10 })).rejects.toThrow();
    expect(stage.report()).toMatchObject({ fills: [], lost: [{ last: much.last }], counters: { lost: 1 } });
    expect(stage.report().failure?.what).toContain('parts of it are missing');
  });

  it('count together with those that are called missing', async () => {
    const other = { first: 80 * ARTICLE, last: 81 * ARTICLE - 1 };
    stage = await setStage({
      content: MKV,
      served: zeroed(MKV, [LOST]),
      serving: FILLING,
      script: { missing: [other] },
    });
    await playAround();
    await expect(stage.read({ first: other.first - 10, last: other.last + 10 })).rejects.toThrow();
    expect(stage.report().fills.length).toBe(1);
  });
});

it('zeros at which a body breaks off, as of a server whose provider is gone, are read again', async () => {
  const put = { first: LOST.first + 12_345, last: LOST.first + 250_000 };
  const there = zeroed(MKV, [put]);
  const cut = { kind: 'cut', at: { position: put.last + 1 }, how: 'fin', times: 1 } as const;
  // The provider is back once the body has broken off.
  const struck = { times: () => 0 };
  const isOut = () => struck.times() === 0;
  const served: Content = {
    size: SIZE,
    read: (first, last) => (isOut() && last < put.last + 1 ? there : MKV).read(first, last),
  };
  stage = await setStage({ content: MKV, served, serving: FILLING, script: { faults: [cut] } });
  struck.times = () => stage.server.struck.get(cut) ?? 0;
  const bytes = await stage.read(AROUND);
  expect(stage.isRight(bytes, AROUND.first)).toBe(true);
  expect(stage.report()).toMatchObject({ fills: [], counters: { lost: 0 } });
});

describe('zeros are given out as they are', () => {
  const own = [
    ['Matroska', silentMatroska(), 'Sintel.mkv'],
    ['MP4', silentMp4(), 'Sintel.mp4'],
  ] as const;

  it.each(own)('where they are ten seconds of silence: %s', async (_what, bytes, name) => {
    stage = await setStage({ content: inMemory(bytes), name, serving: FILLING });
    expect((await stage.read({ first: 0, last: bytes.length - 1 })).equals(bytes)).toBe(true);
    for (const first of [300_001, 1_000_000])
      expect(
        (await stage.read({ first, last: first + 400_000 })).equals(bytes.subarray(first, first + 400_001)),
      ).toBe(true);
    expect(stage.report()).toMatchObject({ fills: [], counters: { filled: 0, lost: 0 } });
  });

  it.each(own)(
    'and do not make a film look damaged before it is handed over: %s',
    async (_what, bytes, name) => {
      stage = await setStage({ content: inMemory(bytes), name, serving: { ...FILLING, look: 'cheap' } });
      expect(stage.report()).toMatchObject({ fills: [], counters: { filled: 0, lost: 0 } });
    },
  );

  it.each([
    ['of a server that does not fill', MKV, COMPLETE],
    ['in a file of which nothing is known', opaqueContent(SIZE), FILLING],
  ])('%s', async (_what, content, serving) => {
    stage = await setStage({ content, served: zeroed(content, [LOST]), serving });
    const bytes = await stage.read(LOST);
    expect(bytes.every((byte) => byte === 0)).toBe(true);
    expect(stage.report().fills).toEqual([]);
  });

  it('in a row that begins nothing: inside of one element', async () => {
    const padding = { first: LOST.first + 200_000, last: LOST.first + 300_000 };
    stage = await setStage({ content: MKV, served: zeroed(MKV, [padding]), serving: FILLING });
    const bytes = await stage.read(padding);
    expect(bytes.every((byte) => byte === 0)).toBe(true);
    expect(stage.report().fills).toEqual([]);
  });
});
