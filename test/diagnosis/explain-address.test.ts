import { describe, expect, test } from 'vitest';
import {
  explainAddress,
  type ProbeOptions,
  type ProbeTarget,
  refusedByOtherServer,
} from '../../src/diagnosis/index.ts';
import { probeMatches } from '../../src/diagnosis/probe.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { CrossOriginRedirect } from '../../src/io/cross-origin-redirect.ts';
import { fetchBounded } from '../../src/io/http.ts';
import { frontOf } from '../connections/front.ts';
import { closedPort, serve } from '../support/http-server.ts';
import { trustTestAuthority } from '../support/test-authority.ts';

const { signal } = new AbortController();
const isHere = (base: string, probing: ProbeOptions) =>
  probeMatches({ url: `${base}/here`, ...probing }, (answer) => answer.text() === 'yes');

const sought = (typed: string, more: Partial<ProbeTarget> = {}): ProbeTarget => ({
  label: 'Example',
  settingLabel: 'its address',
  enteredUrl: typed,
  usualPorts: [],
  usualPaths: [],
  isAt: isHere,
  ...more,
});

const badAnswer = new SlipstreamError('BAD_ANSWER', { what: 'Odd.', next: 'x.' });

/** As a test of the service would fail there. */
async function failureAt(url: string): Promise<SlipstreamError> {
  const failure = await fetchBounded({ url, who: 'Example', signal }).catch((error: unknown) => error);
  return failure instanceof SlipstreamError ? failure : badAnswer;
}

async function told(typed: string, more?: Partial<ProbeTarget>) {
  const { explanation } = await explainAddress(await failureAt(typed), sought(typed, more), { signal });
  return `${explanation.what} ${explanation.next}`.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
}

const here = (at = '/here') => serve((req, res) => res.writeHead(req.url === at ? 200 : 404).end('yes'));
const titled = (title: string) =>
  serve((_req, res) =>
    res.setHeader('content-type', 'text/html').end(`<html><title>${title}</title></html>`),
  );

describe('what is wrong with an address', () => {
  test('is its port, where a usual one answers', async () => {
    const usualPorts = [new URL(await here()).port];
    expect(await told(await closedPort(), { usualPorts })).toBe(
      'Example is not at HOST, but it answers at http://HOST. Enter that as its address.',
    );
  });

  test('is its path: one too many, or one that is missing', async () => {
    expect(await told(`${await here()}/foo`)).toMatch(/another path of this server\. Enter http:\/\/HOST as/);
    const missing = await told(await here('/base/here'), { usualPaths: ['/base'] });
    expect(missing).toMatch(/another path of this server\. Enter http:\/\/HOST\/base as/);
  });

  test('is what is likely before what is usual', async () => {
    const [likely, usual] = [await here(), await here()];
    const more = {
      likelyVariant: { url: likely, mistake: 'port' as const },
      usualPorts: [new URL(usual).port],
    };
    const error = await explainAddress(badAnswer, sought(await closedPort(), more), { signal });
    expect(error.explanation.what).toContain(likely);
  });

  test.each([
    ['NZBHydra 2', 'NZBHydra2'],
    ['Login - Prowlarr', 'Prowlarr'],
    ['SABnzbd', 'SABnzbd'],
  ])('is that somebody else is there, by the page titled %s', async (title, name) => {
    expect(await told(await titled(title))).toBe(
      `${name} answers at HOST, not Example. Check the port of its address: each service has its own.`,
    );
  });

  test('is that somebody else is there, by the name of the login', async () => {
    const url = await serve((_req, res) =>
      res.writeHead(401, { 'www-authenticate': 'Basic realm="NZBGet"' }).end(),
    );
    expect(await told(url)).toContain('NZBGet answers at HOST');
  });

  test('is not that it is there itself under its own name', async () => {
    expect(await told(await titled('SABnzbd'), { names: ['nzbdav', 'SABnzbd'] })).toBe(
      'HOST answers, but Example is not there. Check port and path of its address.',
    );
  });

  test('may be nothing: an error that says more stays', async () => {
    const url = await titled('Router');
    const own = new SlipstreamError('SERVICE_ERROR', { what: 'It is full.', next: 'x.' });
    expect(await explainAddress(own, sought(url), { signal })).toBe(own);
    expect(await explainAddress(badAnswer, sought(url), { signal, isTelling: true })).toBe(badAnswer);
  });

  test('is not that something alike answers elsewhere, where the service has a fault of its own', async () => {
    const usualPorts = [new URL(await here()).port];
    const url = await serve((_req, res) => res.writeHead(500).end());
    const own = new SlipstreamError('SERVICE_ERROR', { what: 'It is full.', next: 'x.' });
    expect(await explainAddress(own, sought(url, { usualPorts }), { signal })).toBe(own);
    expect(
      (await explainAddress(badAnswer, sought(url, { usualPorts }), { signal })).explanation.what,
    ).toMatch(/but it answers at/);
  });

  test('is looked for without anything that is secret, and no longer than wanted', async () => {
    const controller = new AbortController();
    const reason = new Error('gone');
    const headers: string[] = [];
    const url = await serve((req) => {
      headers.push(JSON.stringify(req.headers));
      controller.abort(reason);
    });
    const looking = explainAddress(badAnswer, sought(`${url}/x`), { signal: controller.signal });
    await expect(looking).rejects.toBe(reason);
    expect(headers.join()).not.toMatch(/authorization|cookie|x-api-key/);
  });
});

