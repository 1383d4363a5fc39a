import { describe, expect, onTestFinished, test } from 'vitest';
import { downloadKey } from '../../../sandbox/direct-stream/index.ts';
import { formParts } from '../../../sandbox/nzbdav/multipart.ts';
import type { Nzb } from '../../../src/backends/backend.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { EPISODE, FILM, released } from '../labs.ts';
import { judgedNzbFor, playJudged, QUICK, startLab } from './lab.ts';

/** AltMount as protocols.md §8.1 and §2.10 describe it. */
const live = () => new AbortController().signal;
const DEAD = 'Big.Buck.Bunny.2008.1080p.BluRay.REMUX.AVC-GONE';

async function setUp() {
  const lab = await startLab('altmount');
  onTestFinished(() => lab.close());
  const play = async (
    nzb: Nzb = lab.film.nzb,
    request: MediaRequest = FILM,
    name = 'Big.Buck.Bunny-0a1b',
  ) => {
    const options = { signal: live(), timeout: 2_000, onProgress: () => undefined };
    return await playJudged(lab.backend, nzb, request, { name, options });
  };
  const posts = () => lab.sandbox.requests.filter(({ method }) => method === 'POST');
  return { ...lab, play, posts };
}

const failureOf = (outcome: Promise<unknown>): Promise<SlipstreamError> =>
  outcome.then(
    (value) => Promise.reject(new Error(`no failure: ${JSON.stringify(value)}`)),
    (error: unknown) =>
      error instanceof SlipstreamError ? error : Promise.reject(new Error(`not ours: ${String(error)}`)),
  );

