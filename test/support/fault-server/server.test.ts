import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { mkvClip } from '../../../sandbox/clips/index.ts';
import { RawClient, type RawHead } from '../raw-client.ts';
import { virtualBytes } from '../virtual-file.ts';
import {
  clipContent,
  type Fault,
  type FaultServer,
  type FaultServerOptions,
  NO_FAULTS,
  opaqueContent,
  packetContent,
  type Script,
  scaleScript,
  startFaultServer,
} from './index.ts';

const SIZE = 1_000_003;
const PATH = '/content/film.mkv';
const GENEROUS = 15_000;
const FILE = { path: PATH, content: opaqueContent(SIZE) };

let server: FaultServer;

afterEach(() => server.close());

async function start(script: Partial<Script> = {}, options: Partial<FaultServerOptions> = {}) {
  server = await startFaultServer({
    files: [FILE],
    script: { ...NO_FAULTS, ...script },
    ...options,
  });
}

const faulty = (...faults: Fault[]) => start({ faults });

function connect(port = server.port, options: { tls?: boolean } = {}): RawClient {
  const client = new RawClient(port, options);
  onTestFinished(() => {
    client.close();
  });
  return client;
}

interface Got {
  readonly head: RawHead | undefined;
  readonly body: Buffer;
  /** Whether the connection ended. */
  readonly over: boolean;
}

/** Asks, and reads what was promised or until the connection ends. */
async function get(range?: string, { client = connect(), method = 'GET', path = PATH } = {}): Promise<Got> {
  client.send(method, path, range === undefined ? {} : { range });
  const head = await client.head(GENEROUS);
  const length = method === 'HEAD' ? 0 : Number(head?.headers.get('content-length') ?? Infinity);
  const chunks: Buffer[] = [];
  for (let have = 0; have < length; ) {
    const chunk = await client.read(length - have, GENEROUS);
    if (chunk === undefined) break;
    chunks.push(chunk);
    have += chunk.length;
  }
  return { head, body: Buffer.concat(chunks), over: client.over };
}

const header = (got: Got, name: string) => got.head?.headers.get(name);
const rangeOf = (got: Got) => header(got, 'content-range');

describe('without faults', () => {
  it('serves the whole, a part and a head, on one connection', async () => {
    await start();
    const client = connect();
    expect((await get(undefined, { client })).body.equals(virtualBytes(0, SIZE - 1))).toBe(true);
    const part = await get('bytes=70000-140001', { client });
    expect([part.head?.status, rangeOf(part)]).toEqual([206, `bytes 70000-140001/${SIZE}`]);
    expect(part.body.equals(virtualBytes(70_000, 140_001))).toBe(true);
    expect(header(await get(undefined, { client, method: 'HEAD' }), 'content-length')).toBe(String(SIZE));
    expect(server.requests.map(({ connection }) => connection)).toEqual([0, 0, 0]);
  });

  it('serves the last bytes of a file of 2^53 - 1', async () => {
    const size = Number.MAX_SAFE_INTEGER;
    server = await startFaultServer({ files: [{ path: PATH, content: opaqueContent(size) }] });
    const got = await get(`bytes=${size - 2}-`);
    expect([rangeOf(got), got.body]).toEqual([
      `bytes ${size - 2}-${size - 1}/${size}`,
      virtualBytes(size - 2, size - 1),
    ]);
  });

  it.each([
    ['nzbdav', 'bytes=0-', 200, `bytes 0-${SIZE - 1}/${SIZE}`],
    ['nzbdav', 'bytes=-9', 206, `bytes 0-9/${SIZE}`],
    ['nzbdav', 'bytes=x', 500, undefined],
    ['infinidysk', 'bytes=0-', 206, `bytes 0-${SIZE - 1}/${SIZE}`],
    ['infinidysk', 'bytes=-9', 206, `bytes ${SIZE - 9}-${SIZE - 1}/${SIZE}`],
    ['go', 'bytes=-9', 206, `bytes ${SIZE - 9}-${SIZE - 1}/${SIZE}`],
    ['go', 'bytes=9-5', 416, `bytes */${SIZE}`],
    ['go', `bytes=${SIZE}-`, 416, `bytes */${SIZE}`],
  ] as const)('answers as %s does to %s: %i', async (dialect, range, status, contentRange) => {
    await start({ dialect });
    const got = await get(range);
    expect([got.head?.status, rangeOf(got)]).toEqual([status, contentRange]);
  });

  it('gives validators when the file has some', async () => {
    await start({}, { files: [{ ...FILE, etag: '"a"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' }] });
    const got = await get();
    expect([header(got, 'etag'), header(got, 'last-modified')]).toEqual([
      '"a"',
      'Thu, 01 Jan 2026 00:00:00 GMT',
    ]);
  });

  it('speaks TLS', async () => {
    const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));
    await start({}, { tls: { key: pem('key'), cert: pem('cert') } });
    const got = await get('bytes=5-99999', { client: connect(server.port, { tls: true }) });
    expect(got.body.equals(virtualBytes(5, 99_999))).toBe(true);
  });

  it('sends requests on to another port', async () => {
    await start({}, { redirect: true });
    const got = await get('bytes=5-9');
    const target = new URL(header(got, 'location') ?? '');
    expect([got.head?.status, target.pathname, Number(target.port) !== server.port]).toEqual([
      302,
      PATH,
      true,
    ]);
    expect((await get('bytes=5-9', { client: connect(Number(target.port)) })).body).toEqual(
      virtualBytes(5, 9),
    );
  });
});

