import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CATALOGUE, startSandbox } from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import type { Backend, FinishedJob, Nzb } from '../../../src/backends/backend.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import { WEBDAV_TIMINGS } from '../../../src/backends/webdav/timings.ts';
import type { MediaRequest, RemoteFile } from '../../../src/model/index.ts';
import { UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import { rootOrSkip } from '../../../tools/debian-root/index.ts';
import { memoryLog } from '../../support/log.ts';
import { prepare, requestProxy, startTestProxy } from '../../support/proxy.ts';
import { virtualBytes } from '../../support/virtual-file.ts';
import {
  type DavServer,
  PASSWORD,
  type StartDav,
  startApache,
  startNginx,
  startRclone,
  USERNAME,
} from './servers.ts';

const root = await rootOrSkip('the WebDAV backend against real servers');

const SERVERS: readonly { readonly name: string; readonly start: StartDav }[] = [
  { name: 'rclone', start: startRclone },
  { name: 'Apache mod_dav', start: startApache },
  { name: 'nginx dav_ext', start: startNginx },
];

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};

/** No boundary of a block, buffer or digit. Bytes. */
const SIZE = 300_017;

/** A job, and where in its folder the wanted video lies; what else lies there is smaller. */
interface Layout {
  readonly what: string;
  readonly job: string;
  readonly request: MediaRequest;
  readonly path: readonly string[];
  readonly others?: readonly string[];
}

const ODD = `Sintel's "best" & 100%25 дракон Größe [2010] {x} #1 + a;b=c,d@e!$(~) ?`;

const LAYOUTS: readonly Layout[] = [
  { what: 'a file in the job’s folder', job: 'Sintel.2010', request: FILM, path: ['Sintel.2010.mkv'] },
  {
    what: 'an episode two folders below, among others',
    job: 'Caminandes.S01',
    request: EPISODE,
    path: ['Season 1', 'Disc 1', 'Caminandes.S01E02.mkv'],
    others: [
      'Season 1/Disc 1/Caminandes.S01E01.mkv',
      'Season 1/Disc 2/Caminandes.S01E03.mkv',
      'Sample/s.mkv',
    ],
  },
  { what: 'blanks, quotes, signs and Cyrillic', job: ODD, request: FILM, path: [ODD, `${ODD}.mkv`] },
  {
    what: 'a file with combining characters',
    job: 'Sintel Größe'.normalize('NFD'),
    request: FILM,
    path: ['Größe й ü.mkv'.normalize('NFD')],
  },
  {
    what: 'names that look encoded, or like a path',
    job: '%2e%2e %2F Sintel',
    request: FILM,
    path: ['%41 & %.mkv'],
  },
];

const pathOf = ({ job, request, path }: Layout) =>
  join('content', request.kind === 'movie' ? 'movies' : 'tv', job, ...path);

const POSTED = new Date('2025-01-01T12:00:00Z');

async function fill(share: string): Promise<void> {
  const put = async (path: string, bytes: Uint8Array) => {
    await mkdir(dirname(join(share, path)), { recursive: true });
    await writeFile(join(share, path), bytes);
    // Apache calls a file of this second by a weak ETag, and by a strong one from the next second on.
    await utimes(join(share, path), POSTED, POSTED);
  };
  for (const layout of LAYOUTS) {
    await put(pathOf(layout), virtualBytes(0, SIZE - 1));
    const folder = join('content', 'tv', layout.job);
    for (const other of layout.others ?? []) await put(join(folder, other), Buffer.alloc(1000));
  }
}

const live = () => new AbortController().signal;

