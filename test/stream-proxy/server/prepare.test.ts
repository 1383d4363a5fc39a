import http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PREPARE_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import type { RunningProxy } from '../../../src/stream-proxy.ts';
import { type AnswerPlan, type FileServer, nzbdavPlan, startFileServer } from '../../support/file-server.ts';
import { serve } from '../../support/http-server.ts';
import { askPrepare, play, prepare, requestProxy, startTestProxy } from '../../support/proxy.ts';

const SIZE = 300_007;
const SECRET = `Basic ${Buffer.from('admin:open sesame').toString('base64')}`;
let proxy: RunningProxy & { readonly lines: string[] };
let files: FileServer;

beforeEach(async () => {
  files = await startFileServer(SIZE);
  proxy = await startTestProxy({ policies: { prepare: { ...PREPARE_POLICY, pauses: [0, 10] } } });
});

afterEach(async () => {
  await proxy.close();
  await files.close();
});

const wish = (extra: object = {}) => ({ url: files.url, headers: {}, name: 'Sintel.mkv', ...extra });

describe('a good source', () => {
  it('gets a URL that ends in the real name, its size, its type and an id', async () => {
    const prepared = await prepare(proxy, files.url, 'job/Tears of Steel (2012) #1.mkv');
    expect(prepared).toEqual({
      url: `http://127.0.0.1:${proxy.port}/stream/${prepared.id}/Tears%20of%20Steel%20(2012)%20%231.mkv`,
      size: SIZE,
      mime: 'video/x-matroska',
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
  });

  it('is asked by GET from the first byte, with its headers, and never by HEAD', async () => {
    await prepare(proxy, files.url, 'Sintel.mkv', {
      Authorization: SECRET,
      'X-Extra': 'yes',
      Range: 'bytes=7-',
    });
    expect(files.requests).toHaveLength(1);
    expect(files.requests[0]).toMatchObject({
      method: 'GET',
      headers: {
        range: 'bytes=0-',
        authorization: SECRET,
        'x-extra': 'yes',
        'accept-encoding': 'identity',
      },
    });
  });

  it.each<[string, (request: { first: number }) => AnswerPlan, number]>([
    ['206', () => ({}), 1],
    ['206 where it would say 200 for everything, as nzbdav', (r) => nzbdavPlan(SIZE)(r as never), 1],
    [
      'a plain 200 for everything',
      ({ first }) => (first === 0 ? { status: 200, answer: { first: 0, last: SIZE - 1 } } : {}),
      2,
    ],
  ])('may answer the first request with %s', async (_what, plan, requests) => {
    files.plan(plan);
    const { url, size } = await prepare(proxy, files.url);
    expect(size).toBe(SIZE);
    expect(files.requests).toHaveLength(requests);
    expect(await play(url, 'bytes=-70000')).toMatchObject({ complete: true, wrongAt: undefined });
  });

  it('of one byte is enough', async () => {
    const one = await startFileServer(1, () => ({ status: 200 }));
    try {
      const { url } = await prepare(proxy, one.url);
      expect(await play(url)).toMatchObject({ count: 1, complete: true });
    } finally {
      await one.close();
    }
  });

  it('may need a second attempt', async () => {
    files.plan((_request, index) => (index === 0 ? { status: 503 } : {}));
    await prepare(proxy, files.url);
    expect(files.requests).toHaveLength(2);
  });

  it('may have its user and password in the URL; they move into a header', async () => {
    const { url } = await prepare(proxy, files.url.replace('//', '//admin:open%20sesame@'));
    expect(files.requests[0]?.headers.authorization).toBe(SECRET);
    expect(url).not.toContain('admin');
  });

  it('never shows its credentials to the player, the log or the status', async () => {
    const { url } = await prepare(proxy, files.url, 'Sintel.mkv', { Authorization: SECRET });
    files.plan(() => ({ status: 401, headers: { 'www-authenticate': SECRET } }));
    await play(url, 'bytes=9-').catch(() => undefined);
    await askPrepare(proxy, wish({ headers: { Authorization: SECRET } }));
    const head = await requestProxy(url, { method: 'HEAD' });
    const status = await requestProxy(`http://127.0.0.1:${proxy.port}/status`, {
      headers: { authorization: `Bearer ${proxy.token}` },
    });
    const shown = JSON.stringify([head.headers, status.json(), proxy.lines, url]);
    expect(shown).toContain('refused');
    for (const secret of [SECRET, SECRET.slice(6), 'sesame', proxy.token, '/content/movies'])
      expect(shown).not.toContain(secret);
    expect(JSON.stringify(status.json())).not.toContain(proxy.sessions()[0]!.id);
  });
});

describe('a server that slips now and then', () => {
  /** All of the file, and parts of it where they are asked for; its version is told. */
  const whole = ({ first }: { readonly first: number }, etag: string): AnswerPlan =>
    first === 0
      ? { status: 200, answer: { first: 0, last: SIZE - 1 }, headers: { etag } }
      : { headers: { etag } };

  it.each<[string, readonly number[]]>([
    ['in one answer', [1]],
    ['in two answers in a row', [1, 2]],
    // All that comes after it says so.
    ['in its first answer', [0]],
  ])('slips %s, and the file is prepared', async (_what, slips) => {
    files.plan((request, index) => whole(request, slips.includes(index) ? '"slip"' : '"one"'));
    const { url } = await prepare(proxy, files.url);
    expect(await play(url, 'bytes=-70000')).toMatchObject({ complete: true, wrongAt: undefined });
  });

  it('slips in the size, which the backend has told', async () => {
    const plan = (total: number): AnswerPlan => ({
      headers: { 'content-range': `bytes 0-${SIZE - 1}/${total}` },
    });
    files.plan((_request, index) => (index < 2 ? plan(SIZE + 9) : {}));
    const answer = await askPrepare(proxy, wish({ size: SIZE }));
    expect(answer.json()).toMatchObject({ size: SIZE });
    expect(files.requests).toHaveLength(3);
  });

  it('has the last word about the size all the same', async () => {
    const answer = await askPrepare(proxy, wish({ size: SIZE - 1 }));
    expect(answer.json()).toMatchObject({ size: SIZE });
  });

  it('has changed the file where it says so all the time', async () => {
    files.plan((request, index) => whole(request, `"${index}"`));
    expect((await askPrepare(proxy, wish())).json()).toMatchObject({
      code: 'BAD_ANSWER',
      what: expect.stringContaining('changed the file') as string,
    });
  });
});

describe('redirects', () => {
  it('are followed, with credentials only within the origin', async () => {
    const other = await startFileServer(SIZE);
    try {
      files.plan(({ url }) =>
        url === '/moved'
          ? { status: 302, headers: { location: other.url } }
          : { status: 307, headers: { location: '/moved' } },
      );
      const { size } = await prepare(proxy, files.url, 'Sintel.mkv', { Authorization: SECRET });
      expect(size).toBe(SIZE);
      expect(files.requests.map(({ headers }) => headers.authorization)).toEqual([SECRET, SECRET]);
      expect(other.requests[0]?.headers.authorization).toBeUndefined();
      expect(other.requests[0]?.headers.range).toBe('bytes=0-');
    } finally {
      await other.close();
    }
  });

  it.each(['/content/again', 'ftp://127.0.0.1/x', 'http://['])(
    'to %s without end or sense are refused',
    async (location) => {
      files.plan(() => ({ status: 302, headers: { location } }));
      const answer = await askPrepare(proxy, wish());
      expect([answer.status, answer.json()]).toEqual([502, expect.objectContaining({ code: 'BAD_ANSWER' })]);
    },
  );
});

describe('a service that answers no ranges', () => {
  const opening = { who: 'Example', wait: 5_000 };
  const always200 = (): AnswerPlan => ({
    status: 200,
    answer: { first: 0, last: SIZE - 1 },
    headers: {
      'content-range': undefined,
      'content-type': 'video/x-matroska',
      'content-disposition': 'attachment; filename="Sintel.2010.1080p.mkv"',
    },
  });

  it('is opened by the player itself, which cannot seek in it', async () => {
    files.plan(always200);
    const answer = await askPrepare(proxy, wish({ opening, name: 'The release.mkv' }));
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        url: files.url,
        size: SIZE,
        mime: 'video/x-matroska',
        name: 'Sintel.2010.1080p.mkv',
        unseekable: true,
      },
    ]);
    expect(proxy.sessions()).toEqual([]);
    await expect
      .poll(() => files.requests.filter(({ isOver }) => !isOver).length, { timeout: 10_000 })
      .toBe(0);
  });

  it('is not where its address is that of a list to Kodi, which would open what that names', async () => {
    files.plan(always200);
    const url = new URL('/Sintel.strm', files.url).href;
    const answer = await askPrepare(proxy, wish({ opening, url }));
    expect(answer.json()).toMatchObject({ code: 'NO_VIDEO' });
    expect(answer.json()).not.toHaveProperty('url');
  });

  it('is not where headers open it, which no player can be given', async () => {
    files.plan(always200);
    const answer = await askPrepare(proxy, wish({ opening, headers: { 'X-Key': 'k' } }));
    expect([answer.status, answer.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'PREPARE_FAILED' }),
    ]);
  });

  it('is not where what it sends is no video', async () => {
    files.plan(() => ({ ...always200(), bytes: { first: 5_000, last: 5_000 + SIZE } }));
    const answer = await askPrepare(proxy, wish({ opening }));
    expect([answer.status, answer.json()]).toEqual([502, expect.objectContaining({ code: 'DAMAGED' })]);
  });

  it('is another one where parts have come before', async () => {
    const { url } = (await askPrepare(proxy, wish({ opening }))).json() as { url: string };
    files.plan(() => ({
      status: 200,
      answer: { first: 0, last: SIZE - 1 },
      bytes: { first: 0, last: SIZE - 1 },
    }));
    expect(await play(url, 'bytes=100000-')).toMatchObject({ count: 0, complete: false });
    expect(proxy.sessions()[0]?.failure?.what).toContain('something else in the place of the film');
  });
});

