import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ALTMOUNT, INFINIDYSK } from '../../../sandbox/index.ts';
import { explainApi, explainShare } from '../../../src/backends/webdav/diagnose.ts';
import { type WebdavConfig, webdavBackend } from '../../../src/backends/webdav/index.ts';
import { webdavServerOf } from '../../../src/backends/webdav/server.ts';
import type { Check } from '../../../src/diagnosis/check.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { memoryLog } from '../../support/log.ts';
import { CALM, startLab, type WebdavLab } from './lab.ts';

let lab: WebdavLab;
let config: WebdavConfig;
beforeEach(async () => {
  lab = await startLab();
  config = configOf(lab);
});
afterEach(() => lab.close());

const live = () => new AbortController().signal;
const configOf = ({ sandbox: { backend } }: WebdavLab): WebdavConfig => ({
  ...backend,
  movieCategory: 'movies',
  tvCategory: 'tv',
});

const testWith = async (more: Partial<WebdavConfig> = {}) =>
  await webdavBackend({ ...config, ...more }, memoryLog(), CALM).test(live());

/** What the last check says, and which setting it points to. */
async function verdict(checks: Promise<readonly Check[]>) {
  const last = (await checks).at(-1);
  return [last?.setting, last?.failure?.explanation.what, last?.failure?.explanation.next];
}

const at = (url: string) => new URL(url).host;

/** A port where nothing listens any more. */
async function freePort(): Promise<string> {
  const server = createServer();
  const url = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the connection test of the API', () => {
  it.each([
    [401, '<html><title>Sign in</title></html>'],
    [403, '<!doctype html><title>Attention Required! | Cloudflare</title>'],
    [403, 'Access denied'],
  ])('does not blame the key for what stands before the server: %i, %s', async (status, body) => {
    lab.sandbox.faults.api.push({ kind: 'status', status, body });
    expect(await verdict(testWith())).toEqual([
      'webdav_api_url',
      `Something in front of nzbdav refuses us (HTTP ${status}).`,
      'Enter an address at which nzbdav answers without a login page before it.',
    ]);
  });

  it('knows that SABnzbd does not like the name that it is called by', async () => {
    const body = 'Access denied - Hostname verification failed: https://sabnzbd.org/hostname-check';
    lab.sandbox.faults.api.push({ kind: 'status', status: 403, body });
    const [setting, what, next] = await verdict(testWith());
    expect([setting, what]).toEqual(['webdav_api_url', 'SABnzbd refuses the host name in its address.']);
    expect(next).toContain('host_whitelist');
  });

  it('knows a wrong key', async () => {
    expect(await verdict(testWith({ apiKey: 'wrong' }))).toEqual([
      'webdav_api_key',
      'nzbdav refused the API key.',
      'Copy it from the settings of nzbdav, SABnzbd. Enter it in the settings of Slipstream (Backends).',
    ]);
  });

  it('sends the owner of AltMount to its key, which is on the page of the user', async () => {
    const other = await startLab(ALTMOUNT);
    onTestFinished(() => other.close());
    const backend = webdavBackend({ ...configOf(other), apiKey: 'wrong' }, memoryLog(), CALM);
    const told = [
      'webdav_api_key',
      'AltMount refused the API key.',
      'Copy it from the page of your user in AltMount. Enter it in the settings of Slipstream (Backends).',
    ];
    expect(await verdict(backend.test(live()))).toEqual(told);
    // By then it is known.
    expect(await verdict(backend.test(live()))).toEqual(told);
  });

  it('knows a stopped service', async () => {
    const apiUrl = await freePort();
    const [setting, what] = await verdict(testWith({ apiUrl }));
    expect([setting, what]).toEqual(['webdav_api_url', `Nothing runs at ${at(apiUrl)}.`]);
  });

  it('knows a wrong port by what answers at a usual one', async () => {
    const apiUrl = await freePort();
    const right = config.apiUrl;
    const refused = new SlipstreamError('UNREACHABLE', { what: 'x.', next: 'x.' });
    const { failure, setting } = await explainApi(refused, apiUrl, CALM, live(), [new URL(right).port]);
    expect([setting, failure.code, failure.explanation]).toEqual([
      'webdav_api_url',
      'UNREACHABLE',
      {
        what: `nzbdav is not at ${at(apiUrl)}, but it answers at ${right}.`,
        next: 'Enter that as the nzbdav address.',
      },
    ]);
    expect(JSON.stringify(lab.sandbox.requests)).not.toContain('canary');
  });

  it('knows a wrong port by another service that answers there', async () => {
    const server = createServer((_request, response) => response.end('<html>Router</html>'));
    onTestFinished(() => void server.close());
    const apiUrl = await listening(server);
    expect(await verdict(testWith({ apiUrl }))).toEqual([
      'webdav_api_url',
      `${at(apiUrl)} answers, but nzbdav is not there.`,
      'Check port and path of the nzbdav address.',
    ]);
  });

  it('knows https in place of http', async () => {
    expect(await verdict(testWith({ apiUrl: config.apiUrl.replace('http', 'https') }))).toEqual([
      'webdav_api_url',
      `${at(config.apiUrl)} does not speak HTTPS.`,
      'Begin the nzbdav address with http://.',
    ]);
  });

  it('knows http in place of https, also behind a certificate that is not trusted', async () => {
    const server = createTlsServer({ key: tls('key.pem'), cert: tls('cert.pem') });
    onTestFinished(() => void server.close());
    const apiUrl = await listening(server);
    expect(await verdict(testWith({ apiUrl }))).toEqual([
      'webdav_api_url',
      `${at(apiUrl)} does not speak plain HTTP.`,
      'Begin the nzbdav address with https://.',
    ]);
  });

  it('knows an address that sends on to the right one, without a key for whoever is there', async () => {
    const location = 'https://media.invalid/api';
    const server = createServer((_request, response) => response.writeHead(301, { location }).end());
    onTestFinished(() => void server.close());
    expect(await verdict(testWith({ apiUrl: await listening(server) }))).toEqual([
      'webdav_api_url',
      'nzbdav sends us on to another address (https://media.invalid).',
      'Enter https://media.invalid as the nzbdav address.',
    ]);
  });

  it('tells which category nzbdav will make', async () => {
    expect((await testWith({ movieCategory: 'films', tvCategory: '' }))[1]?.found).toBe(
      'films (new), default',
    );
  });

  it('knows a wrong path', async () => {
    expect(await verdict(testWith({ apiUrl: `${config.apiUrl}/nzbdav` }))).toEqual([
      'webdav_api_url',
      'nzbdav is at another path of this server.',
      `Enter ${config.apiUrl} as the nzbdav address.`,
    ]);
  });

  it('reports a fault of the server as what it is', async () => {
    lab.misbehave('wait', 'unavailable');
    expect((await verdict(testWith()))[1]).toBe('nzbdav has a problem of its own.');
  });
});

