import { describe, expect, it, onTestFinished } from 'vitest';
import { readFileRange } from '../../src/backends/read-file-range.ts';
import { verifyPlayable } from '../../src/backends/verify-playable.ts';
import { CancelledError, SlipstreamError } from '../../src/errors/index.ts';
import type { JobFile } from '../../src/job-files/files.ts';
import type { Playable } from '../../src/model/index.ts';
import { silentMatroska, silentMp4 } from '../media/silent.ts';
import { type AnswerPlan, type FileServer, startFileServer } from '../support/file-server.ts';
import { closedPort, serve } from '../support/http-server.ts';
import { memoryLog } from '../support/log.ts';

const MB = 1_000_000;
const MATROSKA = silentMatroska();
const SIZE = 8 * MB;

const file = (path: string, size?: number): JobFile =>
  size === undefined ? { path: path.split('/') } : { path: path.split('/'), size };

const film = (size?: number): Playable => ({
  via: 'proxy',
  url: 'unused',
  headers: {},
  name: 'Sintel.mkv',
  ...(size !== undefined && { size }),
});

interface Case {
  readonly size?: number;
  readonly expected?: number;
  readonly files?: readonly JobFile[];
  readonly url: string;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** What came of it: 'ready', or the code and the words; and what was logged. */
async function prove({ size, expected, files, url, timeout = 150, signal }: Case) {
  const log = memoryLog();
  const own = signal ?? new AbortController().signal;
  const outcome = await verifyPlayable(film(size), {
    advertisedBytes: expected,
    files: files ?? [file('Sintel.mkv', size)],
    read: (range, until) =>
      readFileRange({ url, headers: {}, who: 'The test', timeout, signal: until, retryDelay: 5 }, range),
    signal: own,
    log,
  }).then(
    () => 'ready',
    (error: unknown) => String(error),
  );
  return { outcome, warnings: log.lines.filter((line) => line.startsWith('warning')) };
}

async function server(plan?: AnswerPlan, size = SIZE): Promise<FileServer> {
  const started = await startFileServer(size, () => plan ?? {});
  onTestFinished(() => started.close());
  return started;
}

describe('proveReady, the middle', () => {
  it('asks once, for 64 KiB in the middle', async () => {
    const { url, requests } = await server();
    expect(await prove({ url, size: SIZE, expected: SIZE })).toEqual({ outcome: 'ready', warnings: [] });
    expect(requests.map(({ headers }) => headers.range)).toEqual([
      `bytes=${SIZE / 2 - 32_768}-${SIZE / 2 + 32_767}`,
    ]);
  });

  it('reads a small file as a whole, and one of unknown size at its beginning', async () => {
    const small = await server({}, 1000);
    expect((await prove({ url: small.url, size: 1000 })).outcome).toBe('ready');
    expect(small.requests[0]?.headers.range).toBe('bytes=0-999');
    const unknown = await server();
    expect((await prove({ url: unknown.url })).outcome).toBe('ready');
    expect(unknown.requests[0]?.headers.range).toBe('bytes=0-65535');
    const tiny = await server({}, 1000);
    expect((await prove({ url: tiny.url })).outcome).toBe('ready');
  });

  it.each<[string, AnswerPlan]>([
    ['404 in the middle', { status: 404 }],
    ['416', { status: 416 }],
    ['410', { status: 410 }],
    ['another range', { answer: { first: 0, last: 65_535 } }],
    ['a shorter range', { answer: { first: SIZE / 2 - 32_768, last: SIZE / 2 } }],
    ['the whole file', { status: 200 }],
    ['no Content-Range', { headers: { 'content-range': undefined } }],
    ['a connection that is dropped there twice', { dropAfter: 1000 }],
    ['a body that ends short of its length twice', { endAfter: 1000 }],
  ])('takes %s as damage', async (_, plan) => {
    const { url } = await server(plan);
    expect((await prove({ url, size: SIZE })).outcome).toMatch(/DAMAGED/);
  });

  it.each<[string, AnswerPlan]>([
    ['a stall', { stallAfter: 1000 }],
    ['a hang', { stallAfter: -1 }],
    ['500', { status: 500 }],
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['429', { status: 429 }],
  ])('takes %s as no evidence, and logs it', async (_, plan) => {
    const { url } = await server(plan);
    const { outcome, warnings } = await prove({ url, size: SIZE });
    expect(outcome).toBe('ready');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /Whether the file can be read is not known: (?:UNREACHABLE|TIMEOUT|SERVICE_ERROR)/,
    );
  });

  it('takes a server that is not there as no evidence', async () => {
    const { outcome, warnings } = await prove({ url: await closedPort(), size: SIZE });
    expect(outcome).toBe('ready');
    expect(warnings[0]).toMatch(/UNREACHABLE/);
  });

  it('does not go on with a wrong password', async () => {
    const { url } = await server({ status: 401 });
    expect((await prove({ url, size: SIZE })).outcome).toMatch(/AUTH_FAILED/);
  });

  it('takes zeros, with which a lost article is filled, as damage; other bytes not', async () => {
    const send = (byte: number) =>
      serve((request, response) => {
        const [, from = 0, to = 0] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
        const range = `bytes ${from}-${to}/${SIZE}`;
        const bytes = Buffer.alloc(Number(to) - Number(from) + 1);
        bytes[bytes.length - 1] = byte;
        response.writeHead(206, { 'content-range': range, 'content-length': bytes.length }).end(bytes);
      });
    expect((await prove({ url: await send(0), size: SIZE })).outcome).toMatch(
      /DAMAGED: Parts of the video are missing/,
    );
    expect((await prove({ url: await send(1), size: SIZE })).outcome).toBe('ready');
  });

  it.each([
    ['Sintel.mkv', MATROSKA],
    ['Sintel.mp4', silentMp4()],
  ])('takes silence that nothing compresses as the own zeros of %s, and no others', async (name, bytes) => {
    // The middle of so much of it lies in a second's silence.
    const whole = bytes.subarray(0, Math.floor(bytes.length * 0.9));
    const middle = Math.floor(whole.length / 2) - 32_768;
    expect(whole.subarray(middle, middle + 65_536).every((byte) => byte === 0)).toBe(true);
    const outcome = (content: Uint8Array) =>
      verifyPlayable(
        { ...film(content.length), name },
        {
          files: [],
          signal: new AbortController().signal,
          log: memoryLog(),
          read: ({ from, length }) => Promise.resolve(content.subarray(from, from + length)),
        },
      ).then(
        () => 'ready',
        (error: unknown) => String(error),
      );
    expect(await outcome(whole)).toBe('ready');
    // In the middle of all of it a second ends, and another one begins.
    const half = Math.floor(bytes.length / 2);
    const lost = Buffer.from(bytes).fill(0, half - 40_000, half + 40_000);
    expect(await outcome(lost)).toMatch(/DAMAGED: Parts of the video are missing/);
  });

  it.each([
    [188, 0],
    [192, 4],
  ])(
    'takes null packets of %i bytes, with which a transport stream is filled, as damage',
    async (packet, head) => {
      const stuffing = (at: number, pid = [0x1f, 0xff]) => {
        const one = Buffer.alloc(packet, 0xff);
        one.set([0x47, ...pid, 0x10], head);
        const all = Buffer.concat(Array.from({ length: 360 }, () => one));
        return all.subarray(at, at + 65_536);
      };
      const outcome = (bytes: Uint8Array, name = 'Sintel.m2ts') => {
        // Its start is packets as well; in Matroska it is that of one.
        const begins = name.endsWith('.mkv') ? MATROSKA.subarray(0, 65_536) : bytes;
        const read = ({ from }: { readonly from: number }) => Promise.resolve(from === 0 ? begins : bytes);
        const evidence = { files: [], read, signal, log: memoryLog() };
        return verifyPlayable({ ...film(SIZE), name }, evidence).then(
          () => 'ready',
          (error: unknown) => String(error),
        );
      };
      const { signal } = new AbortController();
      for (const at of [0, 1, 187]) {
        expect(await outcome(stuffing(at))).toMatch(/DAMAGED: Parts of the video are missing/);
        expect(await outcome(stuffing(at), 'Sintel.ts')).toMatch(/DAMAGED/);
      }
      // A film's own packets, one of them among the null ones, and another container.
      expect(await outcome(stuffing(50, [0x01, 0x00]))).toBe('ready');
      const mixed = Buffer.from(stuffing(0));
      mixed.set([0x47, 0x01, 0x00], 100 * packet + head);
      expect(await outcome(mixed)).toBe('ready');
      expect(await outcome(stuffing(0), 'Sintel.mkv')).toBe('ready');
    },
  );

  it('takes a file that ends before its middle as damage', async () => {
    const log = memoryLog();
    const read = () => Promise.resolve(new Uint8Array(100).fill(1));
    const { signal } = new AbortController();
    await expect(verifyPlayable(film(SIZE), { files: [], read, signal, log })).rejects.toThrow(
      /DAMAGED: The video ends/,
    );
    await expect(verifyPlayable(film(), { files: [], read, signal, log })).resolves.toBeUndefined();
    const empty = () => Promise.resolve(new Uint8Array());
    await expect(verifyPlayable(film(), { files: [], read: empty, signal, log })).rejects.toThrow(/DAMAGED/);
  });

  it('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    const { url, requests } = await server({ stallAfter: -1 });
    const proof = prove({ url, size: SIZE, timeout: 60_000, signal: controller.signal });
    await expect.poll(() => requests.length).toBe(1);
    controller.abort(new CancelledError('person'));
    expect((await proof).outcome).toMatch(/cancelled/);
  });

