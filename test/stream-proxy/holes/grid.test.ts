import { afterEach, describe, expect, it } from 'vitest';
import { mkvClip } from '../../../sandbox/clips/index.ts';
import { articleSizesToTry, FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';
import { clipContent } from '../../support/fault-server/index.ts';
import { COMPLETE, type Stage, setStage } from './stage.ts';

const SIZE = 100_000_000;
const FILM = clipContent(mkvClip({ name: 'Sintel.2010.mkv', seconds: 1000, size: SIZE }));
const ARTICLE = 716_800;
/** As the NZB tells it of articles of this size. */
const ENCODED = 739_000;

let stage: Stage;
afterEach(() => stage.close());

/** Requests that the server called missing, and those of one byte that it answered. */
const refused = () => stage.server.requests.filter(({ status }) => status === 404);
const glances = () => stage.server.requests.filter(({ status, range }) => status === 206 && isGlance(range));
const isGlance = (range: string | undefined) => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  return first !== undefined && first === last;
};

async function play(hole: { first: number; last: number }, hint: number | undefined, before = 1_000_000) {
  const serving = hint === undefined ? COMPLETE : { ...COMPLETE, articleBytes: hint };
  stage = await setStage({ content: FILM, serving, script: { missing: [hole] } });
  const from = hole.first - before;
  const bytes = await stage.read({ first: from, last: hole.last + 1_000_000 });
  expect(stage.isRight(bytes.subarray(0, before), from)).toBe(true);
  expect(stage.isRight(bytes.subarray(hole.last + 1 - from), hole.last + 1)).toBe(true);
  expect(stage.report()).toMatchObject({ fills: [hole], counters: { lost: 0 } });
}

const lostFrom = (first: number, bytes: number) => ({ first, last: first + bytes - 1 });

describe('a lost article', () => {
  it('is bridged by a look at its last byte and the read that goes on behind it', async () => {
    const hole = lostFrom(40 * ARTICLE, ARTICLE);
    await play(hole, ENCODED);
    // Two that met it, its last byte and its middle, and its first and last one again.
    expect(refused().length).toBe(6);
    expect(glances()).toEqual([]);
    const behind = stage.server.requests.filter(({ range }) => range === `bytes=${hole.last + 1}-`);
    expect(behind.length).toBe(1);
  });

  it('whose size the NZB tells decoded is bridged in the same way', async () => {
    await play(lostFrom(40 * ARTICLE, ARTICLE), ARTICLE);
    expect(refused().length).toBe(6);
  });

  it.each(FILL_POLICY.articleSizes)('of %i bytes is bridged exactly without a hint', async (size) => {
    await play(lostFrom(40 * size, size), undefined);
    expect(refused().length + glances().length).toBeLessThan(20);
  });

  it('of an unusual size is bridged exactly', async () => {
    await play(lostFrom(50 * 555_555, 555_555), 570_000);
  });

  it('in a volume of a RAR set, where the grid begins anew, is bridged exactly', async () => {
    const volume = 20_000_117;
    await play(lostFrom(volume + 3 * ARTICLE, ARTICLE), ENCODED);
    expect(refused().length).toBe(6);
  });

  it('that is the short last one of a volume is bridged exactly', async () => {
    await play(lostFrom(27 * ARTICLE, 123_457), ENCODED);
  });

  it('is bridged exactly by a seek into it', async () => {
    const article = lostFrom(40 * ARTICLE, ARTICLE);
    await play({ first: article.first + 300_001, last: article.last }, ENCODED, 0);
  });
});

it('a lost part of which one look is answered by a passing 404 is bridged exactly', async () => {
  const hole = lostFrom(40 * ARTICLE, 20_000);
  const last = hole.first + ARTICLE - 1;
  const serving = { ...COMPLETE, articleBytes: ENCODED };
  // The look at the article's last byte: gone a moment later.
  const late = { first: last, last, milliseconds: 400, status: 404 } as const;
  stage = await setStage({ content: FILM, serving, script: { missing: [hole], late: [late] } });
  const bytes = await stage.read({ first: hole.first - 1_000, last: hole.last + 1_000 });
  expect(stage.isRight(bytes.subarray(-1_000), hole.last + 1)).toBe(true);
  expect(stage.report().fills).toMatchObject([hole]);
});

it('several lost articles in a row are bridged exactly', async () => {
  await play(lostFrom(40 * ARTICLE, 2 * ARTICLE), ENCODED);
});

it('the search begins when the read-ahead meets the hole, not when the player stands before it', async () => {
  const hole = lostFrom(40 * ARTICLE, ARTICLE);
  stage = await setStage({
    content: FILM,
    serving: { ...COMPLETE, articleBytes: ENCODED },
    script: { missing: [hole] },
  });
  const response = await fetch(stage.url, { headers: { range: `bytes=${hole.first - 8_000_000}-` } });
  const reader = response.body?.getReader();
  await reader?.read();
  await expect.poll(() => stage.report().fills, { timeout: 10_000 }).toMatchObject([hole]);
  await reader?.cancel();
});

it('the player is not given up while the search advances', async () => {
  const hole = lostFrom(40 * ARTICLE, 2 * ARTICLE);
  // Each answer takes a good part of what it waits for a byte, all of them many times that.
  stage = await setStage({
    content: FILM,
    serving: COMPLETE,
    script: { missing: [hole], latency: 300 },
    read: { nextByteTimeout: 2_000, firstByteTimeout: 5_000 },
  });
  const bytes = await stage.read({ first: hole.first - 1_000_000, last: hole.last + 10 });
  expect(stage.isRight(bytes.subarray(-10), hole.last + 1)).toBe(true);
  expect(stage.report().fills).toMatchObject([hole]);
});

describe('the sizes of articles that are tried', () => {
  const sizes = (encoded: number | undefined) => articleSizesToTry(FILL_POLICY, encoded);

  it('are the usual ones without a hint, or with a strange one', () => {
    expect(sizes(undefined)).toEqual(FILL_POLICY.articleSizes);
    expect(sizes(100)).toEqual(FILL_POLICY.articleSizes);
  });

  it.each([
    [739_000, 716_800],
    [716_800, 716_800],
    [716_799, 640_000],
    [792_000, 768_000],
    [396_000, 384_000],
  ])('are the nearest below what the NZB says: %i', (encoded, size) => {
    expect(sizes(encoded)).toEqual([size]);
  });
});
