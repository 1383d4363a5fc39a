import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Serving } from '../../../src/model/index.ts';
import { BUFFER_POLICY, type BufferPolicy } from '../../../src/stream-proxy/policy/buffer.ts';
import { POLICIES } from '../../../src/stream-proxy/policy/policies.ts';
import { Fetcher } from '../../../src/stream-proxy/reader/fetcher.ts';
import type { Snapshot } from '../../../src/stream-proxy/session/snapshot.ts';
import { type RunningProxy, startProxy } from '../../../src/stream-proxy.ts';
import {
  type AnswerPlan,
  type FileServer,
  type SeenRequest,
  startFileServer,
} from '../../support/file-server.ts';
import { memoryLog } from '../../support/log.ts';
import { askPrepare, play, requestProxy } from '../../support/proxy.ts';

// How a play begins at each kind of server: what is asked there, and when.

const MIB = 1024 * 1024;
const SIZE = 40 * MIB + 12_345;
const PIECE = 64 * 1024;
const NZBDAV: Serving = { look: 'dear', windows: false, zeroFills: false, complete: true };
const INFINIDYSK: Serving = { look: 'cheap', windows: false, zeroFills: true, complete: true };
const ALTMOUNT: Serving = { look: 'cheap', windows: true, zeroFills: true, complete: true };
const placeOf = (part: number, size = SIZE) => Math.floor((size - PIECE) * part);

let files: FileServer;
let proxy: RunningProxy;

afterEach(async () => {
  await proxy.close();
  await files.close();
});

async function start(
  ahead: Partial<BufferPolicy> = {},
  plan?: (request: SeenRequest) => AnswerPlan,
): Promise<void> {
  files = await startFileServer(SIZE, plan);
  await startEngine(ahead);
}

let saved: Snapshot | undefined;

async function startEngine(ahead: Partial<BufferPolicy>, { port = 0, snapshot = {} } = {}): Promise<void> {
  proxy = await startProxy({
    listen: { port },
    log: memoryLog(),
    snapshot,
    onSnapshot: (state) => {
      saved = state;
    },
    policies: { ...POLICIES, buffer: { ...BUFFER_POLICY, ...ahead } },
  });
}

/** The engine is replaced by another one, which is given what that one had saved by then. */
async function replaceEngine(ahead: Partial<BufferPolicy> = {}): Promise<void> {
  const before = { port: proxy.port, snapshot: JSON.parse(JSON.stringify(saved)) as object };
  await proxy.close();
  files.requests.length = 0;
  await startEngine(ahead, before);
}

const request = (serving: Serving | undefined, more: object = {}) =>
  askPrepare(proxy, { url: files.url, name: 'Sintel.mkv', serving, ...more });

async function urlOf(serving: Serving | undefined, more: object = {}): Promise<string> {
  const answer = await request(serving, more);
  expect([answer.status, answer.body.toString()]).toEqual([200, expect.any(String)]);
  return (answer.json() as { readonly url: string }).url;
}

const ranges = () => files.requests.map(({ headers }) => headers.range);

/** What has been asked for until now has arrived. */
const meanwhile = () => requestProxy(files.url, { headers: { range: 'bytes=1-1' } });

it('one request proves the file and brings the film', async () => {
  await start({ minIndexBytes: 0 });
  const url = await urlOf(undefined);
  expect(await play(url)).toMatchObject({ count: SIZE, complete: true, wrongAt: undefined });
  expect(ranges()).toEqual(['bytes=0-']);
});

it('a server that shows by its Content-Range that it serves parts is asked for none', async () => {
  const whole = { status: 200, headers: { 'content-range': `bytes 0-${SIZE - 1}/${SIZE}` } };
  await start({}, ({ first }) => (first === 0 ? whole : {}));
  await urlOf(NZBDAV);
  expect(ranges()).toEqual(['bytes=0-']);
});

it('the request of a film that nobody plays ends with its session', async () => {
  await start();
  await urlOf(undefined);
  const [session] = proxy.sessions();
  proxy.endSession(session!.id);
  await files.requests[0]!.over;
  expect(files.requests).toHaveLength(1);
});

