import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { formParts } from '../../../sandbox/nzbdav/multipart.ts';
import { parseSubject } from '../../../src/backends/nzb/subject.ts';
import { type WebdavConfig, webdavBackend } from '../../../src/backends/webdav/index.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { JobProgress } from '../../../src/model/index.ts';
import { serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { EPISODE, FILM, FILM_RELEASE, nzbFor, PACK_RELEASE } from '../labs.ts';
import { contentOf } from '../nzb/lab.ts';
import { CALM } from './lab.ts';

// AltMount 49ece04d, as test/fixtures/recorded/altmount has it.
const live = () => new AbortController().signal;
const CATEGORIES = ['Movies', 'TV', 'Music', 'Books', 'Adult'];

interface Script {
  readonly categories?: readonly string[];
  /** Status, `storage` and failure that the history shows in one look after the other, the last of them for ever. */
  readonly history?: readonly (readonly [string, string, string?])[];
  /** The folder of finished jobs is there. */
  readonly hasJobs?: boolean;
  /** The share answers. */
  readonly hasShare?: boolean;
}

async function altMount({ categories = CATEGORIES, history = [], ...share }: Script = {}, config = {}) {
  const added: { category: string | null; nzb: Buffer }[] = [];
  let looks = 0;
  const slots = (id: string | null) => {
    if (id === null) return [];
    const [status, storage, message = ''] = history[Math.min(looks++, history.length - 1)] ?? ['Unknown', ''];
    return [{ nzo_id: id, name: id, category: 'Movies', status, storage, fail_message: message }];
  };
  const api = (query: URLSearchParams, form: readonly { name: string; data: Buffer }[]) => {
    switch (query.get('mode')) {
      case 'get_config':
        return {
          status: true,
          config: {
            misc: { complete_dir: '/complete' },
            categories: categories.map((name) => ({ name, dir: '' })),
          },
        };
      case 'addfile': {
        const category = query.get('cat');
        if (category !== null && !categories.includes(category))
          return {
            status: false,
            error: `invalid category '${category}' - not found in configuration`,
          };
        added.push({ category, nzb: form[0]?.data ?? Buffer.alloc(0) });
        return { status: true, nzo_ids: [query.get('nzbname')] };
      }
      case 'queue':
        return { status: true, queue: { paused: false, slots: [] } };
      case 'history':
        return { history: { slots: slots(query.get('nzo_ids')) } };
      case 'version':
        return { status: true, version: '4.5.0' };
      default:
        return { status: true, uptime: '8m11s', pid: 24358, cache: {} };
    }
  };
  const answer = async (request: IncomingMessage): Promise<[number, string]> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'PROPFIND') return folder(pathname, share);
    if (pathname !== '/sabnzbd/api') return [401, '{"message":"Authentication required","success":false}'];
    const refused = { status: false, error: 'Invalid API key' };
    const form = formParts(String(request.headers['content-type']), Buffer.concat(chunks));
    return [200, JSON.stringify(searchParams.get('apikey') === 'k' ? api(searchParams, form) : refused)];
  };
  const url = await serve((request, response) => {
    answer(request).then(([status, body]) => response.writeHead(status).end(body), expect.unreachable);
  });
  const settings: WebdavConfig = {
    apiUrl: url,
    webdavUrl: '',
    apiKey: 'k',
    username: 'u',
    password: 'p',
    movieCategory: 'movies',
    tvCategory: 'tv',
    ...config,
  };
  return { backend: webdavBackend(settings, memoryLog(), CALM), added };
}

/** Before the first job there is no /complete. */
function folder(path: string, { hasJobs = false, hasShare = true }: Script): [number, string] {
  const isThere = hasShare && (path === '/webdav/' || path === '/webdav' || hasJobs);
  if (!isThere) return [404, 'Not Found'];
  return [
    207,
    `<?xml version="1.0" encoding="UTF-8"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>${path}/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>`,
  ];
}

const failureOf = (outcome: Promise<unknown>): Promise<SlipstreamError> =>
  outcome.then(
    (value) => Promise.reject(new Error(`no failure: ${JSON.stringify(value)}`)),
    (error: unknown) => (error instanceof SlipstreamError ? error : Promise.reject(error as Error)),
  );

const JOB = 'Big.Buck.Bunny-0a1b2c3d';
const film = nzbFor(FILM_RELEASE);

