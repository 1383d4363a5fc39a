import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  CANARY,
  CATALOGUE,
  noFaults,
  type Sandbox,
  startSandbox,
  type TransportFault,
  whenMethod,
  whenQuery,
} from '../../sandbox/index.ts';
import { type Client, client, received } from './support/client.ts';

let sandbox: Sandbox;
let ask: Client;

beforeAll(async () => {
  sandbox = await startSandbox({ jobDuration: 0 });
  ask = client(sandbox);
  await ask.submit(await ask.nzb(CATALOGUE[0]!.guid), 'Film.nzb');
});
afterEach(() => {
  Object.assign(sandbox.faults, noFaults());
});
afterAll(() => sandbox.close());

const file = () => `/content/movies/Film/${sandbox.clipsOf('Film')[0]!.name}`;
const services = {
  indexer: () => fetch(`${sandbox.indexer.url}/api?t=search&q=sintel&apikey=${sandbox.indexer.apiKey}`),
  api: () => fetch(`${sandbox.backend.apiUrl}/api?mode=history&apikey=${sandbox.backend.apiKey}`),
  webdav: () => ask.dav('/content/movies/Film', { method: 'PROPFIND', headers: { depth: '1' } }),
};
const addresses = {
  indexer: () => sandbox.indexer.url,
  api: () => sandbox.backend.apiUrl,
  webdav: () => sandbox.backend.webdavUrl,
};
type Name = keyof typeof services;
const names = Object.keys(services) as Name[];

async function withFault(service: Name, fault: TransportFault): Promise<Response> {
  sandbox.faults[service] = [fault];
  return await services[service]();
}

/** Past fetch, which may first try a connection it has kept. */
function connected(url: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? '');
    });
  });
}

describe.each(names)('the %s', (service) => {
  it('refuses connections while it is shut, and has the same port afterwards', async () => {
    await sandbox.shut(service);
    expect(await connected(addresses[service]())).toBe('ECONNREFUSED');
    await sandbox.open(service);
    expect(await connected(addresses[service]())).toBe('connected');
    expect((await services[service]()).ok).toBe(true);
  });

  it('can accept and never answer', async () => {
    sandbox.faults[service] = [{ kind: 'hang' }];
    const answer = services[service]().then(
      () => 'answer',
      () => 'broken',
    );
    expect(await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 150, 'silence'))])).toBe(
      'silence',
    );
    await sandbox.shut(service);
    await sandbox.open(service);
    expect(await answer).toBe('broken');
  });

  it('can break off, answer late, or answer with a status', async () => {
    await expect(withFault(service, { kind: 'reset' })).rejects.toThrow();
    const slow = await withFault(service, { kind: 'slow', milliseconds: 50 });
    expect(slow.ok).toBe(true);
    const limited = await withFault(service, { kind: 'status', status: 429, retryAfter: '120' });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '120']);
  });

  it('can send a login page, half an answer, another shape, or text of the test', async () => {
    const whole = await (await services[service]()).text();
    expect(await (await withFault(service, { kind: 'html' })).text()).toMatch(/^<!DOCTYPE html>/);
    const half = await (await withFault(service, { kind: 'truncated' })).text();
    expect(half).toBe(whole.slice(0, half.length));
    expect(half.length).toBe(Math.floor(whole.length / 2));
    const shape = await (await withFault(service, { kind: 'wrong-shape' })).text();
    if (service === 'api') expect(JSON.parse(shape)).toHaveProperty('queue');
    else expect(shape).toContain('<feed');
    expect(await (await withFault(service, { kind: 'body', body: 'moo' })).text()).toBe('moo');
  });

  it('can behave as if the key were wrong', async () => {
    const answer = await withFault(service, { kind: 'wrong-key' });
    expect(answer.status).toBe(service === 'indexer' ? 200 : 401);
  });

  it('can send more than anybody should read, without making it first', async () => {
    const answer = await withFault(service, { kind: 'endless' });
    expect(Number(answer.headers.get('content-length'))).toBe(2 * 1024 ** 3);
    await answer.body!.cancel();
    const bomb = await (await withFault(service, { kind: 'entity-bomb' })).text();
    expect(bomb.length).toBeLessThan(2000);
    expect(bomb).toContain('&a10;');
  });
});

