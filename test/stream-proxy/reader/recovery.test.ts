import { once } from 'node:events';
import http from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';
import { type Policies, READ_POLICY, type RetryPolicy } from '../../../src/stream-proxy/policy/policies.ts';
import type { RunningProxy } from '../../../src/stream-proxy.ts';
import {
  type AnswerPlan,
  type FileServer,
  type SeenRequest,
  startFileServer,
} from '../../support/file-server.ts';
import { play, prepare, startTestProxy } from '../../support/proxy.ts';
import { Random } from '../../support/random.ts';

/** The rules of the real one, faster. */
const FAST: RetryPolicy = {
  ...READ_POLICY,
  pauses: [0, 10, 20, 40],
  stallTimeout: 300,
  hedgeAfter: 200,
  hedgeAfterCostly: 200,
};
const SIZE = 4_000_037;
/** The first byte that is not known since /prepare. */
const START = 65_536;
const FROM_START = `bytes=${START}-`;
/** What is missing is given up at once, not looked into. */
const NO_FILLS = { fills: { ...FILL_POLICY, maxHoles: 0 } };
let proxy: RunningProxy & { readonly lines: string[] };
let files: FileServer;

async function serve(read = FAST, policies: Partial<Policies> = {}, first: AnswerPlan = {}) {
  files = await startFileServer(SIZE, () => first);
  proxy = await startTestProxy({ policies: { read, ...policies } });
  return prepare(proxy, files.url);
}

/** Answers the first `count` requests by `plan`, all later ones honestly. */
function failing(count: number, plan: AnswerPlan | ((request: SeenRequest) => AnswerPlan)) {
  const from = files.requests.length;
  files.plan((request, index) =>
    index - from < count ? (typeof plan === 'function' ? plan(request) : plan) : {},
  );
}

/** The request is taken, and nothing ever comes. */
const HANG: AnswerPlan = { stallAfter: -1 };
/** A web page, say: bytes that are not the file's, of a length that nobody tells. */
const foreign = (length: number): AnswerPlan => ({
  status: 200,
  bytes: { first: 777_777, last: 777_777 + length - 1 },
  headers: { 'content-length': undefined, 'content-range': undefined },
});

/** Those of another file under the same range. */
const otherBytes = ({ first }: SeenRequest): AnswerPlan => ({
  bytes: { first: first + 777, last: SIZE + 776 },
});

/** The right bytes, of a file that is said to be longer. */
const otherSize = ({ first, headers: { range = '' } }: SeenRequest): AnswerPlan => {
  const last = /-(\d+)$/.exec(range)?.[1] ?? SIZE - 1;
  return { headers: { 'content-range': `bytes ${first}-${last}/${SIZE + 1}` } };
};

/** What tells one version of a file from another: a header, and two values of it. */
const VERSIONS = [
  ['its ETag', 'etag', '"one"', '"other"'],
  ['its date', 'last-modified', 'Mon, 05 Jan 2015 08:00:00 GMT', 'Mon, 05 Jan 2015 08:00:01 GMT'],
] as const;

const RIGHT = { complete: true, wrongAt: undefined };

afterEach(async () => {
  await proxy.close();
  await files.close();
});

