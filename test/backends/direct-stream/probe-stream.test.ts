import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ProbeResult, probeStream } from '../../../src/backends/direct-stream/probe-stream.ts';
import { streamAt } from '../../../src/backends/direct-stream/streams.ts';
import { closedPort, serve } from '../../support/http-server.ts';

const SIZE = 9_000_000;
/** How a Matroska file begins. */
const MKV = Buffer.concat([
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88]),
  Buffer.from('matroska'),
  Buffer.alloc(4078),
]);

type Answers = (request: IncomingMessage, response: ServerResponse) => void;

const look = (url: string, headers: Record<string, string> = {}, timeout = 2_000): Promise<ProbeResult> =>
  probeStream({ url, headers, who: 'Example', timeout, signal: new AbortController().signal });

const part: Answers = (_request, response) => {
  const range = `bytes 0-4095/${SIZE}`;
  response.writeHead(206, { 'content-type': 'video/x-matroska', 'content-range': range });
  response.end(MKV.subarray(0, 4096));
};

async function seen(answers: Answers, path = '/film.mkv') {
  const requests: IncomingMessage[] = [];
  const base = await serve((request, response) => {
    requests.push(request);
    answers(request, response);
  });
  return { sight: await look(`${base}${path}`), requests, base };
}

describe('a video', () => {
  test('is opened by one ranged GET, without compression', async () => {
    const { sight, requests, base } = await seen(part);
    expect(sight).toEqual({
      kind: 'video',
      url: `${base}/film.mkv`,
      size: SIZE,
      mime: 'video/x-matroska',
      name: 'film.mkv',
    });
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
    expect(requests[0]?.headers).toMatchObject({ range: 'bytes=0-4095', 'accept-encoding': 'identity' });
  });

  test('may come whole; no more of it is read than its beginning', async () => {
    let written = 0;
    const { sight } = await seen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': 50_000_000 });
      const more = () => {
        written += 65_536;
        if (!response.destroyed && written < 50_000_000) response.write(Buffer.alloc(65_536, 7), more);
      };
      response.write(MKV, more);
    });
    expect(sight).toMatchObject({ kind: 'video', size: 50_000_000, mime: 'video/x-matroska' });
    expect(written).toBeLessThan(50_000_000);
  });

  test.each([
    ['attachment; filename="Big Buck.mkv"', 'Big Buck.mkv'],
    [`attachment; filename="x.mkv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.mkv`, 'Größe.mkv'],
    ['attachment; filename=../../etc/film.mp4', 'film.mp4'],
    ['inline; filename="Cured%20Tower%20S01E02%20720p.mkv"', 'Cured Tower S01E02 720p.mkv'],
    ['inline; filename="Gr%C3%B6%C3%9Fe%7B%7Bgeheim96%7D%7D.mkv"', 'Größe.mkv'],
    [`inline; filename="${'%E5%A4%A7'.repeat(80)}.mkv"`, `${'大'.repeat(80)}.mkv`],
    ['inline; filename=..%2F..%2Fetc%2Ffilm.mp4', 'film.mp4'],
    ['inline; filename="100%.Wolf.50%25.mkv"', '100%.Wolf.50%25.mkv'],
    ['inline; filename="What is 50%20.mkv"', 'What is 50%20.mkv'],
    ['attachment; filename="readme.txt"', undefined],
  ])('is called as the answer says: %s', async (disposition, name) => {
    const { sight } = await seen((request, response) => {
      response.setHeader('content-disposition', disposition);
      part(request, response);
    }, '/play/1');
    expect(sight).toMatchObject({ kind: 'video' });
    expect((sight as { name?: string }).name).toBe(name);
  });
});