describe('a bad source is told with a code and leaves no session', () => {
  it.each<[string, AnswerPlan, number, string]>([
    [
      'a server without ranges',
      { status: 200, answer: { first: 0, last: SIZE - 1 }, headers: { 'content-range': undefined } },
      502,
      'PREPARE_FAILED',
    ],
    [
      'a part that starts elsewhere',
      { status: 206, bytes: { first: 5, last: SIZE + 4 }, answer: { first: 9, last: SIZE - 1 } },
      502,
      'BAD_ANSWER',
    ],
    ['an unknown size', { headers: { 'content-range': `bytes 0-${SIZE - 1}/*` } }, 502, 'BAD_ANSWER'],
    ['no length at all', { status: 200, headers: { 'content-length': undefined } }, 502, 'BAD_ANSWER'],
    ['an empty file', { status: 200, answer: { first: 0, last: -1 } }, 502, 'BAD_ANSWER'],
    ['a wrong password', { status: 401 }, 502, 'AUTH_FAILED'],
    ['a missing file', { status: 404 }, 502, 'PREPARE_FAILED'],
    ['an error of the server', { status: 500 }, 502, 'SERVICE_ERROR'],
    ['a body without bytes', { dropAfter: 0 }, 502, 'PREPARE_FAILED'],
    ['no answer', { dropAfter: -1 }, 502, 'UNREACHABLE'],
  ])('%s', async (_what, plan, status, code) => {
    files.plan(() => plan);
    const answer = await askPrepare(proxy, wish());
    expect([answer.status, answer.json()]).toEqual([
      status,
      { code, what: expect.any(String) as string, next: expect.any(String) as string },
    ]);
    expect(proxy.sessions()).toEqual([]);
  });

  it.each([
    ['<!DOCTYPE html><title>Log in</title>', 'a web page'],
    ['PK\x03\x04 and so on', 'a ZIP archive'],
  ])('a file that is certainly no video: %s', async (text, kind) => {
    const url = await serve((_request, response) => {
      response.writeHead(206, {
        'content-range': `bytes 0-${text.length - 1}/${text.length}`,
        'content-length': text.length,
      });
      response.end(text);
    });
    const answer = await askPrepare(proxy, wish({ url: `${url}/Sintel.mkv` }));
    expect([answer.status, answer.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'BAD_ANSWER', what: expect.stringContaining(kind) as string }),
    ]);
    expect(proxy.sessions()).toEqual([]);
  });

  it('a part that holds other bytes than the whole', async () => {
    files.plan(({ first }) => (first === 0 ? { status: 200 } : { bytes: { first: 0, last: 4094 } }));
    expect((await askPrepare(proxy, wish())).json()).toMatchObject({ code: 'BAD_ANSWER' });
  });

  it('noise under the name of a film', async () => {
    files.plan(() => ({ bytes: { first: 5_000, last: 5_000 + SIZE } }));
    const answer = await askPrepare(proxy, wish());
    expect([answer.status, answer.json()]).toEqual([
      502,
      {
        code: 'DAMAGED',
        what: 'The file is no video: it is encrypted, or damaged at its start.',
        next: 'Try another release.',
      },
    ]);
    expect(proxy.sessions()).toEqual([]);
  });

  it('nothing that listens', async () => {
    const { port } = files;
    await files.close();
    const answer = await askPrepare(proxy, wish({ url: `http://127.0.0.1:${port}/x.mkv` }));
    expect(answer.json()).toMatchObject({ code: 'UNREACHABLE' });
    files = await startFileServer(SIZE);
  });
});

