import { describe, expect, test } from 'vitest';
import { CANARY, whenQuery } from '../../sandbox/index.ts';
import type { Engine } from '../support/engine.ts';
import { closedPort, serve } from '../support/http-server.ts';
import { encodingsOf, LeakDetector } from '../support/secret-leaks.ts';
import { type Engines, startEngines } from './engines.ts';
import { SINTEL } from './set-up.ts';

const PLAY = `/play${SINTEL}`;
const BASIC = `Basic ${Buffer.from(`admin:${CANARY.password}`).toString('base64')}`;
/** What a careless service might quote of the request that it refuses. */
const ECHO = [
  `your key ${CANARY.indexerKey} or ${CANARY.apiKey} is wrong`,
  `at http://x/api?apikey=${encodeURIComponent(CANARY.indexerKey)}&t=get`,
  `for ${BASIC}, password ${CANARY.password}`,
].join(' ');

/** An address with credentials in every place that it has for them. */
function withUser(address: string): URL {
  const url = new URL(address);
  url.username = 'admin';
  url.password = CANARY.password;
  url.searchParams.set('apikey', CANARY.indexerKey);
  return url;
}

const resolved = ({ calls }: Engine) =>
  calls.filter(({ method }) => method === 'resolve').map(({ params }) => params['item']);
const told = ({ calls }: Engine) => calls.filter(({ method }) => method === 'notify').length;

/** Nothing of any secret anywhere, in places where there was something to look through. */
async function expectNoLeak(engines: Engines): Promise<void> {
  const evidence = await engines.gather();
  const places = ['service: log', 'plugin: log', 'plugin: calls', 'service: properties', 'status'];
  for (const place of places) expect(evidence.has(place), place).toBe(true);
  if (process.platform === 'linux') expect(evidence.has('plugin: cmdline')).toBe(true);
  expect(evidence.leaks()).toEqual([]);
}

async function expectFailedWithoutLeak(engines: Engines, plugin: Engine): Promise<void> {
  expect(resolved(plugin)).toEqual([null]);
  expect(told(plugin)).toBe(1);
  await expectNoLeak(engines);
}

test.each(Object.entries(CANARY))('the search finds the %s in any form', (_name, secret) => {
  for (const form of encodingsOf(secret)) {
    const evidence = new LeakDetector();
    evidence.add('log', Buffer.from(`before ${form} after`, 'latin1'));
    expect(evidence.leaks(), form).not.toEqual([]);
  }
});

test('the search finds the password inside of Basic credentials', () => {
  const evidence = new LeakDetector();
  evidence.add('log', BASIC);
  expect(evidence.leaks()).not.toEqual([]);
});