describe('redirects', () => {
  const hops =
    (count: number): Answers =>
    (request, response) => {
      const done = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
      if (done >= count) part(request, response);
      else response.writeHead(302, { location: `/${done + 1}` }).end();
    };

  test('five are followed, to the address that is played', async () => {
    const { sight, base, requests } = await seen(hops(5), '/0');
    expect(sight).toMatchObject({ kind: 'video', url: `${base}/5` });
    expect(requests).toHaveLength(6);
  });

  test('a sixth is not', async () => {
    const { sight, requests } = await seen(hops(6), '/0');
    expect(sight).toMatchObject({ kind: 'astray' });
    expect(requests).toHaveLength(6);
  });

  test('to a notice of "not yet" mean that it is to be asked later', async () => {
    const { sight } = await seen((_request, response) => {
      response.writeHead(307, { location: '/static/downloading.mp4' }).end();
    });
    expect(sight).toMatchObject({ kind: 'later' });
  });

  test.each([
    '/error/failure.mp4',
    '/static/download_failed.mp4',
    'https://x.example/static/a/../429.mp4?x=1',
  ])('to a notice end there: %s', async (location) => {
    const { sight, requests } = await seen((_request, response) => {
      response.writeHead(307, { location }).end();
    });
    expect(sight).toMatchObject({ kind: 'notice', words: '' });
    expect(requests).toHaveLength(1);
  });

  test('to a film where others keep their notices are followed; what is small there is none', async () => {
    const sized =
      (size: number): Answers =>
      (request, response) => {
        if (request.url === '/0') response.writeHead(302, { location: '/static/Sintel.2010.mp4' }).end();
        else response.writeHead(206, { 'content-range': `bytes 0-4095/${size}` }).end(MKV.subarray(0, 4096));
      };
    expect((await seen(sized(700_000_000), '/0')).sight).toMatchObject({ kind: 'video', size: 700_000_000 });
    expect((await seen(sized(2_000_000), '/0')).sight).toMatchObject({ kind: 'notice' });
  });

  test.each(['file:///etc/passwd', 'http://', 'smb://server/share'])('to %s are none', async (location) => {
    const moved: Answers = (_request, response) => response.writeHead(302, { location }).end();
    expect((await seen(moved)).sight).toMatchObject({ kind: 'astray' });
  });

  test('take headers to the same origin, and to no other', async () => {
    const got: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      got.push(request.headers.cookie);
      part(request, response);
    });
    const base = await serve((request, response) => {
      got.push(request.headers.cookie);
      const location = request.url === '/a' ? '/b' : `${other}/c.mkv`;
      response.writeHead(302, { location }).end();
    });
    await look(`${base}/a`, { cookie: 'session=1' });
    expect(got).toEqual(['session=1', 'session=1', undefined]);
  });
});