describe('where a look is cheap', () => {
  it('the film is looked at beside its start, in three places where lost parts are filled', async () => {
    await start();
    await urlOf(INFINIDYSK, { size: SIZE });
    const looks = [1 / 4, 1 / 2, 3 / 4].map((part) => `bytes=${placeOf(part)}-${placeOf(part) + PIECE - 1}`);
    expect(new Set(ranges())).toEqual(new Set(['bytes=0-', ...looks]));
    expect(ranges()).toHaveLength(4);
  });

  it('and in one where they show', async () => {
    await start();
    await urlOf({ ...INFINIDYSK, zeroFills: false });
    expect(ranges()).toEqual(['bytes=0-', `bytes=${placeOf(1 / 2)}-${placeOf(1 / 2) + PIECE - 1}`]);
  });

  it.each([1 / 4, 1 / 2, 3 / 4])(
    'a film without its %f is refused as damaged, and nothing stays open',
    async (part) => {
      await start({}, ({ first }) => (first === placeOf(part) ? { status: 404 } : {}));
      const answer = await request(INFINIDYSK, { size: SIZE });
      expect([answer.status, answer.json()]).toMatchObject([502, { code: 'DAMAGED' }]);
      await Promise.all(files.requests.map(({ over }) => over));
      expect(proxy.sessions()).toEqual([]);
    },
  );

  it('a place that is missing while the start does not come either is no damage', async () => {
    await start({}, () => ({ status: 404 }));
    const answer = await request({ ...INFINIDYSK, zeroFills: false }, { size: SIZE });
    expect([answer.status, answer.json()]).toMatchObject([502, { code: 'PREPARE_FAILED' }]);
  });

  it('trouble of the server proves nothing', async () => {
    await start({}, ({ first }) => (first > 0 ? { status: 503 } : {}));
    expect((await request({ ...INFINIDYSK, zeroFills: false })).status).toBe(200);
  });
});

describe('a start that is missing', () => {
  it.each([
    ['dear', NZBDAV],
    ['cheap', INFINIDYSK],
  ] as const)('is damage where the middle is there; a look is %s', async (_, serving) => {
    await start({}, ({ first }) => (first === 0 ? { status: 404 } : {}));
    const answer = await request(serving, { size: SIZE });
    expect([answer.status, answer.json()]).toMatchObject([502, { code: 'DAMAGED' }]);
    await Promise.all(files.requests.map(({ over }) => over));
  });

  it.each([
    ['404', 404],
    ['503', 503],
  ])('proves nothing where the middle is answered by %s as well', async (_, status) => {
    await start({}, ({ first }) => ({ status: first === 0 ? 404 : status }));
    const answer = await request(NZBDAV, { size: SIZE });
    expect([answer.status, answer.json()]).toMatchObject([502, { code: 'PREPARE_FAILED' }]);
  });

  it('proves nothing where it comes after all', async () => {
    await start({}, ({ headers }) => (headers.range === 'bytes=0-' ? { status: 404 } : {}));
    const answer = await request(NZBDAV, { size: SIZE });
    expect([answer.status, answer.json()]).toMatchObject([502, { code: 'PREPARE_FAILED' }]);
  });

  it('costs two looks', async () => {
    await start({}, ({ first }) => (first === 0 ? { status: 404 } : {}));
    await request(NZBDAV, { size: SIZE });
    expect(ranges().filter((range) => range !== 'bytes=0-')).toEqual(
      [placeOf(1 / 2), 0].map((place) => `bytes=${place}-${place + PIECE - 1}`),
    );
  });
});

describe('where a look is dear', () => {
  const MIDDLE = `bytes=${placeOf(1 / 2)}-${placeOf(1 / 2) + PIECE - 1}`;

  it('the middle is read only once so much has reached the player', async () => {
    await start({ settledAfterBytes: 8 * MIB, prefetchBytes: PIECE, minIndexBytes: 0 });
    const url = await urlOf(NZBDAV);
    await play(url, `bytes=0-${6 * MIB}`);
    await meanwhile();
    expect(ranges()).not.toContain(MIDDLE);
    await play(url, `bytes=${6 * MIB}-${10 * MIB}`);
    await expect.poll(ranges).toContain(MIDDLE);
  });

  it('a middle that is lost is a hole, and the film is given up only where it is lost behind as well', async () => {
    const lost = new Set([1 / 2, 5 / 8].map((part) => placeOf(part)));
    await start({ settledAfterBytes: MIB, minIndexBytes: 0 }, ({ first }) =>
      lost.has(first) ? { status: 404 } : {},
    );
    await play(await urlOf(NZBDAV), `bytes=0-${3 * MIB}`);
    await expect.poll(() => files.requests.some(({ first }) => first === placeOf(3 / 4))).toBe(true);
    await expect.poll(() => JSON.stringify(proxy.sessions()[0]?.decisions)).toContain('looked at byte');
    expect(proxy.sessions()[0]?.brokenFrom).toBeUndefined();
  });

  it('one that is lost in three places is told as broken from its middle on', async () => {
    const lost = new Set([1 / 2, 5 / 8, 3 / 4].map((part) => placeOf(part)));
    await start({ settledAfterBytes: MIB, minIndexBytes: 0 }, ({ first }) =>
      lost.has(first) ? { status: 404 } : {},
    );
    await play(await urlOf(NZBDAV), `bytes=0-${3 * MIB}`);
    await expect.poll(() => proxy.sessions()[0]?.brokenFrom).toBe(placeOf(1 / 2));
  });
});