describe('a read that fails is resumed at the missing byte', () => {
  it.each<[string, AnswerPlan]>([
    ['the connection breaks', { dropAfter: 1_234_567 }],
    ['the body ends short', { endAfter: 1_234_567, headers: { 'content-length': undefined } }],
    ['it breaks before the first byte', { dropAfter: 0 }],
    ['503', { status: 503 }],
    ['404, as for a missing article', { status: 404 }],
    ['a length that contradicts the range', { headers: { 'content-length': '77' } }],
    ['a range that starts elsewhere', { answer: { first: 5, last: 999 } }],
    ['no Content-Range', { headers: { 'content-range': undefined } }],
    ['an encoded body', { headers: { 'content-encoding': 'gzip' } }],
  ])('when %s', async (_what, plan) => {
    const { url } = await serve();
    const from = files.requests.length;
    failing(1, plan);
    const played = await play(url, FROM_START);
    expect(played).toMatchObject({ ...RIGHT, status: 206, count: SIZE - START });
    expect(proxy.sessions()[0]?.counters.retries).toBe(1);
    // An answer that is refused by its head gives no byte; of all others, each byte that came is used.
    const { dropAfter, stallAfter, endAfter } = plan;
    const first = files.requests[from + 1]?.first;
    expect(first).toBeGreaterThanOrEqual(START);
    expect(first).toBeLessThanOrEqual(START + Math.max(0, dropAfter ?? stallAfter ?? endAfter ?? 0));
  });

  it.each<[string, AnswerPlan]>([
    ['goes silent', { stallAfter: 1_234_567 }],
    ['ends short and the connection stays, as nzbdav does', { endAfter: 1_234_567 }],
  ])('by a second request beside it, when the body %s', async (_what, plan) => {
    const { url } = await serve();
    const from = files.requests.length;
    failing(1, plan);
    const played = await play(url, FROM_START);
    expect(played).toMatchObject({ ...RIGHT, status: 206, count: SIZE - START });
    const [session] = proxy.sessions();
    expect(session?.counters.retries).toBe(0);
    expect(session?.decisions.map(({ what }) => what).join('\n')).toContain('has begun to deliver first');
    // Exactly at the missing byte, and the first one's connection is closed.
    const [first, second] = files.requests.slice(from);
    expect(second?.first).toBe((first?.first ?? 0) + 1_234_567);
    await first!.over;
  });

  it.each([
    ['before its first byte', 0],
    ['in its middle', 700_001],
  ])(
    'though every body is silent for longer than a connection is listened to alone, %s',
    async (_, stallAfter) => {
      const { url } = await serve({ ...FAST, nextByteTimeout: 5_000, firstByteTimeout: 5_000 });
      const from = files.requests.length;
      files.plan(() => ({ stallAfter, stallFor: 1_000 }));
      const played = await play(url, 'bytes=70000-2499999');
      expect(played).toMatchObject({ ...RIGHT, status: 206, count: 2_430_000 });
      expect(proxy.sessions()[0]?.counters.retries).toBe(0);
      // A second one beside the first for each silence that was met, and none beside that.
      expect(files.requests.length - from).toBeLessThanOrEqual(4);
    },
  );

  it('asks for exactly the byte that is missing', async () => {
    const { url } = await serve();
    failing(1, { endAfter: 700_001, headers: { 'content-length': undefined } });
    await play(url, 'bytes=70000-');
    expect(files.requests.at(-1)?.headers.range).toBe(`bytes=${70_000 + 700_001}-`);
  });

  it('when no head comes, whether the connection was an old one or a new one', async () => {
    const { url } = await serve();
    failing(2, { dropAfter: -1 });
    expect(await play(url, FROM_START)).toMatchObject({ ...RIGHT, count: SIZE - START });
    expect(files.requests).toHaveLength(4);
  });

  it('when the request for the missing byte is swallowed', async () => {
    const { url } = await serve({ ...FAST, lateHeadAfter: 200 });
    const plans: AnswerPlan[] = [{ endAfter: 500_000, headers: { 'content-length': undefined } }, HANG];
    const from = files.requests.length;
    files.plan((_request, index) => plans[index - from] ?? {});
    expect(await play(url, 'bytes=0-')).toMatchObject({ ...RIGHT, count: SIZE });
  });

  it('when the first request is swallowed', async () => {
    const { url } = await serve({ ...FAST, lateHeadAfter: 200 });
    failing(1, HANG);
    expect(await play(url, FROM_START)).toMatchObject({ ...RIGHT, count: SIZE - START });
  });

  it('when a web page of unknown length comes instead of the file', async () => {
    const { url } = await serve();
    failing(1, foreign(300));
    expect(await play(url, 'bytes=0-')).toMatchObject({ ...RIGHT, count: SIZE });
  });

  it('after more failures than there are tries, as when the server restarts', async () => {
    const { url } = await serve();
    failing(FAST.maxTries * 3, { status: 503 });
    expect(await play(url, FROM_START)).toMatchObject({ ...RIGHT, count: SIZE - START });
  });

  it('without end, as long as bytes come', async () => {
    const { url } = await serve();
    failing(50, { dropAfter: 70_000 });
    expect(await play(url, 'bytes=0-')).toMatchObject({ ...RIGHT, count: SIZE });
  });

  it('when the server answers less than was asked for, without calling it a failure', async () => {
    const { url } = await serve();
    files.plan(({ first }) => ({ answer: { first, last: Math.min(SIZE - 1, first + 999_999) } }));
    expect(await play(url, FROM_START)).toMatchObject({ ...RIGHT, count: SIZE - START });
    expect(proxy.sessions()[0]?.counters).toMatchObject({ retries: 0, opens: 4 });
  });

  it('when the server answers more than was asked for, and sends no byte of it', async () => {
    const { url } = await serve();
    files.plan(({ first }) => ({ answer: { first, last: SIZE - 1 } }));
    expect(await play(url, 'bytes=70000-139999')).toMatchObject({ ...RIGHT, count: 70_000 });
    await files.requests.at(-1)!.over;
  });
});

