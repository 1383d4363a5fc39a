import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { READ_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import type { LoanStream } from '../../../src/stream-proxy/reader/read-range.ts';
import { type RunningProxy, streamProxy } from '../../../src/stream-proxy.ts';
import { type FileServer, nzbdavPlan, startFileServer } from '../../support/file-server.ts';
import { play, prepare, requestProxy, startTestProxy } from '../../support/proxy.ts';
import { virtualBytes } from '../../support/virtual-file.ts';

const SIZE = 3_000_017;
/** The machine that tests may be busy. */
const PATIENT = { timeout: 10_000 };
let proxy: RunningProxy;
let files: FileServer;

async function serve(size = SIZE, plan?: Parameters<typeof startFileServer>[1]) {
  files = await startFileServer(size, plan);
  proxy = await startTestProxy();
  return prepare(proxy, files.url);
}

/** The same stream; `lent` holds what has not been given back. */
function counted(bytes: LoanStream, lent: Set<object>): LoanStream {
  return {
    next: async () => {
      const loan = await bytes.next();
      if (loan === undefined) return undefined;
      lent.add(loan);
      return {
        bytes: loan.bytes,
        release: () => {
          lent.delete(loan);
          loan.release();
        },
      };
    },
    idle: false,
    close: () => {
      bytes.close();
    },
  };
}

/** Waits until a number grows no more. */
async function standstill(number: () => number | undefined): Promise<void> {
  let before: number | undefined;
  const stands = () => {
    const now = number();
    const still = now === before;
    before = now;
    return still;
  };
  await expect.poll(stands, { ...PATIENT, interval: 200 }).toBe(true);
}

afterEach(async () => {
  await proxy.close();
  await files.close();
});

describe('an answer whose server goes away', () => {
  it.each([
    ['before its first byte', 0, 1],
    ['in the middle', 1_000_000, 0],
  ])(
    'is told as a refusal when it breaks off before its first byte, and only then: %s',
    async (_, dropAfter, told) => {
      let refusals = 0;
      files = await startFileServer(SIZE);
      proxy = await startTestProxy({
        onStreamRefused: () => refusals++,
        policies: { read: { ...READ_POLICY, refusedTimeout: 1 } },
      });
      const { url } = await prepare(proxy, files.url);
      files.plan(({ first }) => (first < 2_000_000 ? { dropAfter: 2_000_000 - first } : { status: 503 }));
      const from = 2_000_000 - dropAfter;
      expect(await play(url, `bytes=${from}-`)).toMatchObject({ complete: false });
      expect(refusals).toBe(told);
    },
  );
});

describe('ranges', () => {
  it.each([
    ['bytes=0-', 0, SIZE - 1],
    ['bytes=0-0', 0, 0],
    ['bytes=1-1', 1, 1],
    ['bytes=65535-65536', 65_535, 65_536],
    [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE - 1],
    [`bytes=100-${SIZE * 2}`, 100, SIZE - 1],
    ['bytes=-1', SIZE - 1, SIZE - 1],
    ['bytes=-131072', SIZE - 131_072, SIZE - 1],
    [`bytes=-${SIZE + 5}`, 0, SIZE - 1],
  ])('serves %s exactly', async (range, first, last) => {
    const { url } = await serve();
    const answer = await requestProxy(url, { headers: { range } });
    expect(answer.status).toBe(206);
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${first}-${last}/${SIZE}`,
      'content-length': String(last - first + 1),
      'content-type': 'video/x-matroska',
      'accept-ranges': 'bytes',
    });
    expect(answer.headers['transfer-encoding']).toBeUndefined();
    expect(answer.body.equals(virtualBytes(first, last))).toBe(true);
  });

  it.each([`bytes=${SIZE}-`, 'bytes=-0', `bytes=${SIZE + 1}-${SIZE + 2}`, 'bytes=9007199254740991-'])(
    'answers 416 to %s',
    async (range) => {
      const { url } = await serve();
      const answer = await requestProxy(url, { headers: { range } });
      expect(answer.status).toBe(416);
      expect(answer.headers['content-range']).toBe(`bytes */${SIZE}`);
    },
  );

  it.each(['bytes=5-2', 'bytes=0-1,5-9', 'items=0-5', 'bytes=a-b', 'bytes=', 'bytes 0-5'])(
    'ignores %s and serves everything',
    async (range) => {
      const { url } = await serve();
      expect(await play(url, range)).toMatchObject({
        status: 200,
        count: SIZE,
        complete: true,
        wrongAt: undefined,
      });
    },
  );

  it('serves everything with 200 when no range is asked for', async () => {
    const { url } = await serve();
    const answer = await play(url);
    expect(answer).toMatchObject({ status: 200, count: SIZE, complete: true, wrongAt: undefined });
    expect(answer.headers['content-range']).toBeUndefined();
  });

  it('keeps positions beyond 2^32 exact', async () => {
    const size = 2 ** 40 + 3;
    const { url } = await serve(size);
    for (const first of [2 ** 31 - 1, 2 ** 32 - 1, 2 ** 32, size - 70_000]) {
      const answer = await requestProxy(url, { headers: { range: `bytes=${first}-${first + 65_536}` } });
      expect(answer.body.equals(virtualBytes(first, first + 65_536))).toBe(true);
    }
  });

  it('never sends an upstream a suffix, and gets nzbdav right', async () => {
    const { url } = await serve(SIZE, nzbdavPlan(SIZE));
    for (const range of [undefined, 'bytes=0-', 'bytes=-70000', 'bytes=1000000-', 'bytes=0-99'])
      expect(await play(url, range)).toMatchObject({ complete: true, wrongAt: undefined });
    expect(files.requests.filter(({ headers }) => headers.range?.startsWith('bytes=-'))).toEqual([]);
  });
});

describe('conditions', () => {
  it('go by an entity tag that each answer carries and each session has of its own', async () => {
    const { url } = await serve(1000);
    const [head, all, some] = [
      await requestProxy(url, { method: 'HEAD' }),
      await requestProxy(url),
      await requestProxy(url, { headers: { range: 'bytes=5-9' } }),
    ].map(({ headers }) => headers.etag);
    expect(head).toMatch(/^"[0-9a-f]{32}"$/);
    expect([all, some]).toEqual([head, head]);
    const other = await prepare(proxy, files.url);
    expect((await requestProxy(other.url, { method: 'HEAD' })).headers.etag).not.toBe(head);
  });

  it.each<[string, (tag: string) => Record<string, string>, number, number, boolean]>([
    ['If-Range that fits', (tag) => ({ 'if-range': tag, range: 'bytes=5-9' }), 206, 5, true],
    ['If-Range that does not', () => ({ 'if-range': '"x"', range: 'bytes=5-9' }), 200, 1000, true],
    ['If-Range before a range outside', () => ({ 'if-range': '"x"', range: 'bytes=1000-' }), 200, 1000, true],
    ['If-Match that fits', (tag) => ({ 'if-match': tag }), 200, 1000, true],
    ['If-Match that does not', () => ({ 'if-match': '"x"', range: 'bytes=1000-' }), 412, 0, false],
    ['If-None-Match that fits', (tag) => ({ 'if-none-match': tag, range: 'bytes=5-9' }), 304, 0, false],
    ['If-None-Match that does not', () => ({ 'if-none-match': '"x"' }), 200, 1000, true],
  ])('%s', async (_what, headers, status, length, asksUpstream) => {
    const { url } = await serve(1000);
    const { etag = '' } = (await requestProxy(url, { method: 'HEAD' })).headers;
    const before = proxy.sessions()[0]?.counters.requests ?? 0;
    const answer = await requestProxy(url, { headers: headers(etag) });
    expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([status, length, etag]);
    expect(answer.headers['transfer-encoding']).toBeUndefined();
    expect((proxy.sessions()[0]?.counters.requests ?? 0) - before).toBe(asksUpstream ? 1 : 0);
  });
});

describe('HEAD', () => {
  it('answers from what is known, without asking the upstream', async () => {
    const { url } = await serve();
    const before = files.requests.length;
    const answer = await requestProxy(url, { method: 'HEAD', headers: { range: 'bytes=5-9' } });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-length': String(SIZE),
      'content-type': 'video/x-matroska',
      'accept-ranges': 'bytes',
    });
    expect(files.requests.length).toBe(before);
  });
});

describe('the player', () => {
  it('may send several requests over one connection', async () => {
    const { url } = await serve();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (const range of ['bytes=0-9', 'bytes=-10', 'bytes=1000-70000']) {
        const answer = await requestProxy(url, { agent, headers: { range } });
        expect(answer.headers.connection).toBe('keep-alive');
      }
      expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    } finally {
      agent.destroy();
    }
  });

  it('that leaves frees the upstream at once', async () => {
    const { url } = await serve(2 ** 34);
    const request = http.get(url, { agent: false, headers: { range: 'bytes=100-' } });
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    message.once('data', () => {
      request.destroy();
    });
    await once(request, 'close');
    await files.requests.at(-1)!.over;
    expect(files.requests.at(-1)!.sent).toBeLessThan(2 ** 30);
    await expect.poll(() => proxy.sessions()[0]?.counters.active, PATIENT).toBe(0);
    await expect.poll(() => files.connections(), PATIENT).toBe(0);
  });

  it('that leaves while the upstream is silent frees it, too', async () => {
    const { url } = await serve();
    files.plan(() => ({ stallAfter: -1 }));
    const request = http.get(url, { agent: false, headers: { range: 'bytes=1000000-' } });
    request.on('error', () => undefined);
    await expect.poll(() => files.requests.some(({ isOver }) => !isOver), PATIENT).toBe(true);
    request.destroy();
    await expect.poll(() => files.requests.every(({ isOver }) => isOver), PATIENT).toBe(true);
    await expect.poll(() => proxy.sessions()[0]?.counters.active, PATIENT).toBe(0);
  });

  it('that leaves in the middle of a write gives back what it was lent', async () => {
    const { url } = await serve(2 ** 34);
    const lent = new Set<object>();
    const { readRange } = streamProxy;
    streamProxy.readRange = (job) => counted(readRange(job), lent);
    try {
      const request = http.get(url, { agent: false, headers: { range: 'bytes=100-' } });
      const [message] = (await once(request, 'response')) as [IncomingMessage];
      message.pause();
      await standstill(() => proxy.sessions()[0]?.counters.bytesOut);
      expect(lent.size).toBe(1);
      request.destroy();
      await expect.poll(() => proxy.sessions()[0]?.counters.active, PATIENT).toBe(0);
      expect(lent.size).toBe(0);
    } finally {
      streamProxy.readRange = readRange;
    }
  });

  it('that pauses is kept, and slows the upstream', async () => {
    const { url } = await serve(2 ** 34);
    const request = http.get(url, { agent: false, headers: { range: 'bytes=0-' } });
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    message.pause();
    const upstream = files.requests.at(-1)!;
    await standstill(() => upstream.sent);
    // Socket buffers of the system hold some megabytes.
    expect(upstream.sent).toBeLessThan(64 * 2 ** 20);
    expect(proxy.sessions()[0]?.counters).toMatchObject({ active: 1, retries: 0 });
    request.destroy();
    await upstream.over;
  });

  it('may hold two streams open at different places', async () => {
    const { url } = await serve();
    const both = await Promise.all([play(url, 'bytes=0-'), play(url, 'bytes=2000000-')]);
    expect(both.map(({ complete, wrongAt }) => [complete, wrongAt])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  it('is cut off when the session is ended', async () => {
    const { url, id } = await serve(2 ** 34);
    const playing = play(url, 'bytes=0-');
    await expect.poll(() => proxy.sessions()[0]?.counters.active, PATIENT).toBe(1);
    proxy.endSession(id);
    expect(await playing).toMatchObject({ complete: false });
    expect(proxy.sessions()).toEqual([]);
  });
});