describe('a category of AltMount', () => {
  it('is sent in its own spelling, whether it is known by then what the server is or not', async () => {
    const { backend, added } = await altMount();
    await backend.submit(film, JOB, FILM, live());
    await backend.submit(film, JOB, EPISODE, live());
    expect(added.map(({ category }) => category)).toEqual(['Movies', 'TV']);
  });

  it('is the one of exactly these letters, where two differ in nothing else', async () => {
    const { backend, added } = await altMount({ categories: ['Movies', 'movies'] });
    await backend.submit(film, JOB, FILM, live());
    expect(added.map(({ category }) => category)).toEqual(['movies']);
  });

  it('is left out where none is set', async () => {
    const { backend, added } = await altMount({}, { movieCategory: '' });
    await backend.submit(film, JOB, FILM, live());
    expect(added.map(({ category }) => category)).toEqual([null]);
  });

  it('that it does not have is a fault of the settings, which no other release heals', async () => {
    const { backend, added } = await altMount({}, { movieCategory: 'films' });
    const error = await failureOf(backend.submit(film, JOB, FILM, live()));
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      explanation: { what: 'AltMount has no category "films".' },
    });
    expect(error.explanation.next).toContain('Movies, TV, Music, Books, Adult');
    expect(added).toEqual([]);
  });

  it('is tested as it is sent', async () => {
    const good = await (await altMount({ hasJobs: true })).backend.test(live());
    expect(good.find(({ what }) => what === 'The categories')?.found).toBe('Movies, TV');
    const bad = await (await altMount({ hasJobs: true }, { tvCategory: 'series' })).backend.test(live());
    expect(bad.at(-1)).toMatchObject({
      setting: 'webdav_tv_category',
      failure: { explanation: { what: 'AltMount has no category "series".' } },
    });
  });
});

describe('an AltMount without a job', () => {
  it('is green in the test, though the folder of finished jobs is made by the first', async () => {
    const checks = await (await altMount()).backend.test(live());
    expect(checks.at(-1)).toMatchObject({ what: 'The WebDAV of AltMount' });
    expect(checks.map(({ failure }) => failure)).toEqual(checks.map(() => undefined));
  });

  it('is not, where its share is not there either', async () => {
    const checks = await (await altMount({ hasShare: false })).backend.test(live());
    expect(checks.at(-1)?.failure).toBeDefined();
  });
});

describe('a job at AltMount', () => {
  const wait = { signal: live(), timeout: 2_000, onProgress: () => undefined };
  const outcome = async (
    history: Script['history'],
    onProgress: (p: JobProgress) => void = () => undefined,
  ) => {
    const { backend } = await altMount({ history: history ?? [] });
    const job = await backend.submit(film, JOB, FILM, live());
    return await backend.waitUntilReady(job, { ...wait, onProgress });
  };
  const storage = `complete/Movies/${JOB}`;

  it('can be played as soon as the history shows where it is', async () => {
    const looks = [
      ['Unknown', ''],
      ['Unknown', storage],
      ['Failed', ''],
    ] as const;
    expect(await outcome(looks)).toMatchObject({ storage, name: JOB });
    expect(await outcome([['Completed', storage]])).toMatchObject({ storage });
  });

  it('is not taken for lost while the history shows no more than that it is there', async () => {
    const looks = [
      ...Array.from({ length: 12 }, () => ['Unknown', ''] as const),
      ['Completed', storage] as const,
    ];
    expect(await outcome(looks)).toMatchObject({ storage });
  });

  it('has its names of episodes put so that they are kept', async () => {
    const { backend, added } = await altMount();
    const nzb = nzbFor(PACK_RELEASE);
    const bytes = Buffer.from(nzb.bytes)
      .toString()
      .replace(PACK_RELEASE.videos[1]?.path ?? '', 'anp-s01e02.mkv');
    const pack = { ...nzb, bytes: new Uint8Array(Buffer.from(bytes)) };
    await backend.submit(pack, JOB, EPISODE, live());
    const { files } = await contentOf(added[0]?.nzb ?? Buffer.alloc(0));
    expect(files.map(({ subject }) => parseSubject(subject).name)).toEqual([
      PACK_RELEASE.videos[0]?.path,
      'Caminandes.S01E02.anp-s01e02.mkv',
      PACK_RELEASE.videos[2]?.path,
      expect.anything(),
      expect.anything(),
    ]);
  });

  const FAST_FAIL =
    'fast-fail segment check failed: no regular files were successfully processed (all files failed validation)';

  it('that found no article is told with its provider from the second one of a play on', async () => {
    const { backend } = await altMount({ history: [['Failed', '', FAST_FAIL]] });
    const fail = async () => {
      const job = await backend.submit(film, JOB, FILM, live());
      return await failureOf(backend.waitUntilReady(job, wait));
    };
    const hint = "or AltMount's usenet provider does not answer or refuses its login";
    const first = await fail();
    expect(first).toMatchObject({ code: 'JOB_FAILED', broken: false, isSummary: false });
    expect(first.explanation.what).not.toContain(hint);
    const second = await fail();
    expect(second).toMatchObject({ code: 'JOB_FAILED', broken: false, isSummary: true });
    expect(second.explanation.what).toContain(hint);
  });

  it.each([
    [
      'no NNTP providers configured - item will be retried when providers are added',
      'NOT_CONFIGURED',
      /^AltMount has no usenet provider yet/,
      false,
    ],
    ['NZB validation failed: invalid NZB: total size is zero', 'JOB_FAILED', /no longer complete/, true],
    [
      'failed to parse NZB file: unable to parse NZB file: expected element type <nzb> but have <html>',
      'JOB_FAILED',
      /AltMount/,
      false,
    ],
  ])('that failed of "%s"', async (message, code, what, broken) => {
    const error = await failureOf(outcome([['Failed', '', message]]));
    expect([error.code, error.broken]).toEqual([code, broken]);
    expect(error.explanation.what).toMatch(what);
  });
});