describe.skipIf(!root).each(SERVERS)('the WebDAV backend and a real $name', ({ start }) => {
  let server: DavServer;
  beforeAll(async () => {
    server = await start(root!, fill);
  });
  afterAll(async () => {
    // Undefined when it did not start.
    await (server as DavServer | undefined)?.end();
  });

  const log = memoryLog();
  const backendFor = (own: Partial<Parameters<typeof webdavBackend>[0]> = {}): Backend =>
    webdavBackend(
      {
        apiUrl: server.url,
        apiKey: 'none',
        webdavUrl: server.url,
        username: USERNAME,
        password: PASSWORD,
        movieCategory: 'movies',
        tvCategory: 'tv',
        ...own,
      },
      log,
      { ...WEBDAV_TIMINGS, recheck: 5 },
    );
  const jobOf = ({ job, request }: Pick<Layout, 'job' | 'request'>): FinishedJob => {
    const category = request.kind === 'movie' ? 'movies' : 'tv';
    return { id: '1', name: job, category, storage: `/mnt/completed/${category}/${job}` };
  };
  const locate = async (layout: Layout) => {
    const { file } = await backendFor().locate(jobOf(layout), layout.request, live());
    expect(file.via).toBe('proxy');
    return file as RemoteFile;
  };
  const failure = (outcome: Promise<unknown>) => expect(outcome).rejects;

  it.each(LAYOUTS)('finds and reads $what', async (layout) => {
    const file = await locate(layout);
    expect(file.name.normalize('NFC')).toBe(layout.path.at(-1)?.normalize('NFC'));
    expect(file.size).toBe(SIZE);
    const read = (from: number, length: number) => backendFor().read(file, { from, length }, live());
    expect(Buffer.from(await read(150_000, 4096))).toEqual(virtualBytes(150_000, 154_095));
    expect(Buffer.from(await read(SIZE - 10, 100))).toEqual(virtualBytes(SIZE - 10, SIZE - 1));
  });

  it('hands each range through the proxy as it is', async () => {
    const proxy = await startTestProxy();
    onTestFinished(() => proxy.close());
    for (const layout of LAYOUTS) {
      const { url, name, headers } = await locate(layout);
      const stream = await prepare(proxy, url, name, headers);
      const get = (range: string) => requestProxy(stream.url, { headers: { range } });
      for (const [range, first, last] of RANGES) {
        const { status, headers: got, body } = await get(range);
        expect({ range, status, got: got['content-range'] }).toEqual({
          range,
          status: 206,
          got: `bytes ${first}-${last}/${SIZE}`,
        });
        expect(body.equals(virtualBytes(first, last)), range).toBe(true);
      }
      expect((await get(`bytes=${SIZE}-`)).status).toBe(416);
      expect((await requestProxy(stream.url)).body.equals(virtualBytes(0, SIZE - 1))).toBe(true);
    }
  });

  it('says that the password is wrong, in the test, in the folder and in the file', async () => {
    const wrong = backendFor({ password: 'wrong' });
    const [layout] = LAYOUTS;
    const refused = { code: 'AUTH_FAILED' };
    await failure(wrong.locate(jobOf(layout!), FILM, live())).toMatchObject(refused);
    const file = await locate(layout!);
    const headers = { authorization: `Basic ${Buffer.from(`${USERNAME}:wrong`).toString('base64')}` };
    for (const login of [headers, {}]) {
      const reading = wrong.read({ ...file, headers: login }, { from: 0, length: 4096 }, live());
      await failure(reading).toMatchObject(refused);
    }
    expect(log.lines.join('\n')).not.toContain(PASSWORD);
  });

  it('says that a finished job’s folder is not there', async () => {
    const absent = jobOf({ job: 'Sintel (2)', request: FILM });
    await failure(backendFor().locate(absent, FILM, live())).toMatchObject({ code: 'BAD_ANSWER' });
  });

  it('takes the job from another server’s API to the bytes', async () => {
    const sandbox = await startSandbox({ jobDuration: 20 });
    onTestFinished(() => sandbox.close());
    const { apiUrl, apiKey } = sandbox.backend;
    const backend = backendFor({ apiUrl, apiKey });
    const job = await backend.submit(nzb(), ODD, FILM, live());
    const ready = await backend.waitUntilReady(job, {
      signal: live(),
      timeout: 20_000,
      onProgress: () => undefined,
    });
    const { file } = await backend.locate(ready, FILM, live());
    expect(Buffer.from(await backend.read(file, { from: 0, length: 10 }, live()))).toEqual(
      virtualBytes(0, 9),
    );
    expect((await backend.test(live())).filter((check) => check.failure !== undefined)).toEqual([]);
    const wrong = await backendFor({ apiUrl, apiKey, password: 'wrong' }).test(live());
    expect(wrong.at(-1)?.failure).toMatchObject({ code: 'AUTH_FAILED' });
    expect(await backend.remove(ready, live())).toBe('removed');
  });
});

/** With the first and the last byte that each of them means. */
const RANGES: readonly (readonly [range: string, first: number, last: number])[] = [
  ['bytes=0-0', 0, 0],
  [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE - 1],
  ['bytes=4096-8191', 4096, 8191],
  ['bytes=-17', SIZE - 17, SIZE - 1],
  [`bytes=${SIZE - 5}-${SIZE + 5}`, SIZE - 5, SIZE - 1],
  ['bytes=100000-', 100_000, SIZE - 1],
];

function nzb(): Nzb {
  const listed = CATALOGUE.find(({ name }) => name.startsWith('Sintel.2010.1080p.BluRay'))!;
  const { name, size, guid } = listed;
  const link = { url: 'http://127.0.0.1:1/', guid, indexer: 'Sandbox', source: 'sandbox' };
  return {
    bytes: new Uint8Array(Buffer.from(nzbOf(listed))),
    release: { name, size, links: [link], quality: { ...UNKNOWN_QUALITY, title: name } },
    fileCount: 3,
    segmentCount: 3,
  };
}
