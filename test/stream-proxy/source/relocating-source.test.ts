import { expect, onTestFinished, test, vi } from 'vitest';
import { ConnectionPool } from '../../../src/stream-proxy/source/http1/connections.ts';
import { RelocatingSource } from '../../../src/stream-proxy/source/relocating-source.ts';
import { openSource } from '../../../src/stream-proxy/source/source.ts';
import { type SourceSpec } from '../../../src/stream-proxy/source/source-spec.ts';
import type { RequestTarget } from '../../../src/stream-proxy/source/upstream.ts';
import { type AnswerPlan, startFileServer } from '../../support/file-server.ts';

const SIZE = 100_000;
const DEAD = { url: 'http://127.0.0.1:1/film', headers: {} };

test('a file that was found nowhere is searched for again after a rest, however often it was asked for', async () => {
  const files = await startFileServer(SIZE);
  const connections = new ConnectionPool();
  onTestFinished(async () => {
    vi.useRealTimers();
    connections.close();
    await files.close();
  });
  const list: { film?: RequestTarget } = {};
  let asked = 0;
  const { signal } = new AbortController();
  const open = (spec: SourceSpec) => openSource(spec, connections);
  const spec = { ...DEAD, played: DEAD };
  const file = new RelocatingSource({
    spec,
    source: open(spec),
    size: SIZE,
    open,
    signal,
    sample: () => undefined,
    relist: () => {
      asked++;
      return Promise.resolve(list.film);
    },
    onRelocated: () => undefined,
    onNote: () => undefined,
  });
  expect([await file.relocate?.(signal), await file.relocate?.(signal)]).toEqual([false, false]);
  expect(asked).toBe(1);
  list.film = { url: files.url, headers: {} };
  const now = performance.now();
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(now + 11_000);
  expect(await file.relocate?.(signal)).toBe(true);
  vi.useRealTimers();
  expect(asked).toBe(2);
  const opened = await file.open({ first: 0, last: 9, size: SIZE, timeout: 1_000, signal });
  opened.body.close();
  expect(opened.size).toBe(SIZE);
});

test('a file that a service signs anew is found twice in a row by the address that the service gave', async () => {
  let signed = 1;
  const lead = (): AnswerPlan => ({ status: 302, headers: { location: `/bytes/${signed}` } });
  const files = await startFileServer(SIZE, ({ url }) => {
    if (url === '/play') return lead();
    const at = Number(url.split('/').at(-1));
    if (at === signed) return {};
    // The first one leads on for a while, and then no more.
    return at === 1 && signed === 2 ? lead() : { status: 403 };
  });
  const connections = new ConnectionPool();
  onTestFinished(async () => {
    connections.close();
    await files.close();
  });
  const { signal } = new AbortController();
  const at = (path: string): RequestTarget => ({ url: new URL(path, files.url).href, headers: {} });
  const open = (spec: SourceSpec) => openSource(spec, connections);
  const spec = { ...at('/bytes/1'), played: at('/play') };
  const moved: SourceSpec[] = [];
  const file = new RelocatingSource({
    spec,
    source: open(spec),
    size: SIZE,
    open,
    signal,
    sample: () => undefined,
    onRelocated: (each) => moved.push(each),
    onNote: () => undefined,
  });
  const read = async () => {
    const opened = await file.open({ first: 0, last: 9, size: SIZE, timeout: 5_000, signal });
    opened.body.close();
  };
  await read();
  for (signed = 2; signed <= 4; signed++) await read();
  expect(moved.map(({ url, played }) => [url, played?.url])).toEqual(
    [2, 3, 4].map((n) => [at(`/bytes/${n}`).url, at('/play').url]),
  );
});

/** A file that a service plays, which answers as the plan says. */
async function playedFrom(
  plan: (request: { readonly url: string; readonly at: number }) => AnswerPlan,
  relist?: () => string,
) {
  let asked = 0;
  const files = await startFileServer(SIZE, ({ url }) => plan({ url, at: asked++ }));
  const connections = new ConnectionPool();
  onTestFinished(async () => {
    connections.close();
    await files.close();
  });
  const { signal } = new AbortController();
  const at = (path: string): RequestTarget => ({ url: new URL(path, files.url).href, headers: {} });
  const open = (spec: SourceSpec) => openSource(spec, connections);
  const played = { ...at('/bytes/1'), told: 'Sintel.2010.mkv' };
  const spec = { ...at('/bytes/1'), played };
  const noted: string[] = [];
  const file = new RelocatingSource({
    spec,
    source: open(spec),
    size: SIZE,
    open,
    signal,
    // Nothing has been handed out yet.
    sample: () => undefined,
    ...(relist !== undefined && { relist: () => Promise.resolve(at(relist())) }),
    onRelocated: () => undefined,
    onNote: (what) => noted.push(what),
  });
  const read = async (first: number) => {
    const opened = await file.open({ first, last: first + 9, size: SIZE, timeout: 5_000, signal });
    opened.body.close();
  };
  return { file, read, noted, signal };
}

const called = (name: string): AnswerPlan => ({
  headers: { 'content-disposition': `attachment; filename="${name}"` },
});

test.each([
  { name: 'Sintel.2010.mkv', isSame: true },
  { name: 'Elephants.Dream.2006.mkv', isSame: false },
])(
  'what stands at a new address is the file only by its name, of which no byte is known: $name',
  async ({ name, isSame }) => {
    const plan = ({ url }: { readonly url: string }): AnswerPlan =>
      url === '/bytes/2' ? called(name) : { status: 404 };
    const { file, noted, signal } = await playedFrom(plan, () => '/bytes/2');
    expect(await file.relocate?.(signal)).toBe(isSame);
    expect(noted.join()).toContain(isSame ? 'read from another address' : 'another name');
  },
);

test('a whole file where a part was asked for, and parts were given before, is another file', async () => {
  const whole: AnswerPlan = { status: 200, ...called('Sintel.2010.mkv') };
  const { read } = await playedFrom(({ at }) => (at === 0 ? called('Sintel.2010.mkv') : whole));
  await read(0);
  await expect(read(50_000)).rejects.toMatchObject({ kind: 'another' });
});