describe('the connection test of InfiniDysk', () => {
  beforeEach(async () => {
    await lab.close();
    lab = await startLab(INFINIDYSK);
    config = configOf(lab);
  });
  const found = async () => (await testWith()).map(({ what, found: text }) => [what, text]);

  it('tells its usenet provider', async () => {
    expect(await found()).toEqual([
      ['The API of InfiniDysk', 'InfiniDysk, API 4.5.1'],
      ['The categories', 'movies, tv'],
      ['The usenet provider of InfiniDysk', 'sandbox'],
      ['The WebDAV of InfiniDysk', expect.stringContaining('/content, ')],
    ]);
  });

  it('knows that none is set up', async () => {
    lab.sandbox.faults.provider = 'none';
    expect(await verdict(testWith())).toEqual([
      undefined,
      'InfiniDysk has no usenet provider yet, so it can get no release.',
      'Add your provider in InfiniDysk (Settings, Usenet), then try again.',
    ]);
  });

  it('knows that its data is used up', async () => {
    lab.sandbox.faults.provider = 'used-up';
    const [setting, what] = await verdict(testWith());
    expect([setting, what]).toEqual([
      undefined,
      'The data of the usenet provider of InfiniDysk is used up (sandbox).',
    ]);
  });

  it('knows a queue that is paused, and one that is full', async () => {
    const { apiUrl, apiKey } = config;
    await fetch(`${apiUrl}/api?mode=pause`, { headers: { 'x-api-key': apiKey } });
    lab.sandbox.faults.queueLimit = 2;
    await lab.backend.submit(lab.film.nzb, 'Sintel-0a1b2c3d', lab.film.request, live());
    expect((await found()).slice(0, 3)).toEqual([
      ['The API of InfiniDysk', 'InfiniDysk, API 4.5.1, its queue is paused'],
      ['The categories', 'movies, tv'],
      ['The queue of InfiniDysk', '1 of 2 jobs'],
    ]);
    lab.sandbox.faults.queueLimit = 1;
    expect((await verdict(testWith())).slice(0, 2)).toEqual([undefined, 'The queue of InfiniDysk is full.']);
  });
});