describe('a certificate that is not trusted', () => {
  const untrusted = async (path = '') => await frontOf(await here(), { path, tls: true });
  const plain = (url: string) => url.replace('https:', 'http:');
  const portOf = (url: string) => new URL(url).port;

  test('proves that HTTPS is spoken, which is then told by what is wrong with it', async () => {
    const url = await untrusted();
    expect(await told(plain(url))).toBe('HOST does not speak plain HTTP. Begin its address with https://.');
    expect(await told(url)).toMatch(/^HOST speaks HTTPS, but its certificate is self-signed\. Give it/);
  });

  test('proves nothing of another path, port or host', async () => {
    const url = await untrusted('/base');
    expect(await told(`${url}/wrong`, { usualPaths: ['/base'] })).toMatch(/^HOST speaks HTTPS, but/);
    const likely = { url, mistake: 'port' as const };
    expect(await told(await closedPort(), { likelyVariant: likely })).toMatch(/^Nothing runs at HOST\./);
  });

  test('is told with where plain HTTP is spoken, at home', async () => {
    const usualPorts = [portOf(await here('/base/here'))];
    const url = `${await untrusted()}/base`;
    expect(await told(url, { usualPorts })).toBe(
      'HOST speaks HTTPS, but its certificate is self-signed. Enter http://HOST/base as its address: plain HTTP is spoken there.',
    );
    expect(await told(url, { usualPorts, isThirdParty: true })).toMatch(/Check its address; if it is right/);
  });

  /** It leads to this machine, and is no address of the local network. */
  const remote = (url: string) => url.replace('127.0.0.1', '0.0.0.0');
  const REMOTE = /^0\.0\.0\.0:\d+ speaks HTTPS, but its certificate is /;

  test('leads nobody to plain HTTP over the internet', async () => {
    const usualPorts = [portOf(await here())];
    const own = await told(remote(await untrusted()), { usualPorts });
    expect(own).toMatch(REMOTE);
    expect(own).toMatch(/self-signed\. Give it a certificate that every device trusts, such as [^;]+\.$/);
    const url = await untrusted();
    const moving = await serve((_req, res) => res.writeHead(301, { location: remote(url) }).end());
    expect(await told(moving)).toMatch(/such as one of Let’s Encrypt\.$/);
  });

  test('leads nobody to the name that it is for, unless the server has it', async () => {
    trustTestAuthority();
    const url = await frontOf(await here(), { tls: true, certificate: 'elsewhere' });
    expect(await told(url)).toMatch(/Enter its address by the name that the certificate is for\.$/);
    expect(await told(remote(url))).toMatch(REMOTE);
    expect(await told(remote(url))).toMatch(
      /If that is a name of your server, enter its address by it; else/,
    );
    expect(await told(remote(url), { isThirdParty: true })).toMatch(
      /\. Check its address; if it is right, something on the way,/,
    );
  });

  test('is told with where it was met, if that is another address', async () => {
    const target = await untrusted();
    const url = await serve((_req, res) => res.writeHead(301, { location: target }).end());
    expect(await told(url)).toMatch(/^HOST leads on to https:\/\/HOST, but its certificate is self-signed\./);
  });
});

describe('an address that leads on to another origin', () => {
  const explained = async (from: string, to: string, typed: string) => {
    const moved = new CrossOriginRedirect('Example', new URL(from), new URL(to));
    const { code, explanation } = await explainAddress(moved, sought(typed), { signal });
    return [code, explanation.what, explanation.next];
  };
  const ASKED = 'http://nas:9690/base/api/v1/status?apikey=secret';

  test.each([
    ['https://nas:6969/base/api/v1/status?apikey=secret', 'https://nas:6969/base'],
    ['https://nas/other/api/v1/status', 'https://nas/other'],
    ['https://nas/login?to=secret', 'https://nas/base'],
  ])('by HTTPS is told with the whole address to be entered: %s', async (to, entered) => {
    expect(await explained(ASKED, to, 'http://nas:9690/base')).toEqual([
      'BAD_ANSWER',
      'nas:9690 leads on to HTTPS.',
      `Enter ${entered} as its address.`,
    ]);
  });

  test.each([
    ['https://other.example/base/api/v1/status', 'https://other.example/base'],
    ['https://login.example/?to=secret', 'https://login.example'],
  ])('of another host is told as that: %s', async (to, entered) => {
    const { origin } = new URL(to);
    expect(await explained(ASKED, to, 'http://nas:9690/base')).toEqual([
      'BAD_ANSWER',
      `Example sends us on to another address (${origin}).`,
      `Enter ${entered} as its address.`,
    ]);
  });
});

describe('a key that is refused', () => {
  const refused = new SlipstreamError('AUTH_FAILED', { what: 'No.', next: 'x.' });
  const by = async (url: string) => await refusedByOtherServer(refused, sought(url), { signal });

  test('is wrong where the service itself refuses it, or nobody knows who did', async () => {
    expect(await by(await here())).toBeUndefined();
    expect(await by(await titled('Sign in'))).toBeUndefined();
  });

  test('is not to blame where it was shown to another service', async () => {
    const other = await by(await titled('Sonarr'));
    expect([other?.code, other?.explanation.what]).toEqual([
      'BAD_ANSWER',
      expect.stringMatching(/^Sonarr answers at .*, not Example\.$/),
    ]);
  });
});
