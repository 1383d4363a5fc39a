import { afterEach, describe, expect, it } from 'vitest';
import { mkvClip } from '../../../sandbox/clips/index.ts';
import { deferred } from '../../../src/io/deferred.ts';
import type { Fill, PlanFill } from '../../../src/media/fill-types.ts';
import { readIfAvailable } from '../../../src/media/read-around.ts';
import { zeroFill } from '../../../src/media/zero-fill.ts';
import { Holes } from '../../../src/stream-proxy/holes/holes.ts';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { FILL_POLICY, type FillPolicy } from '../../../src/stream-proxy/policy/fills.ts';
import { READ_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import { patchedFile } from '../../../src/stream-proxy/reader/patched-file.ts';
import { SessionJournal } from '../../../src/stream-proxy/session/journal.ts';
import type { RangeRequest } from '../../../src/stream-proxy/source/source.ts';
import type { RunningProxy } from '../../../src/stream-proxy.ts';
import {
  type Content,
  clipContent,
  type FaultServer,
  NO_FAULTS,
  opaqueContent,
  type Script,
  startFaultServer,
} from '../../support/fault-server/index.ts';
import { prepare, requestProxy, startTestProxy } from '../../support/proxy.ts';
import { opened } from '../reader/simulated.ts';
import { COMPLETE } from './stage.ts';

const SIZE = 60_000_000;
const FILM = clipContent(mkvClip({ name: 'Sintel.2010.mkv', seconds: 1200, size: SIZE }));
const HOLE = { first: 20_000_123, last: 20_700_122 };
const AROUND = { first: HOLE.first - 100_000, last: HOLE.last + 100_000 };

let server: FaultServer;
const proxies: RunningProxy[] = [];

afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
  await server.close();
});

/** The last one that a replacement would be given. */
let published: unknown;

async function start(fills: Partial<FillPolicy> = {}, snapshot?: unknown) {
  const read = { ...READ_POLICY, pauses: [0, 10], firstByteTimeout: 2_500, nextByteTimeout: 2_500 };
  const policies = { read, fills: { ...FILL_POLICY, ...fills } };
  const onSnapshot = (next: unknown) => {
    published = next;
  };
  const proxy = await startTestProxy({ policies, snapshot, onSnapshot });
  proxies.push(proxy);
  return proxy;
}

async function serve(script: Partial<Script>, fills: Partial<FillPolicy> = {}, content: Content = FILM) {
  server = await startFaultServer({
    files: [{ path: '/content/Sintel.mkv', content }],
    script: { ...NO_FAULTS, dialect: 'nzbdav', ...script },
  });
  const proxy = await start(fills);
  return { proxy, ...(await prepare(proxy, server.url, 'Sintel.mkv')) };
}

const read = async (url: string, { first, last } = AROUND) =>
  (await requestProxy(url, { headers: { range: `bytes=${first}-${last}` } })).body;

const same = (one: Uint8Array, first: number, content: Content = FILM) =>
  Buffer.from(content.read(first, first + one.length - 1)).equals(one);

describe('a hole in a film', () => {
  it('is filled: the bytes around it are right, and what stands in it stays the same', async () => {
    const { proxy, url } = await serve({ missing: [HOLE] });
    const once = await read(url);
    expect(same(once.subarray(0, 100_000), AROUND.first)).toBe(true);
    expect(same(once.subarray(-100_000), HOLE.last + 1)).toBe(true);
    const within = await read(url, { first: HOLE.first + 300_000, last: HOLE.last + 5 });
    expect(within.equals(once.subarray(400_000, -(100_000 - 5)))).toBe(true);
    expect((await read(url)).equals(once)).toBe(true);
    expect(proxy.sessions()[0]).toMatchObject({
      fills: [HOLE],
      counters: { filled: HOLE.last - HOLE.first + 1, lost: 0 },
    });
  });

  it('stays filled as it was in the next engine, though the bytes may have come back', async () => {
    const { proxy, url } = await serve({ missing: [HOLE] });
    const once = await read(url);
    const snapshot: unknown = JSON.parse(JSON.stringify(published));
    await proxy.close();
    proxies.pop();
    server.play(NO_FAULTS);
    const next = await start({}, snapshot);
    const again = await read(url.replace(/:\d+/, `:${next.port}`));
    expect(again.equals(once)).toBe(true);
    expect(next.sessions()[0]).toMatchObject({ fills: [HOLE] });
  });

  it('is not filled twice when there is another one close by', async () => {
    const second = { first: HOLE.last + 420_001, last: HOLE.last + 820_000 };
    const { proxy, url } = await serve({ missing: [HOLE, second] }, { maxShare: 0.1 });
    const once = await read(url, { first: AROUND.first, last: second.last + 10 });
    expect(proxy.sessions()[0]?.fills).toMatchObject([HOLE, second]);
    expect((await read(url, { first: AROUND.first, last: second.last + 10 })).equals(once)).toBe(true);
  });
});