describe('what cannot be had breaks off and never looks whole', () => {
  it.each<[string, AnswerPlan, number]>([
    ['the password is refused', { status: 401 }, 1],
    // One answer may be a slip of the server's.
    ['the file has become shorter, as all three answers say', { status: 416 }, 3],
    [
      'the file has changed its size, as all three answers say',
      {
        headers: {
          'content-range': `bytes ${START}-${SIZE}/${SIZE + 1}`,
          'content-length': String(SIZE - START + 1),
        },
      },
      3,
    ],
  ])('at once when %s', async (_what, plan, requests) => {
    const { url } = await serve();
    const before = files.requests.length;
    files.plan(() => plan);
    expect(await play(url, FROM_START)).toMatchObject({ status: 0, count: 0, complete: false });
    expect(files.requests.length - before).toBe(requests);
    expect(proxy.sessions()[0]?.decisions.at(-1)?.what).toMatch(/^give-up at byte 65536: /);
  });

  it.each(VERSIONS)('at once when the file has changed %s', async (_what, header, one, other) => {
    const { url } = await serve(FAST, {}, { headers: { [header]: one } });
    files.plan((request) => ({ ...otherBytes(request), headers: { [header]: other } }));
    expect(await play(url, FROM_START)).toMatchObject({ status: 0, count: 0, complete: false });
    expect(proxy.sessions()[0]?.decisions.at(-1)?.what).toMatch(/^give-up at byte 65536: changed/);
  });

  it('after the last try, when all that comes are whole pages', async () => {
    const { url } = await serve();
    const before = files.requests.length;
    files.plan(() => ({ status: 200, answer: { first: 0, last: SIZE - 1 } }));
    expect(await play(url, FROM_START)).toMatchObject({ status: 0, count: 0, complete: false });
    expect(files.requests.length - before).toBe(FAST.maxTries);
  });

  it('after the last try, with every byte until then delivered', async () => {
    const { url } = await serve(FAST, NO_FILLS);
    let asked = 0;
    files.plan(() =>
      asked++ === 0 ? { endAfter: 500_000, headers: { 'content-length': undefined } } : { status: 404 },
    );
    expect(await play(url, 'bytes=0-')).toMatchObject({
      status: 206,
      count: START + 500_000,
      complete: false,
      wrongAt: undefined,
    });
    // The body that ended short, then as many 404 as there are tries.
    expect(asked).toBe(1 + FAST.maxMissingTries);
    expect(proxy.lines.join('\n')).toContain('gave up');
  });

  it('when the upstream is gone for longer than the player waits', async () => {
    const { url } = await serve({ ...FAST, firstByteTimeout: 300 });
    await files.close();
    expect(await play(url, FROM_START)).toMatchObject({ status: 0, complete: false });
    files = await startFileServer(1);
  });

  it('and leaves no connection to the upstream behind', async () => {
    const { url } = await serve();
    failing(5, { stallAfter: 100 });
    expect(await play(url, 'bytes=0-')).toMatchObject({ ...RIGHT, count: SIZE });
    await expect
      .poll(() => files.requests.filter(({ isOver }) => !isOver).length, { timeout: 10_000 })
      .toBe(0);
  });
});

describe('an answer that tells of another version', () => {
  const ONE: AnswerPlan = { headers: { etag: '"one"' } };
  const OTHER: AnswerPlan = { headers: { etag: '"other"' } };

  it.each([1, 2])('or of another size does not end the stream when %d alone do so', async (count) => {
    const { url } = await serve();
    failing(count, otherSize);
    expect(await play(url, FROM_START)).toMatchObject({ ...RIGHT, count: SIZE - START });
  });

  it.each(VERSIONS)('was the first one, or %s alone is another: the bytes decide', async (...version) => {
    const [, header, one, other] = version;
    const { url } = await serve(FAST, {}, { headers: { [header]: one } });
    files.plan(() => ({ headers: { [header]: other } }));
    expect(await play(url, 'bytes=70000-99999')).toMatchObject({ ...RIGHT, count: 30_000 });
    // It is the file's version from now on: nothing is in doubt any more.
    const before = files.requests.length;
    expect(await play(url, 'bytes=2000000-2099999')).toMatchObject({ ...RIGHT, count: 100_000 });
    expect(files.requests.length - before).toBe(1);
  });

  it('is found to be one after the engine was replaced, too', async () => {
    const { url, id } = await serve(FAST, {}, ONE);
    await play(url, 'bytes=0-99999');
    const snapshot = proxy.snapshot();
    await proxy.close();
    proxy = await startTestProxy({ snapshot, policies: { read: FAST } });
    files.plan(() => OTHER);
    const now = `http://127.0.0.1:${proxy.port}/stream/${id}/film.mkv`;
    expect(await play(now, FROM_START)).toMatchObject({ ...RIGHT, count: SIZE - START });
    expect(JSON.stringify(proxy.snapshot())).toContain('other');
  });
});