/** A server that answers orders as told; gives the parts of what was sent. */
async function orders(
  answer: (n: number) => { status: number; body: unknown; headers?: Record<string, string> },
) {
  const sent: { parts: ReturnType<typeof formParts>; headers: Record<string, unknown> }[] = [];
  const url = await serve((request, response) => {
    // Its queue is looked at beside an order; here nobody tells.
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const type = String(request.headers['content-type']);
      sent.push({ parts: formParts(type, Buffer.concat(chunks)), headers: request.headers });
      const { status, body, headers } = answer(sent.length);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  const log = memoryLog();
  const backend = directStreamBackend(
    { kind: 'altmount', url, apiKey: 'key-51c2', tvCategory: 'tv', via: 'player' },
    log,
    QUICK,
  );
  return { backend, sent, url, log };
}

const wait = { signal: live(), timeout: 2_000, onProgress: () => undefined };

describe('an order', () => {
  test('names the job, its category and the episode, and holds the key in a header alone', async () => {
    const { backend, sent } = await orders(() => ({ status: 200, body: { streams: [] } }));
    const nzb = await judgedNzbFor(released('Caminandes.S01.1080p.WEB-DL.x264-PACKED'));
    await backend.submit(nzb, 'Caminandes.S01-77aa', EPISODE, live());
    const [{ parts, headers } = { parts: [], headers: {} }] = sent;
    const texts = Object.fromEntries(parts.map(({ name, data }) => [name, data.toString()]));
    expect(texts).toMatchObject({ category: 'tv', season: '1', episode: '2', timeout: '1' });
    const file = parts.find(({ name }) => name === 'file');
    expect(file?.filename).toBe('Caminandes.S01-77aa.nzb');
    expect(file?.data.equals(Buffer.from(nzb.bytes))).toBe(true);
    expect(headers['x-api-key']).toBe('key-51c2');
  });

  test('leaves out what is not known', async () => {
    const { backend, sent } = await orders(() => ({ status: 200, body: { streams: [] } }));
    await backend.submit(await judgedNzbFor(released(DEAD)), 'Film-77aa', FILM, live());
    expect(sent[0]?.parts.map(({ name }) => name)).toEqual(['timeout', 'file']);
  });

  test.each([
    ['408', { status: 408, body: { success: false, error: { code: 'TIMEOUT', message: 'timeout' } } }],
    ['503 with Retry-After', { status: 503, body: 'busy', headers: { 'retry-after': '10' } }],
    ['429 with Retry-After', { status: 429, body: '', headers: { 'retry-after': '1' } }],
  ])('is sent again, the same, after %s', async (_case, busy) => {
    const { backend, sent } = await orders((n) => (n < 5 ? busy : { status: 200, body: { streams: [] } }));
    const job = await backend.submit(await judgedNzbFor(released(DEAD)), 'Film-77aa', FILM, live());
    await backend.waitUntilReady(job, wait);
    expect(sent).toHaveLength(5);
    expect(new Set(sent.map(({ parts }) => parts.find(({ name }) => name === 'file')?.filename)).size).toBe(
      1,
    );
  });

  test('is given up at the deadline by a service that is busy for ever', async () => {
    const busy = { status: 503, body: 'busy', headers: { 'retry-after': '10' } };
    const { backend } = await orders(() => busy);
    const job = await backend.submit(await judgedNzbFor(released(DEAD)), 'Film-77aa', FILM, live());
    const error = await failureOf(backend.waitUntilReady(job, { ...wait, timeout: 150 }));
    expect(error.code).toBe('JOB_TIMEOUT');
  });

  test('is broken off with the wait for it', async () => {
    let over = 0;
    const url = await serve((request) => {
      request.resume();
      if (request.method === 'POST') request.socket.once('close', () => over++);
    });
    const backend = directStreamBackend(
      { kind: 'altmount', url, apiKey: 'key-51c2', via: 'player' },
      memoryLog(),
      {
        ...QUICK,
        block: 60_000,
      },
    );
    const job = await backend.submit(await judgedNzbFor(released(DEAD)), 'Film-77aa', FILM, live());
    const controller = new AbortController();
    const waiting = backend.waitUntilReady(job, { ...wait, signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect.poll(() => over).toBe(1);
    // And a removal breaks off what nobody waits for.
    const other = await backend.submit(await judgedNzbFor(released(DEAD)), 'Other-77aa', FILM, live());
    await backend.remove(other, AbortSignal.timeout(20)).catch(() => undefined);
    await expect.poll(() => over).toBe(2);
  });
});

describe('what is refused', () => {
  test.each([
    ['a wrong key', 401, 'UNAUTHORIZED', 'AUTH_FAILED', /key/],
    ['an account', 403, 'Subscription expired', 'AUTH_FAILED', /Subscription expired/],
    ['the feature switched off', 404, 'Stremio endpoint is disabled', 'BAD_ANSWER', /switched off/],
    ['a file that it does not take', 400, 'Only .nzb files are taken', 'SUBMIT_REFUSED', /Only \.nzb files/],
    ['a file that is too large', 413, 'too large', 'SUBMIT_REFUSED', /larger/],
  ])('%s', async (_case, status, message, code, words) => {
    const body = { success: false, error: { code: 'X', message, details: '' } };
    const { backend, sent } = await orders(() => ({ status, body }));
    const nzb = await judgedNzbFor(released(DEAD));
    const error = await failureOf(backend.submit(nzb, 'Film-77aa', FILM, live()));
    expect([error.code, error.transient]).toEqual([code, false]);
    expect(error.explanation.what).toMatch(words);
    expect(sent).toHaveLength(1);
  });

  test('a job that fails is told by the wait, with what the words of the service mean', async () => {
    const { play, backend, film } = await setUp();
    expect(await backend.submit(film.nzb, 'first', FILM, live())).toMatchObject({ name: 'first' });
    const error = await failureOf(play(await judgedNzbFor(released(DEAD))));
    expect(error.code).toBe('JOB_FAILED');
    expect(error.explanation.what).toBe('AltMount found no article of the release.');
  });

  test.each([
    ['12 of 40 articles at http://news.example/key-51c2', /\("12 of 40 articles at \(address\)"\)/],
    [' ', /\("Processing failed"\)/],
  ])('its reason comes before its headline, and gives nothing away: %s', async (details, words) => {
    const body = { success: false, error: { code: 'X', message: 'Processing failed', details } };
    const { backend } = await orders(() => ({ status: 500, body }));
    const job = await backend.submit(await judgedNzbFor(released(DEAD)), 'Film-77aa', FILM, live());
    const error = await failureOf(backend.waitUntilReady(job, wait));
    expect(error.explanation.what).toMatch(words);
    expect(error.message).not.toContain('key-51c2');
  });

  test('no stream for the episode is another episode', async () => {
    const { play, pack } = await setUp();
    const request = { ...EPISODE, episode: { season: 1, episode: 9 } };
    const error = await failureOf(play(pack.nzb, request));
    expect(error.code).toBe('NO_VIDEO');
    expect(error.explanation.what).toContain('other episodes');
  });
});

describe('the streams', () => {
  const streams = (...urls: { url: string; title?: string }[]) => ({ streams: urls });

  test('are played where they were found, with all that opens them, and nobody reads it', async () => {
    const { play, logged } = await setUp();
    const { file, files } = await play();
    expect(file).toMatchObject({ via: 'player', name: 'Big.Buck.Bunny-0a1b.mkv' });
    expect(file.size).toBe(240_000_000);
    expect(file.url).toContain('/api/files/stream?path=');
    expect(files).toEqual([
      { path: ['complete', 'movies', 'Big.Buck.Bunny-0a1b', file.name], size: 240_000_000 },
    ]);
    expect(logged()).not.toContain(downloadKey('canary direct/key=5e20b7'));
  });

  test('may be relative to the address', async () => {
    const { backend, url } = await orders(() => ({
      status: 200,
      body: streams({ url: '/api/files/stream?path=/a/Big.Buck.Bunny.mkv&download_key=1' }),
    }));
    const job = await backend.submit(await judgedNzbFor(released(DEAD)), 'Film-77aa', FILM, live());
    const { storage } = await backend.waitUntilReady(job, wait);
    expect(storage).toContain(`"${url}/api/files/stream?path=`);
  });

  test.each([
    ['no list', { nothing: true }],
    ['no address', { streams: [{ title: 'Big.Buck.Bunny.mkv' }] }],
    ['no web address', { streams: [{ url: 'file:///etc/passwd' }] }],
  ])('are no streams: %s', async (_case, body) => {
    const { backend } = await orders(() => ({ status: 200, body }));
    const submitting = backend.submit(await judgedNzbFor(released(DEAD)), 'Film-77aa', FILM, live());
    expect((await failureOf(submitting)).code).toBe('BAD_ANSWER');
  });

  test.each([
    ['a stub', 'stub', 'DAMAGED'],
    ['a notice', 'notice', 'JOB_FAILED'],
    ['a page', 'page', 'JOB_FAILED'],
    ['a ring of redirects', 'redirects', 'BAD_ANSWER'],
  ] as const)('are refused when what opens is %s', async (_case, stream, code) => {
    const { play, sandbox } = await setUp();
    sandbox.faults.stream = stream;
    const error = await failureOf(play());
    expect(error.code).toBe(code);
    expect(sandbox.requests.filter(({ path }) => path === '/api/files/stream').length).toBeLessThanOrEqual(
      6 * 8,
    );
  });

  test('a small episode of a large pack is no stub', async () => {
    const { play, pack } = await setUp();
    const large = { ...pack.nzb, release: { ...pack.nzb.release, size: 100_000_000_000 } };
    expect((await play(large, EPISODE)).file.name).toBe(pack.fileName);
  });
});

test('a job of another process is not known here', async () => {
  const { backend } = await setUp();
  const job = { id: 'x', name: 'x', category: '' };
  expect((await failureOf(backend.waitUntilReady(job, wait))).code).toBe('JOB_FAILED');
});

test('what cannot be removed, for the endpoint is switched off, is absent', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(404).end('Cannot GET /sabnzbd/api');
  });
  const backend = directStreamBackend(
    { kind: 'altmount', url, apiKey: 'k', via: 'player' },
    memoryLog(),
    QUICK,
  );
  expect(await backend.remove({ name: 'x' }, live())).toBe('absent');
});

test('a deletion alone that meets a 404 leaves a job that is still to be removed', async () => {
  const { backend, play, misbehave, jobs } = await setUp();
  const name = 'Big.Buck.Bunny-0a1b';
  await play();
  misbehave('remove', 404, 1);
  expect((await failureOf(backend.remove({ name, category: '' }, live()))).message).toContain('404');
  expect(jobs()).toEqual([name]);
  expect(await backend.remove({ name, category: '' }, live())).toBe('removed');
  expect(jobs()).toEqual([]);
});

test('what was taken here, but is not shown there, is absent: it may yet appear', async () => {
  const queue: { nzo_id: string; filename: string }[] = [];
  const url = await serve((request, response) => {
    request.resume();
    if (request.method === 'POST') return;
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    if (query.get('name') === 'delete') queue.length = 0;
    response.end(JSON.stringify({ status: true, queue: { slots: queue }, history: { slots: [] } }));
  });
  const backend = directStreamBackend(
    { kind: 'altmount', url, apiKey: 'k', via: 'player' },
    memoryLog(),
    QUICK,
  );
  const job = await backend.submit(await judgedNzbFor(released(DEAD)), 'Film-77aa', FILM, live());
  expect(await backend.remove(job, live())).toBe('absent');
  queue.push({ nzo_id: '1', filename: 'Film-77aa.nzb' });
  expect(await backend.remove(job, live())).toBe('removed');
});