describe('a bad request', () => {
  it.each<[string, unknown]>([
    ['no JSON', '{'],
    ['a list', []],
    ['no url', { name: 'x.mkv' }],
    ['no name', { url: 'http://127.0.0.1/' }],
    ['a file url', { url: 'file:///etc/passwd', name: 'x.mkv' }],
    ['a url with a line break', { url: 'http://127.0.0.1/\r\nX: y', name: 'x.mkv' }],
    [
      'a header with a line break',
      { url: 'http://127.0.0.1/', name: 'x', headers: { 'X-A': 'a\r\nX-B: b' } },
    ],
    ['a header that is no text', { url: 'http://127.0.0.1/', name: 'x', headers: { 'X-A': 1 } }],
    ['a header name with a colon', { url: 'http://127.0.0.1/', name: 'x', headers: { 'X:A': 'a' } }],
    ['a size below one', { url: 'http://127.0.0.1/', name: 'x', size: 0 }],
  ])('with %s is refused before anything is opened', async (_what, body) => {
    const answer = await askPrepare(proxy, body);
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    ]);
    expect(files.requests).toEqual([]);
  });

  it('larger than 256 KiB is refused', async () => {
    const answer = await askPrepare(proxy, wish({ padding: 'x'.repeat(257 * 1024) }));
    expect(answer.status).toBe(413);
  });
});

it('a caller that leaves ends the opening, and no session stays', async () => {
  files.plan(() => ({ stallAfter: -1 }));
  const request = http.request(`http://127.0.0.1:${proxy.port}/prepare`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${proxy.token}` },
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify(wish()));
  await expect.poll(() => files.requests.length, { timeout: 10_000 }).toBe(1);
  request.destroy();
  await files.requests[0]!.over;
  expect(proxy.sessions()).toEqual([]);
});

it('an old session that nobody plays makes room, and takes the place of another when it is asked for again', async () => {
  const first = await prepare(proxy, files.url);
  for (let i = 0; i < 16; i++) await prepare(proxy, files.url);
  const ids = () => proxy.sessions().map(({ id }) => id);
  expect(ids()).toHaveLength(16);
  expect(ids()).not.toContain(first.id);
  expect((await requestProxy(first.url)).status).toBe(200);
  expect(ids()).toHaveLength(16);
  expect(ids()).toContain(first.id);
});