describe('no secret is in a log, a call, argv, environment, property, file or /status', () => {
  test('after a film that plays', async () => {
    const engines = await startEngines();
    const { service } = engines;
    const plugin = await engines.play(PLAY);
    const [item] = resolved(plugin) as [{ url: string }];
    service.properties.set('svc.stream_url', item.url).set('svc.active', 'true');
    service.notify('player', { kind: 'av-started', file: item.url });
    const answer = await fetch(item.url, { headers: { range: 'bytes=1000-1999' } });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([206, 1000]);
    const status = (await (await engines.ask('/status')).json()) as { sessions: unknown[] };
    expect(status.sessions).toHaveLength(1);
    engines.evidence.add('status', status);
    service.notify('player', { kind: 'stopped', file: '' });
    await expect.poll(() => service.properties.has('svc.stream_url')).toBe(false);
    // The one place where it has to be.
    expect(JSON.stringify(service.calls.filter(({ method }) => method === 'snapshot.save'))).toContain(BASIC);
    await expectNoLeak(engines);
    expect(engines.evidence.has('data')).toBe(true);
  });

  const FAULTS: readonly [string, (engines: Engines) => unknown][] = [
    ['the indexer is down', ({ sandbox }) => sandbox.shut('indexer')],
    ['the NZB is an error document', ({ sandbox }) => (sandbox.faults.nzb = 'error')],
    ['addfile is refused', ({ sandbox }) => (sandbox.faults.submit = { status: 400, error: ECHO })],
    ['the WebDAV answers 401', ({ sandbox }) => sandbox.faults.webdav.push({ kind: 'wrong-key' })],
    [
      'the file answers 401',
      ({ sandbox }) =>
        sandbox.faults.webdav.push({ kind: 'wrong-key', when: ({ method }) => method === 'GET' }),
    ],
    ['the WebDAV is down', ({ sandbox }) => sandbox.shut('webdav')],
    ['the backend is down', ({ sandbox }) => sandbox.shut('api')],
    ['the search echoes the request', ({ sandbox }) => sandbox.faults.indexer.push(echo('movie'))],
    ['the NZB echoes the request', ({ sandbox }) => sandbox.faults.indexer.push(echo('get'))],
    [
      'the backend echoes the request',
      ({ sandbox }) => sandbox.faults.api.push({ kind: 'status', status: 500, body: ECHO }),
    ],
    ['the job fails with an echo', ({ sandbox }) => (sandbox.faults.job = { kind: 'fails', message: ECHO })],
    [
      'the share echoes the request',
      ({ sandbox }) => sandbox.faults.webdav.push({ kind: 'status', status: 500, body: ECHO }),
    ],
  ];

  test.each(FAULTS)('when %s', async (_name, breakIt) => {
    const engines = await startEngines();
    await breakIt(engines);
    await expectFailedWithoutLeak(engines, await engines.play(PLAY));
  });

  // Submissions are not sent on to another address: the person is told which one it is.
  test.each(['indexer_url', 'webdav_api_url', 'webdav_url'])(
    'when %s redirects to another host with all secrets in its address',
    async (id) => {
      const engines = await startEngines();
      const elsewhere = withUser(await closedPort());
      elsewhere.searchParams.set('k', CANARY.apiKey);
      const url = await serve((request, response) => {
        request.resume();
        response.writeHead(302, { location: elsewhere.href }).end(elsewhere.href);
      });
      await expectFailedWithoutLeak(engines, await engines.play(PLAY, { [id]: url }));
    },
  );

  test('when the indexer redirects to a server with a login, which echoes it', async () => {
    const engines = await startEngines();
    const elsewhere = withUser(await serve((_request, response) => response.writeHead(500).end(ECHO)));
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: elsewhere.href }).end(),
    );
    const settings = { indexer_url: url, webdav_password: '' };
    await expectFailedWithoutLeak(engines, await engines.play(PLAY, settings));
  });

  test('when the credentials stand in the addresses themselves', async () => {
    const engines = await startEngines();
    const indexer = withUser(await serve((_request, response) => response.writeHead(500).end(ECHO)));
    const settings = { indexer_url: indexer.href, indexer_api_key: '', webdav_password: '' };
    await expectFailedWithoutLeak(engines, await engines.play(PLAY, settings));
  });
});

const echo = (t: string) => ({ kind: 'status', status: 500, body: ECHO, when: whenQuery('t', t) }) as const;

describe('the proxy keeps what it was given to itself', () => {
  test.each<[string, (authorization: string) => Readonly<Record<string, string>>, number]>([
    ['in a range', (authorization) => ({ 'content-range': authorization }), 206],
    ['in an encoding', (authorization) => ({ 'content-encoding': authorization }), 206],
    ['in a length', (authorization) => ({ 'content-range': `bytes 0-9/${authorization}` }), 206],
    ['in a redirect', (authorization) => ({ location: `ftp://x/${authorization}` }), 302],
  ])('when a file server echoes the credentials %s', async (_name, headers, status) => {
    // What stands in its settings it would mask all the same.
    const engines = await startEngines({});
    const base = await serve((request, response) => {
      response.writeHead(status, headers(request.headers.authorization ?? '')).end('x');
    });
    const answer = await engines.ask('/prepare', {
      method: 'POST',
      body: JSON.stringify({ url: `${base}/a.mkv`, headers: { authorization: BASIC }, name: 'a.mkv' }),
    });
    expect(answer.status).toBe(502);
    engines.evidence.add('error body', await answer.text());
    const evidence = await engines.gather();
    expect(evidence.has('service: log')).toBe(true);
    expect(evidence.leaks()).toEqual([]);
  });

  test('when it refuses a request', async () => {
    const engines = await startEngines();
    const bad = { url: `ftp://admin:${CANARY.password}@x/?apikey=${CANARY.apiKey}`, name: CANARY.password };
    for (const body of [JSON.stringify(bad), `{"url": "${CANARY.indexerKey}`]) {
      const answer = await engines.ask('/prepare', { method: 'POST', body });
      expect(answer.status).toBe(400);
      engines.evidence.add('error body', await answer.text());
    }
    const path = `/stream/${encodeURIComponent(CANARY.apiKey)}/x`;
    engines.evidence.add('error body', await (await engines.ask(path)).text());
    expect((await engines.gather()).leaks()).toEqual([]);
  });

  test('when direct_play gives it an address with credentials', async () => {
    const engines = await startEngines();
    const base = withUser(await serve((_request, response) => response.writeHead(403).end(ECHO)));
    const plugin = await engines.play(`/direct_play?url=${encodeURIComponent(base.href)}&title=Bare`);
    await expectFailedWithoutLeak(engines, plugin);
  });
});