describe('the connection test of the share', () => {
  it('knows a wrong password, and an account that is not let in', async () => {
    const wrong = await testWith({ username: 'sita', password: 'wrong' });
    expect(await verdict(Promise.resolve(wrong))).toEqual([
      'webdav_password',
      'The WebDAV of nzbdav refused the user or password.',
      'Copy both from the settings of nzbdav, WebDAV; the password is not the API key. Enter both in the settings of Slipstream (Backends).',
    ]);
    expect(wrong.at(-1)?.alsoLikely).toEqual(['webdav_username']);
    lab.sandbox.faults.webdav.push({ kind: 'status', status: 403 });
    expect((await verdict(testWith())).slice(0, 2)).toEqual([
      'webdav_password',
      'The WebDAV of nzbdav does not let this user in: the account has expired or may not read the files.',
    ]);
  });

  it('knows a wrong path', async () => {
    expect(await verdict(testWith({ webdavUrl: `${config.apiUrl}/dav` }))).toEqual([
      'webdav_url',
      'The WebDAV of nzbdav is at another path of this server.',
      `Enter ${config.apiUrl} as the WebDAV address.`,
    ]);
  });

  it('knows an address that sends on to another one, without the password for whoever is there', async () => {
    let asked = 0;
    const right = createServer((_request, response) => {
      asked++;
      response.writeHead(401).end();
    });
    onTestFinished(() => void right.close());
    const url = await listening(right);
    const server = createServer((request, response) =>
      response.writeHead(308, { location: url + (request.url ?? '') }).end(),
    );
    onTestFinished(() => void server.close());
    expect(await verdict(testWith({ webdavUrl: `${await listening(server)}/files` }))).toEqual([
      'webdav_url',
      `The WebDAV of nzbdav sends us on to another address (${url}).`,
      `Enter ${url}/files as the WebDAV address.`,
    ]);
    expect(asked).toBe(0);
  });

  it('knows a stopped service and a wrong port by the API, which serves the files as well', async () => {
    const webdavUrl = await freePort();
    expect(await verdict(testWith({ webdavUrl }))).toEqual([
      'webdav_url',
      `The WebDAV of nzbdav is not at ${at(webdavUrl)}, but it answers at ${config.apiUrl}.`,
      'Enter that as the WebDAV address.',
    ]);
    const server = webdavServerOf({ ...config, apiUrl: webdavUrl, webdavUrl }, CALM, memoryLog());
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const refused = new SlipstreamError('UNREACHABLE', { what: 'x.', next: 'x.' }, { cause });
    const { failure } = await explainShare(refused, server, CALM, live(), []);
    expect(failure.explanation.what).toBe(`Nothing runs at ${at(webdavUrl)}.`);
  });

  it('knows https in place of http', async () => {
    const webdavUrl = config.webdavUrl.replace('http', 'https');
    expect(await verdict(testWith({ webdavUrl, apiUrl: config.webdavUrl }))).toEqual([
      'webdav_url',
      `${at(webdavUrl)} does not speak HTTPS.`,
      'Begin the WebDAV address with http://.',
    ]);
  });

  it('finds the share of AltMount with its path and without', async () => {
    await lab.close();
    lab = await startLab(ALTMOUNT);
    config = configOf(lab);
    for (const end of ['', '/', '/webdav', '/webdav/']) {
      const checks = await testWith({ webdavUrl: config.webdavUrl + end });
      expect(checks.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
      expect(checks.at(-1)?.found).toBe('/webdav/complete comes with the first release');
    }
  });
});

const tls = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name));