describe('connections', () => {
  it('are refused as often as the budget says', async () => {
    await faulty({ kind: 'refuse', skip: 1, times: 2 });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await get('bytes=0-9')).head?.status);
    expect(statuses).toEqual([206, undefined, undefined, 206]);
    expect([...server.struck.values()]).toEqual([2]);
  });

  it.each(['fin', 'reset'] as const)('end without an answer (%s)', async (how) => {
    await faulty({ kind: 'no-answer', how, times: 1 });
    expect(await get()).toMatchObject({ head: undefined, over: true });
    expect((await get()).body.length).toBe(SIZE);
  });

  it('go away and come back on the same port', async () => {
    await faulty({ kind: 'away', at: { position: 5000 }, milliseconds: 100, times: 1 });
    expect(await get()).toMatchObject({ over: true });
    expect(await get()).toMatchObject({ head: undefined, over: true });
    await expect.poll(async () => (await get('bytes=5-9')).body.length, { timeout: GENEROUS }).toBe(5);
  });

  it('stay away until they are called back', async () => {
    await start();
    server.goAway();
    expect(await get()).toMatchObject({ head: undefined, over: true });
    await server.comeBack();
    expect((await get('bytes=5-9')).body.length).toBe(5);
  });

  it('are closed when nothing could be sent for too long', async () => {
    await start({ idle: 50 }, { files: [{ path: PATH, content: opaqueContent(100_000_000) }] });
    const client = connect();
    client.send('GET', PATH);
    await client.head(GENEROUS);
    await expect.poll(() => server.requests[0]?.ending, { timeout: GENEROUS }).toBe('idle');
  });
});

