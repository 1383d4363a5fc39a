import { SlipstreamError } from '../../errors/index.ts';
import { fetchBounded, type HttpAnswer, type HttpRequest } from '../../io/http.ts';
import { isRecord, parseJson } from '../../io/json.ts';
import type { SettingId } from '../../settings/index.ts';
import { Moved, refusesKey } from '../sabnzbd/answer.ts';
import type { Server } from './server.ts';
import type { Times } from './times.ts';

/**
 * Why a server does not answer as it should: what was entered is tried again with one thing changed, and where that
 * answers, that is the mistake. No key and no password goes along: it may be somebody else who answers.
 */
interface Explained {
  readonly failure: SlipstreamError;
  readonly setting: SettingId;
}

/** Of nzbdav and InfiniDysk, of AltMount and SABnzbd. */
const USUAL_PORTS = ['3000', '8080'];
/** Milliseconds for one try; they run side by side. */
const PATIENCE = 3_000;

/** What was entered, with one thing changed. */
interface Variant {
  readonly url: string;
  readonly mistake: 'scheme' | 'path' | 'port';
}

/** @param url Below which the API was looked for. */
export async function explainApi(
  error: SlipstreamError,
  url: string,
  times: Times,
  signal: AbortSignal,
  ports: readonly string[] = USUAL_PORTS,
): Promise<Explained> {
  const timeout = Math.min(times.request, PATIENCE);
  const right = await firstThat(variantsOf(url, ports), (base) => hasApi(base, timeout, signal));
  const words = { it: 'The API', setting: 'the address in the settings', typed: url };
  return { failure: explained(error, right, words), setting: 'webdav_api_url' };
}

export async function explainShare(
  error: SlipstreamError,
  server: Server,
  times: Times,
  signal: AbortSignal,
  ports: readonly string[] = USUAL_PORTS,
): Promise<Explained> {
  const timeout = Math.min(times.request, PATIENCE);
  const typed = server.share().url;
  // Most serve their files where their API is.
  const ofApi = server.url + server.dialect.sharePath.map((part) => `/${part}`).join('');
  const beside: Variant = {
    url: ofApi,
    mistake: new URL(ofApi).origin === new URL(typed).origin ? 'path' : 'port',
  };
  const [scheme, ...others] = variantsOf(typed, ports);
  const variants = [scheme, ...(ofApi === typed ? [] : [beside]), ...others];
  const right = await firstThat(variants, (base) => hasShare(base, timeout, signal));
  const words = { it: server.share().who, setting: 'the WebDAV address in the settings', typed };
  return { failure: explained(error, right, words), setting: 'webdav_url' };
}

function variantsOf(typed: string, ports: readonly string[]): [Variant, ...Variant[]] {
  const url = new URL(typed);
  const otherScheme = new URL(typed.replace(/^https?/, url.protocol === 'https:' ? 'http' : 'https'));
  // Of an address without a port the other scheme has another port.
  if (url.port === '') otherScheme.port = '';
  const plain = (each: URL) => each.href.replace(/\/+$/, '');
  const atPort = (port: string) => {
    const other = new URL(`http://${url.hostname}`);
    other.port = port;
    return { url: other.origin, mistake: 'port' as const };
  };
  return [
    { url: plain(otherScheme), mistake: 'scheme' },
    ...(url.pathname === '/' ? [] : [{ url: url.origin, mistake: 'path' as const }]),
    ...ports.filter((port) => port !== url.port).map(atPort),
  ];
}

/** All at once, since each may cost its whole time; the first in order counts. */
async function firstThat(
  variants: readonly Variant[],
  answers: (url: string) => Promise<boolean>,
): Promise<Variant | undefined> {
  const outcomes = await Promise.all(variants.map(({ url }) => answers(url)));
  return variants.find((_, n) => outcomes[n]);
}

/** SABnzbd's dialect tells its version to everybody, or misses the key. */
async function hasApi(base: string, timeout: number, signal: AbortSignal): Promise<boolean> {
  const ask = (path: string) =>
    asks({ url: `${base}${path}?mode=version&output=json`, timeout, signal }, (answer) => {
      const body = parseJson(answer.text());
      return refusesKey(answer)
        ? answer.text() !== ''
        : isRecord(body) && typeof body['version'] === 'string';
    });
  return (await Promise.all([ask('/api'), ask('/sabnzbd/api')])).includes(true);
}

/** WebDAV says so to everybody (RFC 4918 §10.1), or asks who is there where only it is spoken. */
const hasShare = (base: string, timeout: number, signal: AbortSignal): Promise<boolean> =>
  asks(
    { url: `${base}/`, method: 'OPTIONS', timeout, signal },
    ({ headers }) => headers['dav'] !== undefined,
  );

/** A certificate that is not trusted is an answer too: HTTPS is spoken there. */
async function asks(
  request: Pick<HttpRequest, 'url' | 'method' | 'timeout' | 'signal'>,
  fits: (answer: HttpAnswer) => boolean,
): Promise<boolean> {
  try {
    return fits(await fetchBounded({ ...request, who: 'The server', maxBytes: 256 * 1024, maxRedirects: 0 }));
  } catch (error) {
    return error instanceof SlipstreamError && error.code === 'UNREACHABLE' && isCertificate(error);
  }
}

const isCertificate = ({ message }: SlipstreamError) => message.includes('certificate');

interface Words {
  readonly it: string;
  readonly setting: string;
  readonly typed: string;
}

function explained(
  error: SlipstreamError,
  right: Variant | undefined,
  { it, setting, typed }: Words,
): SlipstreamError {
  const { hostname, port, protocol } = new URL(typed);
  const at = `${hostname}${port === '' ? '' : `:${port}`}`;
  const failure = (what: string, next: string) =>
    new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });
  switch (right?.mistake) {
    case 'scheme':
      return failure(
        `${at} does not speak ${protocol === 'https:' ? 'HTTPS' : 'plain HTTP'}.`,
        `Begin ${setting} with ${new URL(right.url).protocol}//.`,
      );
    case 'path':
      return failure(`${it} is at another path of this server.`, `Enter ${right.url} as ${setting}.`);
    case 'port':
      return failure(`${it} is not at ${at}, but it answers at ${right.url}.`, `Enter that as ${setting}.`);
    case undefined:
      break;
  }
  if (isRefused(error))
    return failure(`Nothing runs at ${at}.`, `Start the server, or correct the port in ${setting}.`);
  if (error.code === 'BAD_ANSWER' && !(error instanceof Moved))
    return failure(
      `${at} answers, but ${it.replace(/^The /, 'the ')} is not there.`,
      `Check port and path of ${setting}.`,
    );
  return error;
}

/** The host is there, and nothing listens at the port. */
const isRefused = ({ cause }: SlipstreamError) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
