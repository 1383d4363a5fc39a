import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAioStreams } from '../../../sandbox/direct-stream/aiostreams/index.ts';
import { ALTMOUNT, type Dialect, INFINIDYSK, NZBDAV, startSandbox } from '../../../sandbox/index.ts';
import { findServices } from '../../../src/setup/discovery/index.ts';
import { closedPort, serve } from '../../support/http-server.ts';

const never = new AbortController().signal;
const HOSTS = ['127.0.0.1'];
const portOf = (url: string) => Number(new URL(url).port);
const findAt = async (...urls: string[]) =>
  await findServices({ hosts: HOSTS, ports: urls.map(portOf), signal: never });

const page =
  (title: string): RequestListener =>
  (_request, response) =>
    response.end(`<!doctype html><html><head><title>${title}</title></head></html>`);
const json =
  (value: unknown, path: string): RequestListener =>
  (request, response) => {
    response.statusCode = request.url?.startsWith(path) === true ? 200 : 404;
    response.end(JSON.stringify(value));
  };

describe('services on the network', () => {
  it.each([
    ['Prowlarr', 'prowlarr', page('Prowlarr')],
    ['Prowlarr', 'prowlarr', page('Login - Prowlarr')],
    ['NZBHydra2', 'hydra', page('NZBHydra 2')],
    ['StreamNZB', 'streamnzb', page('StreamNZB')],
    ['InfiniDysk', 'webdav', page('InfiniDysk')],
    [
      'NZBGet',
      'nzbget',
      ((_request, response) => {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="NZBGet"' }).end();
      }) satisfies RequestListener,
    ],
  ])('are known by what they say to everybody: %s (%s)', async (label, service, listener) => {
    const url = await serve(listener);
    expect(await findAt(url)).toEqual([{ label, service, url }]);
  });

  /** As NZBHydra2 8.9.1 writes its front page. */
  const HYDRA = `<!doctype html><title ng-bind="'NZBHydra 2' + ($root.title ? ' - ' + $root.title : '')">NZBHydra 2</title>`;
  /** Answers by path: a page, or the address of a redirect with this status; 404 elsewhere. */
  const paths =
    (pages: Readonly<Record<string, string | [status: number, location: string]>>): RequestListener =>
    (request, response) => {
      const answer = pages[(request.url ?? '').replace(/\?.*/, '')];
      if (answer === undefined) response.writeHead(404).end('<!doctype html><title>Not found</title>');
      else if (typeof answer === 'string') response.end(answer);
      else response.writeHead(answer[0], { location: answer[1] }).end();
    };

  it.each([
    ['open to all', '', { '/': HYDRA }],
    ['with a login', '', { '/': [302, '/login'], '/login': '<title>NZBHydra 2 - Login</title>' }],
    ['behind its URL base', '/nzbhydra2', { '/nzbhydra2': [302, '/nzbhydra2/'], '/nzbhydra2/': HYDRA }],
    ['behind another path', '/nzbhydra', { '/nzbhydra': HYDRA }],
    [
      'behind a path, with a login',
      '/hydra',
      { '/hydra': [302, '/hydra/'], '/hydra/': [302, '/hydra/login'], '/hydra/login': HYDRA },
    ],
  ] as [string, string, Parameters<typeof paths>[0]][])(
    'are known where they are: NZBHydra2 %s',
    async (_how, path, pages) => {
      const url = await serve(paths(pages));
      expect(await findAt(url)).toEqual([{ label: 'NZBHydra2', service: 'hydra', url: url + path }]);
    },
  );

  it.each([
    [
      'that sends on to its URL base',
      { '/': [307, '/prowlarr/'], '/prowlarr/': [302, '/prowlarr/login?returnUrl=%2Fprowlarr%2F'] },
    ],
    ['behind a reverse proxy', { '/prowlarr': [302, '/prowlarr/login?returnUrl=%2Fprowlarr'] }],
  ] as [string, Parameters<typeof paths>[0]][])(
    'are known where they are: Prowlarr %s',
    async (_how, pages) => {
      const url = await serve(paths({ ...pages, '/prowlarr/login': '<title>Login - Prowlarr</title>' }));
      expect(await findAt(url)).toEqual([{ label: 'Prowlarr', service: 'prowlarr', url: `${url}/prowlarr` }]);
    },
  );

  it('are entered with the path behind which they live', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/indexers/login' }).end();
      else page('Login - Prowlarr')(request, response);
    });
    expect(await findAt(url)).toEqual([{ label: 'Prowlarr', service: 'prowlarr', url: `${url}/indexers` }]);
  });

  it.each<[string, Dialect]>([
    ['nzbdav', NZBDAV],
    ['InfiniDysk', INFINIDYSK],
    ['AltMount', ALTMOUNT],
  ])('are found in the sandbox: %s', async (label, dialect) => {
    const sandbox = await startSandbox({ dialect });
    onTestFinished(() => sandbox.close());
    const found = await findAt(sandbox.backend.apiUrl);
    expect(found).toMatchObject([{ service: 'webdav', label, url: new URL(sandbox.backend.apiUrl).origin }]);
  });

  it('are AIOStreams by the manifest that it shows to everybody: at its page the address is copied', async () => {
    const { url, close } = await startAioStreams();
    onTestFinished(close);
    expect(await findAt(url)).toEqual([
      { service: 'stremio', label: 'AIOStreams', url: `${url}/stremio/configure`, isPage: true },
    ]);
  });

  it('are none of those that cannot be set up here, or do not speak HTTP', async () => {
    const sabnzbd = await serve(json({ version: '4.3.2' }, '/api?'));
    // Of the very version that nzbdav claims to be.
    const like = await serve(json({ version: '4.5.1' }, '/api?'));
    const other = await serve(page('Router'));
    const silent = createTcpServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-x\r\n'));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const ssh = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    // Takes the same questions, and wants no key.
    const open = await serve(json({ version: '4.5.1', status: true }, '/api?'));
    expect(await findAt(sabnzbd, like, open, other, ssh, await closedPort())).toEqual([]);
  });

  it('are told as soon as they are found, also while another keeps silent', async () => {
    const quick = await serve(page('Prowlarr'));
    const asked: IncomingMessage[] = [];
    const silent = await serve((request) => asked.push(request));
    const told: string[] = [];
    const all = findServices({
      hosts: HOSTS,
      ports: [portOf(silent), portOf(quick)],
      signal: never,
      onFound: ({ label }) => told.push(label),
    });
    await expect.poll(() => told).toEqual(['Prowlarr']);
    expect(await all).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it('get no credentials, and nothing but questions', async () => {
    const asked: IncomingMessage[] = [];
    const url = await serve((request, response) => {
      asked.push(request);
      response.end();
    });
    await findAt(url);
    expect(asked.length).toBeGreaterThan(0);
    for (const { method, headers, url: path = '' } of asked) {
      expect(method).toBe('GET');
      expect(headers.authorization).toBeUndefined();
      expect(path).not.toMatch(/key|token|pass/i);
    }
  });

  it('are no longer looked for when nobody wants to know', async () => {
    const silent = await serve(() => undefined);
    const aborting = new AbortController();
    const all = findServices({ hosts: HOSTS, ports: [portOf(silent)], signal: aborting.signal });
    setTimeout(() => {
      aborting.abort(new Error('enough'));
    }, 50);
    await expect(all).rejects.toThrow('enough');
  });

  it('are looked for without a warning of Node’s, which would stand in the media centre’s log', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const silent = await serve(() => undefined);
    const aborting = new AbortController();
    const hosts = Array.from({ length: 40 }, () => '127.0.0.1');
    const all = findServices({ hosts, ports: [portOf(silent)], signal: aborting.signal });
    all.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    aborting.abort(new Error('enough'));
    await expect(all).rejects.toThrow('enough');
    expect(warnings).toEqual([]);
  });

  it('are looked for at 256 hosts at the most, with 32 connections at once', async () => {
    let open = 0;
    let most = 0;
    let all = 0;
    const server = createServer();
    server.on('connection', (socket) => {
      all++;
      most = Math.max(most, ++open);
      socket.once('close', () => open--);
    });
    server.on('request', (_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    // One connection for a look at the port, and four for questions.
    await findServices({
      hosts: Array.from({ length: 400 }, () => '127.0.0.1'),
      ports: [port],
      signal: never,
    });
    expect(all).toBe(256 * 5);
    expect(most).toBeLessThanOrEqual(32 * 2);
  });
});
