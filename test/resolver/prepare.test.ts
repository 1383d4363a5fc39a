import { describe, expect, test } from 'vitest';
import { CancelledError } from '../../src/errors/index.ts';
import type { RemoteFile } from '../../src/model/index.ts';
import { findProxy, prepareStream } from '../../src/resolver.ts';
import { closedPort, serve } from '../support/http-server.ts';
import { recordingHost } from '../support/recording-host.ts';

const PLAYABLE: RemoteFile = {
  via: 'proxy',
  url: 'http://127.0.0.1:1/content/a.mkv',
  headers: { Authorization: 'Basic x' },
  name: 'a.mkv',
};
const live = () => new AbortController().signal;
const proxyAt = (base: string) => ({ port: Number(new URL(base).port), token: 'test-token' });

describe('finding the proxy', () => {
  test('waits for a service that is still starting', async () => {
    const { properties, propertyValues } = recordingHost();
    const found = findProxy(properties, live());
    propertyValues.set('svc.proxy_port', '4711');
    await Promise.resolve();
    propertyValues.set('svc.proxy_token', 't');
    expect(await found).toEqual({ port: 4711, token: 't' });
  });

  test('an abort ends the waiting at once', async () => {
    const controller = new AbortController();
    const found = findProxy(recordingHost().properties, controller.signal);
    const reason = new CancelledError('person');
    controller.abort(reason);
    await expect(found).rejects.toBe(reason);
  });
});

describe('preparing a stream', () => {
  test('sends the source with the token and takes the local stream', async () => {
    const seen: { authorization: string | undefined; body: string }[] = [];
    const base = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen.push({ authorization: request.headers.authorization, body });
        response.end(
          JSON.stringify({
            url: 'http://127.0.0.1:9/stream/x/a.mkv',
            mime: 'video/x-matroska',
            size: 5,
            id: 'x',
            subtitles: ['http://127.0.0.1:9/stream/x/sub/0/a.srt'],
          }),
        );
      });
    });
    const subtitles = [{ url: 'http://127.0.0.1:1/content/a.srt', name: 'a.srt' }];
    expect(await prepareStream({ ...PLAYABLE, subtitles }, proxyAt(base), live())).toEqual({
      url: 'http://127.0.0.1:9/stream/x/a.mkv',
      mime: 'video/x-matroska',
      size: 5,
      subtitles: ['http://127.0.0.1:9/stream/x/sub/0/a.srt'],
    });
    expect(seen[0]?.authorization).toBe('Bearer test-token');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      subtitles,
      url: PLAYABLE.url,
      headers: PLAYABLE.headers,
      name: PLAYABLE.name,
    });
  });

  test("a refusal carries the proxy's own words", async () => {
    const base = await serve((_request, response) => {
      response
        .writeHead(502)
        .end(
          JSON.stringify({ code: 'AUTH_FAILED', what: 'The server refused.', next: 'Check the password.' }),
        );
    });
    await expect(prepareStream(PLAYABLE, proxyAt(base), live())).rejects.toMatchObject({
      code: 'AUTH_FAILED',
      explanation: { what: 'The server refused.', next: 'Check the password.' },
    });
  });

  test.each(['PREPARE_FAILED', 'BAD_ANSWER'])(
    'a refusal that speaks of the file is one of the release: %s',
    async (code) => {
      const base = await serve((_request, response) => {
        response.writeHead(502).end(JSON.stringify({ code, what: 'It is gone.', next: 'Try another.' }));
      });
      await expect(prepareStream(PLAYABLE, proxyAt(base), live())).rejects.toMatchObject({
        code: 'PREPARE_FAILED',
      });
    },
  );

  test.each(['UNREACHABLE', 'SERVICE_ERROR'])(
    "trouble of the file's server stays what it is: %s",
    async (code) => {
      const base = await serve((_request, response) => {
        response.writeHead(502).end(JSON.stringify({ code, what: 'It is away.', next: 'Try again.' }));
      });
      await expect(prepareStream(PLAYABLE, proxyAt(base), live())).rejects.toMatchObject({
        code,
        explanation: { what: 'It is away.', next: 'Try again.' },
        broken: false,
      });
    },
  );

  test('a refusal of a file that is damaged says so', async () => {
    const base = await serve((_request, response) => {
      response
        .writeHead(502)
        .end(JSON.stringify({ code: 'DAMAGED', what: 'The file is no video.', next: 'Try another.' }));
    });
    await expect(prepareStream(PLAYABLE, proxyAt(base), live())).rejects.toMatchObject({
      code: 'DAMAGED',
      explanation: { what: 'The file is no video.', next: 'Try another.' },
    });
  });

  test.each([
    ['HTML', '<html>'],
    ['no URL', '{"mime":"video/mp4","size":1}'],
    ['a negative size', '{"url":"http://127.0.0.1/","mime":"video/mp4","size":-1}'],
  ])('an answer with %s is a bad answer', async (_what, body) => {
    const base = await serve((_request, response) => response.end(body));
    await expect(prepareStream(PLAYABLE, proxyAt(base), live())).rejects.toMatchObject({
      code: 'BAD_ANSWER',
    });
  });

  test('a proxy that is gone is absent', async () => {
    const proxy = proxyAt(await closedPort());
    await expect(prepareStream(PLAYABLE, proxy, live())).rejects.toMatchObject({ code: 'PROXY_ABSENT' });
  });
});
