import type { IncomingMessage, RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PreparedStream, RunningProxy } from '../../../src/stream-proxy.ts';
import { type FileServer, startFileServer } from '../../support/file-server.ts';
import { serve } from '../../support/http-server.ts';
import { askPrepare, play, requestProxy, startTestProxy } from '../../support/proxy.ts';

const TEXT = '1\n00:00:01,000 --> 00:00:02,000\nSintel?\n';
const LARGE = 16 * 1024 * 1024 + 1;

let proxy: RunningProxy & { readonly lines: string[] };
let films: FileServer;
let seen: IncomingMessage[];
let base: string;

/** /film.mkv is the film; /absent is not there, /large is too large, /short breaks off; all else is the text, named by its path. */
const subtitles: RequestListener = (request, response) => {
  seen.push(request);
  const path = request.url ?? '';
  if (path.startsWith('/absent')) response.writeHead(404).end();
  else if (path.startsWith('/large')) response.writeHead(200, { 'content-length': LARGE }).end();
  else if (path === '/film.mkv') response.writeHead(307, { location: films.url }).end();
  else if (path.startsWith('/short')) {
    response.writeHead(200, { 'content-length': 100 }).write('1');
    response.socket?.end();
  } else response.end(TEXT + path);
};

beforeEach(async () => {
  seen = [];
  films = await startFileServer(100_000);
  base = await serve(subtitles);
  proxy = await startTestProxy();
});

afterEach(async () => {
  await proxy.close();
  await films.close();
});

async function prepared(
  files: readonly unknown[],
  film: object = { url: films.url, headers: { 'X-Key': 'k' } },
): Promise<PreparedStream> {
  const answer = await askPrepare(proxy, { name: 'Sintel.mkv', ...film, subtitles: files });
  expect(answer.status).toBe(200);
  return answer.json() as PreparedStream;
}

const file = (path: string, name = path.slice(1)) => ({ url: base + path, name });

describe('subtitle files', () => {
  it('get URLs of their own, an .idx beside its .sub, and are fetched only when they are asked for', async () => {
    const { id, subtitles: urls } = await prepared([
      file('/a.srt', 'Subs/English #1.SRT'),
      file('/b.idx', 'Sintel.idx'),
      file('/c.srt', 'More/English #1.srt'),
      file('/b.sub', 'Sintel.sub'),
    ]);
    const at = `http://127.0.0.1:${proxy.port}/stream/${id}/sub`;
    expect(urls).toEqual([
      `${at}/0/English%20%231.srt`,
      `${at}/1/Sintel.idx`,
      `${at}/2/English%20%231.srt`,
      `${at}/1/Sintel.sub`,
    ]);
    expect(seen).toEqual([]);
    const bodies = await Promise.all(urls!.map(async (url) => (await requestProxy(url)).body.toString()));
    expect(bodies).toEqual(['/a.srt', '/b.idx', '/c.srt', '/b.sub'].map((path) => TEXT + path));
  });

  it('are served in whole and in parts, with their length', async () => {
    const [url] = (await prepared([file('/a.srt')])).subtitles!;
    const size = TEXT.length + '/a.srt'.length;
    const whole = await requestProxy(url!);
    expect(whole).toMatchObject({ status: 200, headers: { 'content-length': String(size) } });
    const part = await requestProxy(url!, { headers: { range: 'bytes=2-5' } });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 2-5/${size}` } });
    expect(part.body.toString()).toBe(TEXT.slice(2, 6));
    expect((await requestProxy(url!, { headers: { range: `bytes=${size}-` } })).status).toBe(416);
    const head = await requestProxy(url!, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(size) } });
    expect(head.body.byteLength).toBe(0);
    expect((await requestProxy(url!, { headers: { 'if-none-match': whole.headers.etag } })).status).toBe(304);
    // Players read the large ones in pieces.
    expect(seen).toHaveLength(1);
  });

  it('are opened with the film’s headers on its own server, and with none on another', async () => {
    const headers = { 'X-Key': 'k' };
    const elsewhere = (await prepared([file('/a.srt')], { url: films.url, headers })).subtitles!;
    await requestProxy(elsewhere[0]!);
    expect(seen[0]?.headers).not.toHaveProperty('x-key');

    const own = `${base}/film.mkv`;
    const beside = (await prepared([file('/a.srt')], { url: own, headers })).subtitles!;
    await requestProxy(beside[0]!);
    expect(seen.at(-1)?.url).toBe('/a.srt');
    expect(seen.at(-1)?.headers).toMatchObject({ 'x-key': 'k' });
  });

  it('that are broken harm neither the film nor each other', async () => {
    const { url, subtitles: urls } = await prepared([
      'nothing',
      { url: 'smb://nas/a.srt', name: 'a.srt' },
      file('/a.srt', 'no extension'),
      file('/absent.srt'),
      file('/large.srt'),
      file('/short.srt'),
      file('/a.srt'),
    ]);
    expect(urls).toHaveLength(4);
    expect(await Promise.all(urls!.map(async (one) => (await requestProxy(one)).status))).toEqual([
      502, 502, 502, 200,
    ]);
    expect(await play(url)).toMatchObject({ complete: true, wrongAt: undefined });
    expect((await requestProxy(url.replace('Sintel.mkv', 'sub/0/other.srt'))).status).toBe(404);
    expect((await requestProxy(url.replace('Sintel.mkv', 'sub/0/%E0'))).status).toBe(404);
  });

  it('are 32 at most', async () => {
    const files = Array.from({ length: 40 }, (_, index) => file(`/${index}.srt`));
    expect((await prepared(files)).subtitles).toHaveLength(32);
  });

  it('are served by a replacement, too, and with a session that its film has opened again', async () => {
    const { id, url, subtitles: urls } = await prepared([file('/a.srt')]);
    const snapshot: unknown = JSON.parse(JSON.stringify(proxy.snapshot()));
    const { port } = proxy;
    await proxy.close();
    proxy = await startTestProxy({ listen: { port }, snapshot });
    expect((await requestProxy(urls![0]!)).body.toString()).toBe(`${TEXT}/a.srt`);
    proxy.endSession(id);
    expect((await requestProxy(urls![0]!)).status).toBe(404);
    expect((await requestProxy(url, { headers: { range: 'bytes=0-9' } })).status).toBe(206);
    expect((await requestProxy(urls![0]!)).body.toString()).toBe(`${TEXT}/a.srt`);
  });
});