  it('ends with its time, which is no evidence for the file', async () => {
    const controller = new AbortController();
    const { url, requests } = await server({ stallAfter: -1 });
    const proof = prove({ url, size: SIZE, timeout: 60_000, signal: controller.signal });
    await expect.poll(() => requests.length).toBe(1);
    controller.abort(new SlipstreamError('TIMEOUT', { what: 'The play took too long.', next: 'Try again.' }));
    expect((await proof).outcome).toMatch(/TIMEOUT: The play took too long/);
  });

  it('hides no defect of ours', async () => {
    const log = memoryLog();
    const read = () => Promise.reject(new TypeError('a defect'));
    const { signal } = new AbortController();
    await expect(verifyPlayable(film(SIZE), { files: [], read, signal, log })).rejects.toThrow('a defect');
  });
});

describe('proveReady, the size', () => {
  const judge = async (size: number | undefined, expected: number | undefined, ...files: JobFile[]) => {
    const { url, requests } = await server({}, size ?? SIZE);
    const { outcome } = await prove({
      url,
      ...(size !== undefined && { size }),
      ...(expected !== undefined && { expected }),
      files: [file('Sintel.mkv', size), ...files],
    });
    // What is too small is not even asked for.
    expect(requests).toHaveLength(outcome === 'ready' ? 1 : 0);
    return outcome;
  };

  it('knows a stand-in: half a minute in place of the film', async () => {
    expect(await judge(0.004 * SIZE, SIZE)).toMatch(/DAMAGED: There is only a short stand-in/);
    expect(await judge(0, undefined)).toMatch(/DAMAGED: There is only a short stand-in/);
  });

  it('refuses less than half of what was advertised', async () => {
    expect(await judge(4.9 * MB, 10 * MB)).toMatch(
      /DAMAGED: The video is far smaller than the release promised \(5 MB of 10 MB\)/,
    );
    expect(await judge(5 * MB, 10 * MB)).toBe('ready');
    expect(await judge(20 * MB, 10 * MB)).toBe('ready');
  });

  it('holds all videos of the job against it, not other files', async () => {
    const pack = [file('S01E02.mkv', 4 * MB), file('S01E03.mkv', 4 * MB)];
    expect(await judge(4 * MB, 20 * MB, ...pack)).toBe('ready');
    expect(await judge(4 * MB, 30 * MB, ...pack.slice(1))).toMatch(/DAMAGED/);
    expect(await judge(4 * MB, 20 * MB, file('a.rar', 9 * MB), file('b.par2', 9 * MB))).toMatch(/DAMAGED/);
  });

  it('knows a stand-in among its siblings, whatever was advertised', async () => {
    const pack = [file('S01E02.mkv', 90 * MB), file('S01E03.mkv', 100 * MB), file('S01E04.mkv', 95 * MB)];
    expect(await judge(0.4 * MB, 300 * MB, ...pack)).toMatch(/stand-in/);
    expect(await judge(0.4 * MB, undefined, ...pack)).toMatch(/stand-in/);
    expect(await judge(4 * MB, 300 * MB, ...pack)).toBe('ready');
    // Its samples and clips are no siblings, nor is the one large special.
    expect(await judge(1 * MB, undefined, file('Extras/long.mkv', 900 * MB))).toBe('ready');
    expect(
      await judge(4 * MB, undefined, file('a.mkv', 4 * MB), file('b.mkv', 5 * MB), file('c.mkv', 900 * MB)),
    ).toBe('ready');
  });

  it('takes an episode that is like those beside it for whole, though others of the pack are missing', async () => {
    const pack = [file('S01E02.mkv', 4 * MB), file('S01E03.mkv', 4 * MB)];
    expect(await judge(4 * MB, 40 * MB, ...pack)).toBe('ready');
    expect(await judge(2 * MB, 40 * MB, ...pack)).toBe('ready');
    expect(await judge(1.9 * MB, 40 * MB, ...pack)).toMatch(/DAMAGED: The video is far smaller/);
    // A pack of stand-ins is none.
    expect(await judge(4 * MB, 301 * MB, ...pack)).toMatch(/DAMAGED: There is only a short stand-in/);
  });

  it('knows a stand-in among siblings of its name, in folders of their own', async () => {
    const pack = [file('E01/Sintel.mkv', 90 * MB), file('E03/Sintel.mkv', 100 * MB)];
    expect(await judge(1000, undefined, ...pack)).toMatch(/stand-in/);
    expect(await judge(90 * MB, undefined, ...pack)).toBe('ready');
  });

  it('proves nothing without sizes', async () => {
    expect(await judge(undefined, 10 * MB)).toBe('ready');
    expect(await judge(1 * MB, undefined)).toBe('ready');
    expect(await judge(1 * MB, 10 * MB, file('S01E02.mkv'))).toBe('ready');
  });
});
