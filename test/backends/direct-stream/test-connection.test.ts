import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DirectStreamKind } from '../../../sandbox/direct-stream/index.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import { closedPort, serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { CALM, startLab } from './lab.ts';

const TLS = join(import.meta.dirname, '../../fixtures/tls');
const KEY = 'key-9b1f22';

async function checked(kind: DirectStreamKind, url: string, apiKey = KEY) {
  const backend = directStreamBackend({ kind, url, apiKey, via: 'player' }, memoryLog(), CALM);
  const checks = await backend.test(new AbortController().signal);
  const last = checks.at(-1);
  const { code, explanation } = last?.failure ?? {};
  return {
    checks,
    setting: last?.setting,
    code,
    text: `${explanation?.what ?? ''} ${explanation?.next ?? ''}`,
  };
}

async function httpsServer(): Promise<number> {
  const server = createServer(
    { key: readFileSync(join(TLS, 'key.pem')), cert: readFileSync(join(TLS, 'cert.pem')) },
    (_request, response) => response.end('hello'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const portOf = (url: string) => new URL(url).port;

describe.each(['altmount', 'streamnzb'] as const)('a connection to %s', (kind) => {
  const name = kind === 'altmount' ? 'AltMount' : 'StreamNZB';
  const setUp = async () => {
    const lab = await startLab(kind);
    onTestFinished(() => lab.close());
    return lab;
  };

  test('that works: it answers, and streams', async () => {
    const { backend } = await setUp();
    const checks = await backend.test(new AbortController().signal);
    expect(checks.map(({ what, failure }) => [what, failure])).toEqual([
      [expect.stringMatching('^An answer at http://127.0.0.1:\\d+$'), undefined],
      [`The streaming of ${name}`, undefined],
    ]);
  });

  test('with a wrong key', async () => {
    const { sandbox } = await setUp();
    const { checks, setting, code, text } = await checked(kind, sandbox.url, 'wrong-key-1');
    expect([checks.length, setting, code]).toEqual([2, 'direct_api_key', 'AUTH_FAILED']);
    expect(text).toMatch(/refused the key/);
    expect(text).not.toContain('wrong-key-1');
  });

  test('with the port of something else', async () => {
    const other = await serve((_request, response) => response.writeHead(404).end('<html>Not found</html>'));
    const { setting, code, text } = await checked(kind, other);
    expect([setting, code]).toEqual(['direct_url', 'BAD_ANSWER']);
    expect(text).toMatch(/answers, but (AltMount|StreamNZB) is not there\. Check port/);
  });

  test('that answers everything with a page', async () => {
    const other = await serve((_request, response) => response.end('<!DOCTYPE html><html></html>'));
    const { setting, code, text } = await checked(kind, other);
    expect([setting, code]).toEqual(['direct_url', 'BAD_ANSWER']);
    expect(text).toMatch(/is not there\./);
  });

  test('to a service that is stopped: nothing listens, or only a gateway', async () => {
    const closed = await checked(kind, await closedPort());
    expect([closed.checks.length, closed.setting, closed.code]).toEqual([1, 'direct_url', 'UNREACHABLE']);
    expect(closed.text).toMatch(/Nothing runs at 127\.0\.0\.1:\d+\. Start/);
    const gateway = await serve((_request, response) => response.writeHead(502).end('Bad Gateway'));
    const behind = await checked(kind, gateway);
    expect([behind.setting, behind.code]).toEqual(['direct_url', 'SERVICE_ERROR']);
    expect(behind.text).toMatch(/is not running/);
  });

  test('by https where http is spoken', async () => {
    const { sandbox } = await setUp();
    const { setting, text } = await checked(kind, `https://127.0.0.1:${portOf(sandbox.url)}`);
    expect(setting).toBe('direct_url');
    expect(text).toMatch(/does not speak HTTPS\. Begin the streaming service address with http:\/\//);
  });

  test('by http where https is spoken: Node breaks off, Go and nginx say so', async () => {
    const node = await checked(kind, `http://127.0.0.1:${await httpsServer()}`);
    expect(node.setting).toBe('direct_url');
    expect(node.text).toMatch(
      /does not speak plain HTTP\. Begin the streaming service address with https:\/\//,
    );
    const go = await serve((_request, response) =>
      response.writeHead(400).end('Client sent an HTTP request to an HTTPS server.\n'),
    );
    expect((await checked(kind, go)).text).toMatch(
      /speaks HTTPS at this port\. Begin its address .* with https:\/\//,
    );
  });

  test('with a wrong path', async () => {
    const { sandbox } = await setUp();
    const { setting, code, text } = await checked(kind, `${sandbox.url}/films`);
    expect([setting, code]).toEqual(['direct_url', 'BAD_ANSWER']);
    expect(text).toMatch(/is at another path of this server\. Enter http:\/\/127/);
  });

  test.each(['/api', '/api/nzb/streams', '/', '/manifest.json', '/sabnzbd/api'])(
    'with an address as people paste it: %s',
    async (path) => {
      const { sandbox, secrets } = await setUp();
      const { checks } = await checked(kind, `${sandbox.url}${path}`, secrets[0]);
      expect(checks.map(({ failure }) => failure)).toEqual([undefined, undefined]);
    },
  );

  test('with an account that is refused', async () => {
    const { sandbox, secrets } = await setUp();
    sandbox.faults.account = 'Your subscription has expired';
    const { setting, code, text } = await checked(kind, sandbox.url, secrets[0]);
    expect([setting, code]).toEqual(['direct_api_key', 'AUTH_FAILED']);
    expect(text).toMatch(/Your subscription has expired.*account/);
  });

  test('where the streaming is switched off, or not there yet', async () => {
    const { sandbox, secrets } = await setUp();
    sandbox.faults.absent = true;
    const { setting, code, text } = await checked(kind, sandbox.url, secrets[0]);
    expect([setting, code]).toEqual(['direct_url', 'BAD_ANSWER']);
    expect(text).toMatch(kind === 'altmount' ? /switched off there/ : /update StreamNZB/);
  });

  test('whose address is none', () => {
    expect(() =>
      directStreamBackend({ kind, url: 'ftp://x', apiKey: '', via: 'player' }, memoryLog()),
    ).toThrow(/INVALID_REQUEST/);
  });
});