describe('after the engine was replaced', () => {
  const MIDDLE = `bytes=${placeOf(1 / 2)}-${placeOf(1 / 2) + PIECE - 1}`;
  const AHEAD = { settledAfterBytes: MIB, minIndexBytes: 0 };

  it('the middle is read where that had not been done', async () => {
    await start({ ...AHEAD, settledAfterBytes: 8 * MIB, prefetchBytes: PIECE });
    const url = await urlOf(NZBDAV);
    await play(url, `bytes=0-${MIB}`);
    expect(ranges()).not.toContain(MIDDLE);
    await replaceEngine(AHEAD);
    await play(url, `bytes=${MIB}-${4 * MIB}`);
    await expect.poll(ranges).toContain(MIDDLE);
  });

  it('it is not read once more', async () => {
    await start(AHEAD);
    const url = await urlOf(NZBDAV);
    await play(url, `bytes=0-${3 * MIB}`);
    await expect.poll(() => JSON.stringify(saved)).toContain('looked');
    await replaceEngine(AHEAD);
    await play(url, `bytes=${3 * MIB}-${6 * MIB}`);
    expect(ranges()).not.toContain(MIDDLE);
  });

  it('what was lost in three places is still told', async () => {
    const lost = new Set([1 / 2, 5 / 8, 3 / 4].map((part) => placeOf(part)));
    await start(AHEAD, ({ first }) => (lost.has(first) ? { status: 404 } : {}));
    await play(await urlOf(NZBDAV), `bytes=0-${3 * MIB}`);
    await expect.poll(() => proxy.sessions()[0]?.brokenFrom).toBe(placeOf(1 / 2));
    await replaceEngine(AHEAD);
    expect(proxy.sessions()[0]?.brokenFrom).toBe(placeOf(1 / 2));
  });
});

describe('where a range ends what the server fetches', () => {
  it('every request has an end inside of the file, and the size comes first where nobody told it', async () => {
    await start();
    const url = await urlOf(ALTMOUNT);
    expect(await play(url)).toMatchObject({ count: SIZE, complete: true, wrongAt: undefined });
    expect(ranges()[0]).toBe('bytes=0-0');
    for (const range of ranges()) {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
      expect([range, Number(last) < SIZE, Number(first) <= Number(last)]).toEqual([range, true, true]);
    }
  });

  it('the first window is cut to a film that is smaller', async () => {
    await start();
    await request(ALTMOUNT, { size: SIZE });
    expect(ranges()).toContain(`bytes=0-${MIB - 1}`);
    files.requests.length = 0;
    await request(ALTMOUNT, { size: 200_000 });
    expect(ranges()).toContain('bytes=0-199999');
  });
});

describe('an index at the end', () => {
  it('is read when the buffer is full, in one request, and not before', async () => {
    await start({ sessionMemory: 12 * MIB, indexBytes: 4 * MIB, totalMemory: 24 * MIB });
    const url = await urlOf(NZBDAV);
    const tail = () => ranges().filter((range) => range === `bytes=${SIZE - BUFFER_POLICY.minIndexBytes}-`);
    expect(tail()).toEqual([]);
    // The player takes little, so that the buffer fills before it.
    const player = (await fetch(url)).body!.getReader();
    onTestFinished(() => player.cancel());
    const take = async (bytes: number) => {
      for (let taken = 0; taken < bytes; ) {
        const { value } = (await player.read()) as { readonly value?: Uint8Array };
        taken += value?.length ?? Infinity;
      }
    };
    await take(MIB);
    await expect.poll(() => proxy.sessions()[0]?.buffer.ahead).toBeGreaterThan(5 * MIB);
    await take(2 * MIB);
    await expect.poll(tail).toHaveLength(1);
  });
});

it('an index at the end is not read while the buffer cannot fill', async () => {
  await start({ prefetchBytes: PIECE }, ({ first }) => (first < SIZE / 2 ? { stallAfter: 6 * MIB } : {}));
  const url = await urlOf(NZBDAV);
  await requestProxy(url, { headers: { range: `bytes=0-${4 * MIB}` } });
  await meanwhile();
  expect(
    ranges().filter((range) => range?.startsWith(`bytes=${SIZE - BUFFER_POLICY.minIndexBytes}`)),
  ).toEqual([]);
});

describe('two plays', () => {
  /** A film is open; gives what it and later ones are told of making way. */
  async function withOldFilm(): Promise<() => readonly boolean[]> {
    await start();
    await urlOf(undefined);
    const restrain = vi.spyOn(Fetcher.prototype, 'throttle');
    onTestFinished(() => {
      restrain.mockRestore();
    });
    return () => restrain.mock.calls.map(([restrained]) => restrained);
  }

  it('the old film makes way from the proof of the new one until that is shown', async () => {
    const told = await withOldFilm();
    await urlOf(undefined);
    expect(told()).toEqual([true]);
    proxy.firstFrameShown(proxy.sessions()[0]!.id);
    expect(told()).toEqual([true]);
    proxy.firstFrameShown(proxy.sessions()[1]!.id);
    expect(told()).toEqual([true, false]);
  });

  it('and no longer where the new one cannot be opened, or its session ends', async () => {
    const told = await withOldFilm();
    files.plan(() => ({ status: 404 }));
    expect((await request(undefined)).status).toBe(502);
    expect(told()).toEqual([true, false]);
    files.plan(() => ({}));
    await urlOf(undefined);
    proxy.endSession(proxy.sessions()[1]!.id);
    expect(told()).toEqual([true, false, true, false]);
  });
});