it('an origin that errs in one answer of five ends none of 60 seeks', async () => {
  const random = new Random(20_261_124);
  const { url } = await serve(FAST, {}, { headers: { etag: '"one"' } });
  let slips = 0;
  files.plan((request) => {
    if (!random.chance(0.2)) return { headers: { etag: '"one"' } };
    slips++;
    return random.chance(0.5) ? otherSize(request) : { headers: { etag: '"other"' } };
  });
  const places = new Random(1);
  for (let seek = 0; seek < 60; seek++) {
    const from = places.int(START, SIZE - 50_000);
    expect(await play(url, `bytes=${from}-${from + 49_999}`)).toMatchObject({ ...RIGHT, count: 50_000 });
  }
  expect(slips).toBeGreaterThan(6);
}, 60_000);

it('a player that pauses for long is no reason to give up', async () => {
  const { url } = await serve();
  const big = await startFileServer(2 ** 34);
  try {
    const other = await prepare(proxy, big.url);
    const request = http.get(other.url, { agent: false });
    const [message] = (await once(request, 'response')) as [http.IncomingMessage];
    message.pause();
    const upstream = big.requests.at(-1)!;
    // Longer than the silence that would count as a stall, measured by a stall that happens meanwhile.
    failing(1, { stallAfter: 1000 });
    await play(url, 'bytes=0-');
    expect(upstream.isOver).toBe(false);
    request.destroy();
    await upstream.over;
  } finally {
    await big.close();
  }
});

it('whatever an upstream does, no wrong byte arrives and nothing short looks whole', async () => {
  const { url } = await serve();
  const cut = fc.integer({ min: 0, max: 400_000 });
  const fault = fc.oneof(
    fc.record({ dropAfter: cut }),
    fc.nat(700_000).map(foreign),
    fc.integer({ min: 1, max: 700_000 }).map((length): AnswerPlan => {
      const plan = foreign(length);
      return { ...plan, headers: { ...plan.headers, 'content-length': String(length) } };
    }),
    fc.record({ endAfter: cut, headers: fc.constant({ 'content-length': undefined }) }),
    fc.record({ status: fc.constantFrom(404, 416, 429, 500, 503) }),
    fc
      .record({ answer: fc.record({ first: fc.nat(SIZE - 1001), length: fc.nat(1000) }) })
      .map(
        ({ answer }): AnswerPlan => ({ answer: { first: answer.first, last: answer.first + answer.length } }),
      ),
    fc.constant({}),
  ) as fc.Arbitrary<AnswerPlan>;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 8 }),
      fc.oneof(fc.constant(0), fc.nat(SIZE - 1)),
      async (faults, first) => {
        const from = files.requests.length;
        files.plan((_request, index) => faults[index - from] ?? {});
        const last = Math.min(SIZE - 1, first + 600_000);
        const played = await play(url, `bytes=${first}-${last}`);
        expect(played.wrongAt).toBeUndefined();
        if (played.complete) expect(played.count).toBe(last - first + 1);
      },
    ),
    { numRuns: 40 },
  );
});

it('a request that gives way to a newer one outlasts the server’s trouble as well', async () => {
  const { url } = await serve();
  const honest = performance.now() + 1_000;
  files.plan(() => (performance.now() < honest ? { status: 503 } : {}));
  const older = play(url, FROM_START);
  const asked = files.requests.length;
  await expect.poll(() => files.requests.length).toBeGreaterThan(asked);
  const newer = play(url, 'bytes=2000000-2999999');
  expect(await Promise.all([older, newer])).toMatchObject([
    { ...RIGHT, count: SIZE - START },
    { ...RIGHT, count: 1_000_000 },
  ]);
});