it('a hole is filled though another one begins where its plan reads', async () => {
  const second = { first: HOLE.last + 30_001, last: HOLE.last + 230_000 };
  const { proxy, url } = await serve({ missing: [HOLE, second] }, { maxShare: 0.1 });
  const came = await read(url, { first: HOLE.first - 10, last: second.last + 10 });
  expect(came.length).toBe(second.last - HOLE.first + 21);
  expect(proxy.sessions()[0]).toMatchObject({ fills: [HOLE, second], counters: { lost: 0 } });
});

describe('is never filled', () => {
  const refused = async (url: string) => {
    await expect(read(url)).rejects.toThrow();
  };

  it('what nothing proves to be lost: nothing behind it can be had either', async () => {
    const { proxy, url } = await serve({ missing: [{ first: HOLE.first, last: SIZE - 1 }] });
    await refused(url);
    expect(proxy.sessions()[0]).toMatchObject({ fills: [], counters: { filled: 0 } });
    expect(proxy.sessions()[0]?.decisions.some(({ what }) => what.includes('is late'))).toBe(true);
  });

  it('what is only late, as with a backend that is still downloading', async () => {
    const late = { first: HOLE.first, last: SIZE - 1, milliseconds: 700, status: 404 } as const;
    const { proxy, url } = await serve({ late: [late] });
    expect(same(await read(url), AROUND.first)).toBe(true);
    expect(proxy.sessions()[0]).toMatchObject({ fills: [], counters: { filled: 0, lost: 0 } });
  });

  it('what the source does not call missing', async () => {
    const late = { ...HOLE, milliseconds: 3_600_000, status: 503 } as const;
    const { proxy, url } = await serve({ late: [late] });
    await refused(url);
    expect(proxy.sessions()[0]).toMatchObject({ fills: [], counters: { filled: 0, lost: 0 } });
  });

  it('more than the policy allows: longer holes', async () => {
    const { proxy, url } = await serve({ missing: [HOLE] }, { maxHole: 500_000 });
    await refused(url);
    expect(proxy.sessions()[0]?.fills).toEqual([]);
  });

  it('more than the policy allows: another hole', async () => {
    const second = { first: 40_000_000, last: 40_500_000 };
    const { proxy, url } = await serve({ missing: [HOLE, second] }, { maxHoles: 1 });
    await read(url);
    await expect(read(url, { first: second.first - 10, last: second.last + 10 })).rejects.toThrow();
    expect(proxy.sessions()[0]?.fills).toMatchObject([HOLE]);
  });

  it('what is no film, and it is soon said again', async () => {
    const { proxy, url } = await serve({ missing: [HOLE] }, {}, opaqueContent(SIZE));
    await refused(url);
    expect(proxy.sessions()[0]).toMatchObject({ fills: [], counters: { filled: 0, lost: 1 } });
    const asked = server.requests.length;
    await expect(read(url, { first: HOLE.first, last: HOLE.last })).rejects.toThrow();
    expect(server.requests.length).toBe(asked);
  });
});