describe('what is no video', () => {
  const answering =
    (status: number, headers: Record<string, string>, body: string | Buffer = ''): Answers =>
    (_request, response) =>
      response.writeHead(status, headers).end(body);

  test.each<[string, Answers, object]>([
    ['a page', answering(200, { 'content-type': 'text/html' }, '<html></html>'), { kind: 'other' }],
    [
      'a page that is called a video',
      answering(200, { 'content-type': 'video/mp4' }, '<html>'),
      { kind: 'other' },
    ],
    ['words', answering(200, { 'content-type': 'application/json' }, '{}'), { kind: 'other' }],
    [
      'words under a name of a film',
      answering(200, { 'content-length': '21' }, '{"error":"not ready"}'),
      { kind: 'other', what: 'a JSON document' },
    ],
    [
      'a playlist',
      answering(200, { 'content-type': 'application/octet-stream', 'content-length': '8' }, '#EXTM3U\n'),
      { kind: 'other', what: 'a playlist' },
    ],
    [
      'nothing',
      answering(206, { 'content-range': 'bytes 0-0/0' }),
      { kind: 'other', what: 'a file of 0 bytes' },
    ],
    [
      'called as a notice is',
      answering(
        200,
        { 'content-length': '9000', 'content-disposition': 'inline; filename="failure_video.mp4"' },
        Buffer.alloc(9000, 7),
      ),
      { kind: 'notice', words: '' },
    ],
    [
      'a notice that says why, whatever its status',
      answering(502, { 'x-nzbdav-failure': 'no <b>articles</b> at http://x.example/key' }),
      { kind: 'notice', words: 'no articles at (address)' },
    ],
    ['an archive', answering(200, {}, 'Rar!\u001a\u0007\u0000'), { kind: 'other' }],
    [
      'of unknown length',
      answering(200, { 'content-type': 'video/mp4', 'transfer-encoding': 'chunked' }, MKV),
      { kind: 'other', what: 'a stream of unknown length' },
    ],
    [
      'another part than was asked for',
      answering(206, { 'content-type': 'video/mp4', 'content-range': 'bytes 5-9/100' }, 'abcde'),
      { kind: 'other' },
    ],
    ['later, at a time', answering(503, { 'retry-after': '7' }), { kind: 'later', after: 7_000 }],
    ['later, at no time', answering(502, {}), { kind: 'later', after: undefined }],
    ['too early', answering(425, { 'retry-after': '1' }), { kind: 'later', after: 1_000 }],
    ['denied', answering(401, {}), { kind: 'denied' }],
    ['gone', answering(404, {}, 'expired'), { kind: 'absent', words: 'expired' }],
    ['no GET', answering(405, {}), { kind: 'absent' }],
    ['broken', answering(500, {}, 'no articles'), { kind: 'broken', words: 'no articles' }],
  ])('%s', async (_case, answers, sight) => {
    expect((await seen(answers)).sight).toMatchObject(sight);
  });

  test('is nobody, or one who says nothing', async () => {
    await expect(look(`${await closedPort()}/film.mkv`)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const silent = await serve(() => undefined);
    await expect(look(`${silent}/secret-token`, {}, 50)).rejects.toMatchObject({ code: 'TIMEOUT' });
    const stalled = await serve((_request, response) => {
      response.writeHead(206, { 'content-type': 'video/mp4' });
      response.write('a');
    });
    await expect(look(`${stalled}/x`, {}, 50)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  test('may block before its answer, where that is waited for, and nowhere else', async () => {
    const blocking = (url: string) =>
      probeStream({ url, who: 'Example', timeout: 100, blocks: true, signal: new AbortController().signal });
    const slow = await serve((request, response) => {
      setTimeout(() => {
        part(request, response);
      }, 300);
    });
    expect(await blocking(`${slow}/film.mkv`)).toMatchObject({ kind: 'video', size: SIZE });
    const stalled = await serve((_request, response) => {
      response.writeHead(206, { 'content-type': 'video/mp4' }).write('a');
    });
    await expect(blocking(`${stalled}/x`)).rejects.toMatchObject({ code: 'TIMEOUT' });
    // No handshake: the request cannot leave.
    const mute = createServer(() => undefined);
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void mute.close());
    const { port } = mute.address() as AddressInfo;
    await expect(blocking(`https://127.0.0.1:${port}/x`)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('the address of a stream', () => {
  test('holds nothing that the media centre takes for options of its own', () => {
    const path = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(path, path, (before, after) => {
        const stream = streamAt(`http://a.example/${before}|Referer=x&${after}`, 'http://b.example');
        expect(stream?.url ?? '').not.toContain('|');
      }),
    );
    expect(streamAt('http://a.example/f.mkv|postdata=eA==', 'http://b')?.url).toBe(
      'http://a.example/f.mkv%7Cpostdata=eA==',
    );
  });

  test.each([
    [
      'http://a/x?path=%2Fcomplete%2Ftv%2FShow%2FE02.mkv&download_key=1',
      [],
      ['complete', 'tv', 'Show', 'E02.mkv'],
    ],
    ['http://a/token/Film%20One.mp4?x=1', [], ['Film One.mp4']],
    ['http://a/play/1', ['Pack\nE03.mkv 3 GB', 'E03.mkv'], ['E03.mkv']],
    ['http://a/play/1', ['AltMount', 'no file'], []],
    // A release's name ends in no file's ending.
    ['http://a/play/1', ['Sintel.2010.1080p.WEB.x264'], []],
    ['http://a/play/1', ['Sintel.2010.1080p.WEB.x264', 'Sintel.rmvb'], ['Sintel.rmvb']],
    ['http://a/play/Sintel.2010.1080p.x264', [], []],
    ['http://a/x?path=/complete/tv/Show.S01.DTS', ['E02.m2ts'], ['E02.m2ts']],
    // A file that is no video is not to be taken for a nameless one.
    ['http://a/x?path=/complete/Sintel.srt', ['Sintel'], ['complete', 'Sintel.srt']],
  ])('tells the name: %s', (url, names, path) => {
    expect(streamAt(url, 'http://b', names)?.path).toEqual(path);
  });

  test.each(['', 'ftp://a/b', 'javascript:alert(1)', `http://a/${'x'.repeat(9000)}`])(
    'is none: %.30s',
    (url) => {
      expect(streamAt(url, 'http://b')).toBeUndefined();
    },
  );
});