describe('heads', () => {
  it('are late', async () => {
    await faulty({ kind: 'late-head', milliseconds: 120, times: 1 });
    const before = performance.now();
    await get('bytes=0-9');
    expect(performance.now() - before).toBeGreaterThanOrEqual(115);
  });

  it('are errors', async () => {
    await faulty({ kind: 'status', status: 503, retryAfter: 5, times: 1 });
    const got = await get();
    expect([got.head?.status, header(got, 'retry-after')]).toEqual([503, '5']);
  });

  const part = 'bytes=100-199';
  it.each<[string, Fault & { kind: 'lie' }, Record<string, string | undefined>]>([
    ['first', { kind: 'lie', lie: { what: 'first', by: 5 } }, { 'content-range': `bytes 105-199/${SIZE}` }],
    ['last', { kind: 'lie', lie: { what: 'last', by: -5 } }, { 'content-range': `bytes 100-194/${SIZE}` }],
    ['size', { kind: 'lie', lie: { what: 'size', by: 7 } }, { 'content-range': `bytes 100-199/${SIZE + 7}` }],
    ['length', { kind: 'lie', lie: { what: 'length', by: -7 } }, { 'content-length': '93' }],
    ['no range', { kind: 'lie', lie: { what: 'no-content-range' } }, { 'content-range': undefined }],
    ['nonsense', { kind: 'lie', lie: { what: 'content-range', value: 'x' } }, { 'content-range': 'x' }],
    ['encoding', { kind: 'lie', lie: { what: 'encoding', value: 'gzip' } }, { 'content-encoding': 'gzip' }],
    ['etag', { kind: 'lie', lie: { what: 'etag' } }, { etag: '"1"' }],
    [
      'less',
      { kind: 'lie', lie: { what: 'less', bytes: 10 } },
      { 'content-range': `bytes 100-109/${SIZE}`, 'content-length': '10' },
    ],
  ])('lie: %s', async (_what, fault, headers) => {
    await faulty(fault);
    const client = connect();
    client.send('GET', PATH, { range: part });
    const head = await client.head(GENEROUS);
    expect(Object.fromEntries(Object.keys(headers).map((name) => [name, head?.headers.get(name)]))).toEqual(
      headers,
    );
  });

  it('give the whole for a part', async () => {
    await faulty({ kind: 'lie', lie: { what: 'whole' } });
    const got = await get(part);
    expect([got.head?.status, got.body.length, got.body[0]]).toEqual([200, SIZE, virtualBytes(0, 0)[0]]);
  });

  it('leave the length to chunks or to the end of the connection', async () => {
    await faulty(
      { kind: 'lie', lie: { what: 'chunked' }, times: 1 },
      { kind: 'lie', lie: { what: 'no-length' }, times: 1 },
    );
    const client = connect();
    client.send('GET', PATH, { range: part });
    expect((await client.head(GENEROUS))?.headers.get('transfer-encoding')).toBe('chunked');
    const expected = Buffer.concat([
      Buffer.from('64\r\n'),
      virtualBytes(100, 199),
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const chunks: Buffer[] = [];
    while (Buffer.concat(chunks).length < expected.length)
      chunks.push((await client.read(1000, GENEROUS)) ?? Buffer.from('over'));
    expect(Buffer.concat(chunks)).toEqual(expected);
    expect(await get(part)).toMatchObject({ body: virtualBytes(100, 199), over: true });
  });
});

describe('bodies', () => {
  it.each(['fin', 'reset', 'clean'] as const)('are cut at a byte (%s)', async (how) => {
    await faulty({ kind: 'cut', at: { position: 300_000 }, how, times: 1 });
    const got = await get('bytes=200000-');
    // A reset may overtake the last bytes.
    if (how === 'reset') expect(got.body.length).toBeLessThanOrEqual(100_000);
    else expect(got.body.length).toBe(100_000);
    expect(got.over).toBe(true);
    expect(server.requests[0]).toMatchObject({ first: 200_000, sent: 100_000, ending: 'cut' });
    expect((await get('bytes=200000-')).body.length).toBe(SIZE - 200_000);
  });

  it('are cut after so many bytes, each of them', async () => {
    await faulty({ kind: 'cut', at: { after: 1000 }, how: 'fin' });
    for (const first of [0, 50_000]) expect((await get(`bytes=${first}-`)).body.length).toBe(1000);
  });

  it('stall and go on', async () => {
    await faulty({ kind: 'stall', at: { position: 400_000 }, milliseconds: 120, times: 1 });
    const before = performance.now();
    expect((await get()).body.length).toBe(SIZE);
    expect(performance.now() - before).toBeGreaterThanOrEqual(115);
  });

  it('are followed by more than was promised', async () => {
    await faulty({ kind: 'surplus', bytes: 8, times: 1 });
    const client = connect();
    await get('bytes=0-9', { client });
    expect((await client.read(100, GENEROUS))?.toString()).toBe('surplus ');
  });

  it.each([
    ['per connection', { perConnection: 1_000_000 }, 1],
    ['in total', { total: 1_000_000 }, 2],
  ] as const)('are throttled %s', async (_what, pace, times) => {
    await start({ pace });
    const before = performance.now();
    await Promise.all([get('bytes=0-199999'), get('bytes=0-199999')]);
    expect(performance.now() - before).toBeGreaterThanOrEqual(180 * times);
  });

  it('belong to another file from some byte on', async () => {
    await start(
      { faults: [{ kind: 'change', at: { position: 1000 }, size: SIZE - 1, times: 1 }] },
      { files: [{ ...FILE, etag: '"a"' }] },
    );
    expect((await get()).over).toBe(true);
    const got = await get('bytes=0-99');
    expect([rangeOf(got), header(got, 'etag') === '"a"']).toEqual([`bytes 0-99/${SIZE - 1}`, false]);
    expect(virtualBytes(0, 99).some((byte, i) => byte === got.body[i])).toBe(false);
  });

  it('end where articles are missing, and none starts there', async () => {
    await start({ dialect: 'nzbdav', missing: [{ first: 5000, last: 5999 }] });
    expect((await get('bytes=0-')).body.length).toBe(5000);
    const statuses = [];
    for (const first of [4999, 5000, 5999, 6000])
      statuses.push((await get(`bytes=${first}-${first}`)).head?.status);
    expect(statuses).toEqual([206, 404, 404, 206]);
  });

  it('are whole once what was late has come', async () => {
    await start({ late: [{ first: 5000, last: 5999, milliseconds: 150, status: 503 }] });
    expect((await get('bytes=4000-')).over).toBe(true);
    expect((await get('bytes=5500-')).head?.status).toBe(503);
    await expect
      .poll(async () => (await get('bytes=4000-')).body.length, { timeout: GENEROUS })
      .toBe(SIZE - 4000);
  });

  it('heed a script that comes while they are on their way', async () => {
    await start({ pace: { perConnection: 2_000_000 } });
    const got = get();
    await expect.poll(() => server.bytesSent).toBeGreaterThan(0);
    server.play({ ...NO_FAULTS, faults: [{ kind: 'cut', at: { position: SIZE - 1 }, how: 'fin' }] });
    expect((await got).body.length).toBe(SIZE - 1);
  });
});

describe('the log', () => {
  it('tells the load', async () => {
    await start({ latency: 50 });
    await Promise.all([get('bytes=0-9'), get('bytes=10-29'), get('bytes=0-4')]);
    await get('bytes=0-9');
    expect([server.mostOpen, server.open, server.bytesSent]).toEqual([3, 0, 45]);
    expect(server.requests[3]).toMatchObject({
      range: 'bytes=0-9',
      status: 206,
      sent: 10,
      ending: 'complete',
    });
  });

  it('tells when a client leaves', async () => {
    await start({}, { files: [{ path: PATH, content: opaqueContent(100_000_000) }] });
    const client = connect();
    client.send('GET', PATH);
    await client.head(GENEROUS);
    client.close();
    await expect.poll(() => server.requests[0]?.ending, { timeout: GENEROUS }).toBe('left by the client');
    expect([server.open, server.connections]).toEqual([0, 0]);
  });
});

describe('contents', () => {
  it('have a packet grid', async () => {
    await start({}, { files: [{ path: PATH, content: packetContent(SIZE) }] });
    const { body } = await get('bytes=100-999');
    expect([188, 376, 564, 752, 940].map((at) => body[at - 100])).toEqual([0x47, 0x47, 0x47, 0x47, 0x47]);
  });

  it('are films', async () => {
    const clip = mkvClip({ name: 'Sintel.mkv', seconds: 4, size: SIZE });
    await start({}, { files: [{ path: PATH, content: clipContent(clip) }] });
    expect((await get()).body.equals(clip.read(0, SIZE))).toBe(true);
  });
});

it('a script can be scaled in time', () => {
  const script: Script = {
    ...NO_FAULTS,
    latency: 10,
    late: [{ first: 0, last: 1, milliseconds: 1000, status: 404 }],
    faults: [{ kind: 'stall', at: { after: 3 }, milliseconds: 500 }],
  };
  expect(scaleScript(script, 0.1)).toMatchObject({
    latency: 1,
    idle: Infinity,
    late: [{ milliseconds: 100 }],
    faults: [{ milliseconds: 50, at: { after: 3 } }],
  });
});