describe('looks at a hole', () => {
  const SMALL = 10_000_000;
  const lost = { first: 1_000_000, last: 1_600_000 };
  const missing = new SourceFailure('missing', 'simulated');
  const isLost = (at: number) => (at >= lost.first && at <= lost.last ? missing : undefined);

  /** Plans come when the test says so, unless they are made by `plan`. */
  function holes(failureAt: (position: number) => SourceFailure | undefined = isLost, plan?: PlanFill) {
    const plans: (() => void)[] = [];
    const open = (wish: RangeRequest) => {
      const failure = failureAt(wish.first);
      if (failure !== undefined) return Promise.reject(failure);
      const range = opened(wish, SMALL);
      range.body.deliver(1);
      return Promise.resolve(range);
    };
    const source = {
      host: 'nas:8080',
      label: 'The file server (nas:8080)',
      validators: undefined,
      open,
      serving: COMPLETE,
    };
    const journal = new SessionJournal();
    const made = new Holes({
      source,
      size: SMALL,
      mime: 'video/x-matroska',
      journal,
      fills: [],
      read: READ_POLICY,
      policy: { ...FILL_POLICY, maxShare: 1 },
      file: patchedFile({
        source,
        size: SMALL,
        policy: READ_POLICY,
        bytesAt: () => undefined,
        nextFill: () => Infinity,
      }),
      planFill:
        plan ??
        (async (_mime, hole): Promise<Fill> => {
          const told = deferred<undefined>();
          plans.push(() => {
            told.resolve(undefined);
          });
          await told.promise;
          return zeroFill(hole, 'simulated');
        }),
      lost: [],
      stream: {
        isWanted: () => false,
        continueWith: () => undefined,
        has: () => false,
      },
      onProbe: () => false,
      onChange: () => undefined,
    });
    return { made, plans, journal };
  }

  it('are for what the source calls missing, and for nothing else', async () => {
    server = await startFaultServer({ files: [] });
    const { made } = holes();
    for (const kind of [
      'unavailable',
      'unreachable',
      'stalled',
      'broken',
      'wrong-answer',
      'changed',
    ] as const)
      expect(made.probe(lost.first, new SourceFailure(kind, 'simulated'))).toBe(false);
    expect(made.probe(lost.first, missing)).toBe(true);
    made.close();
  });

  it('whose end nobody can tell fill nothing', async () => {
    server = await startFaultServer({ files: [] });
    const unavailable = new SourceFailure('unavailable', 'simulated');
    const { made, plans, journal } = holes((at) =>
      at === lost.first ? missing : isLost(at) === undefined ? undefined : unavailable,
    );
    made.probe(lost.first, missing);
    await expect.poll(() => made.stateAt(lost.first), { timeout: 10_000 }).not.toBe('looking');
    expect([made.fills, plans, made.stateAt(lost.first)]).toEqual([[], [], missing]);
    expect(journal.counters).toMatchObject({ filled: 0, lost: 1 });
    made.close();
  });

  it('that fail while the fill is planned are made again, and lose nothing for good', async () => {
    server = await startFaultServer({ files: [] });
    const HEAD = 7_000_000;
    const needsHead: PlanFill = async (_mime, hole, file, signal) =>
      (await readIfAvailable(file, HEAD, HEAD, signal)) === undefined
        ? { refused: 'there is no head' }
        : zeroFill(hole, 'simulated');
    for (const [failures, filled] of [
      [2, 1],
      [Infinity, 0],
    ] as const) {
      let failed = 0;
      const { made, journal } = holes(
        (at) => (at === HEAD && ++failed <= failures ? new SourceFailure('stalled', 'silent') : isLost(at)),
        needsHead,
      );
      made.probe(lost.first, missing);
      await expect.poll(() => made.stateAt(lost.first), { timeout: 10_000 }).not.toBe('looking');
      expect(made.fills).toHaveLength(filled);
      expect(made.lost).toEqual([]);
      if (filled === 0) expect(journal.decisions.at(-1)?.what).toBe(`lost at byte ${lost.first}: silent`);
      made.close();
    }
  });

  it('that lose the file while the fill is planned give no place up for good', async () => {
    server = await startFaultServer({ files: [] });
    for (const isGone of [false, true]) {
      let gone = false;
      const { made } = holes(
        (at) => (gone ? missing : isLost(at)),
        () => {
          gone = isGone;
          return Promise.resolve({ refused: 'there is no head' });
        },
      );
      made.probe(lost.first, missing);
      await expect.poll(() => made.stateAt(lost.first), { timeout: 10_000 }).not.toBe('looking');
      expect(made.lost).toHaveLength(isGone ? 0 : 1);
      made.close();
    }
  });

  it('whose first byte has come meanwhile fill nothing', async () => {
    server = await startFaultServer({ files: [] });
    const { made, plans, journal } = holes((at) => (at === lost.first ? undefined : isLost(at)));
    made.probe(lost.first, missing);
    await expect.poll(() => made.stateAt(lost.first), { timeout: 10_000 }).not.toBe('looking');
    expect([made.fills, plans, made.stateAt(lost.first)]).toEqual([[], [], undefined]);
    expect(journal.counters).toMatchObject({ filled: 0, lost: 0 });
    made.close();
  });

  it.each([
    [lost.first, lost.first + 300_000],
    [lost.first + 300_000, lost.first],
  ])('at %i and %i give one fill for each byte', async (one, other) => {
    server = await startFaultServer({ files: [] });
    const { made, plans, journal } = holes();
    expect([made.probe(one, missing), made.probe(other, missing)]).toEqual([true, true]);
    await expect.poll(() => plans.length, { timeout: 10_000 }).toBe(1);
    // A second one would have come to its plan by then.
    for (let i = 0; i < 100; i++) await new Promise(setImmediate);
    while (made.stateAt(one) === 'looking') {
      for (const plan of plans.splice(0)) plan();
      await new Promise(setImmediate);
    }
    // Whoever was not heard asks again.
    made.probe(lost.first, missing);
    while (made.stateAt(lost.first) === 'looking') {
      for (const plan of plans.splice(0)) plan();
      await new Promise(setImmediate);
    }
    const [first, ...more] = made.fills;
    expect([first?.first, made.fills.at(-1)?.last]).toEqual([lost.first, lost.last]);
    for (const [i, fill] of more.entries()) expect(fill.first).toBe((made.fills[i]?.last ?? 0) + 1);
    expect(journal.counters.filled).toBe(lost.last - lost.first + 1);
    made.close();
  });
});
