import type { IncomingMessage, RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { fetchProwlarrKey } from '../../src/connections/services/prowlarr-key.ts';
import { redact } from '../../src/log/index.ts';
import { serve } from '../support/http-server.ts';
import { prowlarrGiving, prowlarrStart, prowlarrStatus } from '../support/prowlarr-start.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const { signal } = new AbortController();

describe('the key that Prowlarr gives to whoever asks', () => {
  test.each(['', '/', '/api', '/api/v1/'])('is found at an address as people paste it: %j', async (path) => {
    expect(await fetchProwlarrKey(`${await serve(prowlarrGiving(KEY))}${path}`, signal)).toBe(KEY);
  });

  test('is found below its URL base, and by the name of this machine', async () => {
    const url = await serve(prowlarrGiving(KEY, { urlBase: '/prowlarr' }));
    expect(await fetchProwlarrKey(`${url.replace('127.0.0.1', 'localhost')}/prowlarr`, signal)).toBe(KEY);
  });

  test('is masked in the log from then on', async () => {
    const key = 'f00d4beef00d4beef00d4beef00d4bee';
    await fetchProwlarrKey(await serve(prowlarrGiving(key)), signal);
    expect(redact(`it is ${key}`)).not.toContain(key);
  });

  // Lidarr and Readarr begin alike.
  test.each<[string, string]>([
    ['Lidarr', prowlarrStatus('Lidarr')],
    ['Readarr', prowlarrStatus('Readarr')],
    ['nobody', '{}'],
    ['a page', '<title>Prowlarr</title>'],
    ['no end of it', prowlarrStatus() + ' '.repeat(100_000)],
  ])('is none where, asked who it is, the server says %s', async (_who, status) => {
    expect(await fetchProwlarrKey(await serve(prowlarrGiving(KEY, { status })), signal)).toBeUndefined();
  });

  test.each([302, 307, 401, 404, 503])(
    'is none where the server does not say who it is: %d',
    async (code) => {
      const elsewhere: IncomingMessage[] = [];
      const other = await serve((request, response) => {
        elsewhere.push(request);
        response.end(prowlarrStatus());
      });
      const url = await serve((request, response) => {
        if (request.url === '/initialize.json') response.end(prowlarrStart(KEY));
        else response.writeHead(code, { location: other }).end(prowlarrStatus());
      });
      expect(await fetchProwlarrKey(url, signal)).toBeUndefined();
      expect(elsewhere).toEqual([]);
    },
  );

  test.each<[string, RequestListener]>([
    ['leads to its login', (_, response) => response.writeHead(302, { location: '/login' }).end()],
    [
      'leads to another server',
      (_, response) => response.writeHead(302, { location: 'http://[::1]/' }).end(),
    ],
    ['refuses', (_, response) => response.writeHead(401).end(prowlarrStart(KEY))],
    ['answers with a page', (_, response) => response.end('<title>Prowlarr</title>')],
    ['is another service', (_, response) => response.end(prowlarrStart(KEY).replace('v1', 'v3'))],
    ['gives no key', (_, response) => response.end(prowlarrStart(''))],
    ['gives two lines', (_, response) => response.end(prowlarrStart('two\nlines of a key'))],
    ['never ends', (_, response) => response.end(prowlarrStart(KEY) + ' '.repeat(100_000))],
    ['breaks off', (_, response) => response.destroy()],
  ])('is none where the server %s', async (_how, start) => {
    const url = await serve((request, response) => {
      if (request.url === '/initialize.json') start(request, response);
      else response.end(prowlarrStatus());
    });
    expect(await fetchProwlarrKey(url, signal)).toBeUndefined();
  });

  test.each(['ftp://127.0.0.1', 'nothing', '', 'http://no-such-host.invalid'])(
    'is none at what is no address of a server: %j',
    async (entered) => {
      expect(await fetchProwlarrKey(entered, signal)).toBeUndefined();
    },
  );

  test('is asked for in the local network only, and not past a login', async () => {
    const asked: IncomingMessage[] = [];
    const giving = prowlarrGiving(KEY);
    const url = await serve((request, response) => {
      asked.push(request);
      giving(request, response);
    });
    // It leads to this machine, and is no address of the local network.
    expect(await fetchProwlarrKey(url.replace('127.0.0.1', '0.0.0.0'), signal)).toBeUndefined();
    expect(await fetchProwlarrKey(url.replace('//', '//me:password@'), signal)).toBeUndefined();
    expect(asked).toEqual([]);
    expect(await fetchProwlarrKey(url, signal)).toBe(KEY);
  });

  test('is no longer asked for when nobody wants to know', async () => {
    const reason = new Error('gone');
    const aborting = new AbortController();
    const url = await serve(() => {
      aborting.abort(reason);
    });
    await expect(fetchProwlarrKey(url, aborting.signal)).rejects.toBe(reason);
  });
});