describe('a fault', () => {
  it('hits only the requests it is meant for, and only so often', async () => {
    sandbox.faults.api = [{ kind: 'status', status: 503, when: whenQuery('mode', 'history'), times: 2 }];
    expect((await ask.api({ mode: 'queue' })).status).toBe(200);
    const history = async () => (await services.api()).status;
    expect([await history(), await history(), await history()]).toEqual([503, 503, 200]);
  });

  it('gives way to the next in the list', async () => {
    sandbox.faults.webdav = [
      { kind: 'status', status: 404, when: whenMethod('GET') },
      { kind: 'status', status: 401 },
    ];
    expect((await ask.dav(file())).status).toBe(404);
    expect((await services.webdav()).status).toBe(401);
  });

  it('can lose the answer to a submission that has been taken', async () => {
    sandbox.faults.api = [{ kind: 'answer-lost', how: 'reset', when: whenQuery('mode', 'addfile') }];
    const nzb = await ask.nzb(CATALOGUE[1]!.guid);
    await expect(ask.submit(nzb, 'Lost.nzb')).rejects.toThrow();
    expect(sandbox.jobs().map((job) => job.name)).toContain('Lost');
  });
});

describe('a body', () => {
  it('can break off after so many bytes', async () => {
    sandbox.faults.webdav = [{ kind: 'cut', after: 1_000_000, how: 'reset' }];
    const { bytes, failed } = await received(await ask.dav(file(), { headers: { range: 'bytes=5000000-' } }));
    expect(failed).toBe(true);
    const source = sandbox.clipOf(file())!.read(5_000_000, 5_000_000 + bytes.length);
    expect(Buffer.compare(bytes, source)).toBe(0);
    expect(bytes.length).toBeLessThanOrEqual(1_000_000);
  });

  it('can end quietly after so many bytes, with all of them delivered', async () => {
    sandbox.faults.webdav = [{ kind: 'cut', after: 1_000_000, how: 'fin', delay: 20 }];
    const { bytes, failed } = await received(await ask.dav(file(), { headers: { range: 'bytes=5000000-' } }));
    expect([failed, bytes.length]).toEqual([true, 1_000_000]);
  });

  it('can stop coming, and the record tells how much of it went out', async () => {
    sandbox.faults.webdav = [{ kind: 'cut', after: 600_000, how: 'hang' }];
    const controller = new AbortController();
    const answer = await ask.dav(file(), { signal: controller.signal });
    const reader = answer.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    for (let got = 0; got < 600_000; ) got += (await reader.read()).value!.length;
    const record = sandbox.requests.at(-1)!;
    expect(record).toMatchObject({
      service: 'webdav',
      method: 'GET',
      status: 200,
      sent: 600_000,
      done: false,
    });
    controller.abort();
    await expect.poll(() => record.done).toBe(true);
  });
});

describe('the sandbox', () => {
  it('records what was asked, by whom and with which range', async () => {
    await ask.dav(file(), { headers: { range: 'bytes=7-8', 'user-agent': 'Test/1' } });
    expect(sandbox.requests.at(-1)).toMatchObject({
      service: 'webdav',
      path: file(),
      headers: { range: 'bytes=7-8', 'user-agent': 'Test/1' },
      status: 206,
    });
    await services.indexer();
    expect(sandbox.requests.at(-1)?.query).toEqual({ t: 'search', q: 'sintel', apikey: CANARY.indexerKey });
  });

  it('serves both faces of the backend on both of its ports', async () => {
    const { webdavUrl, apiUrl } = sandbox.backend;
    expect((await fetch(`${webdavUrl}/api?mode=version`)).status).toBe(200);
    expect((await fetch(`${apiUrl}/content`, { method: 'PROPFIND' })).status).toBe(401);
  });

  it('leaves nothing listening when it is closed', async () => {
    const other = await startSandbox();
    other.faults.indexer = [{ kind: 'hang' }];
    const waiting = fetch(`${other.indexer.url}/api?t=caps`).catch(() => 'broken');
    await expect.poll(() => other.requests.length).toBe(1);
    await other.close();
    expect(await waiting).toBe('broken');
    await expect(fetch(`${other.backend.apiUrl}/api?mode=version`)).rejects.toThrow();
  });
});
