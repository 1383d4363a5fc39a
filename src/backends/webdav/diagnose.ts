import {
  explainAddress,
  type ProbeOptions,
  type ProbeTarget,
  probeMatches,
  type Variant,
} from '../../diagnosis/index.ts';
import type { SlipstreamError } from '../../errors/index.ts';
import { isRecord, parseJson } from '../../io/json.ts';
import type { SettingId } from '../../settings/index.ts';
import { isKeyRefusal } from '../sabnzbd/answer.ts';
import type { WebdavServer } from './server.ts';
import type { WebdavTimings } from './timings.ts';

interface Explained {
  readonly failure: SlipstreamError;
  readonly setting: SettingId;
}

/** Of nzbdav and InfiniDysk, of AltMount and SABnzbd. */
const USUAL_PORTS = ['3000', '8080'];
const USUAL_PATHS = ['/nzbdav', '/altmount'];

/** The API, as it is looked for. @param url Below which it was. */
export const apiProbe = (url: string, usualPorts: readonly string[] = USUAL_PORTS): ProbeTarget => ({
  label: 'nzbdav',
  names: ['nzbdav', 'AltMount', 'SABnzbd'],
  settingLabel: 'the nzbdav address',
  enteredUrl: url,
  usualPorts,
  usualPaths: USUAL_PATHS,
  isAt: hasApi,
});

/** Why the API does not answer as it should. @param url Below which it was looked for. */
export async function explainApi(
  error: SlipstreamError,
  url: string,
  { request: timeout }: WebdavTimings,
  signal: AbortSignal,
  ports?: readonly string[],
): Promise<Explained> {
  const failure = await explainAddress(error, apiProbe(url, ports), { signal, timeout });
  return { failure, setting: 'webdav_api_url' };
}

/** Why the files cannot be had. */
export async function explainShare(
  error: SlipstreamError,
  server: WebdavServer,
  { request: timeout }: WebdavTimings,
  signal: AbortSignal,
  ports?: readonly string[],
): Promise<Explained> {
  const { url: typed, who } = server.share();
  // Most serve their files where their API is.
  const ofApi = server.url + server.dialect.sharePath.map((part) => `/${part}`).join('');
  const likely: Variant = {
    url: ofApi,
    mistake: new URL(ofApi).origin === new URL(typed).origin ? 'path' : 'port',
  };
  const sought: ProbeTarget = {
    ...apiProbe(typed, ports),
    label: who,
    settingLabel: 'the WebDAV address',
    isAt: hasShare,
    ...(ofApi !== typed && { likelyVariant: likely }),
  };
  const failure = await explainAddress(error, sought, { signal, timeout });
  return { failure, setting: 'webdav_url' };
}

/** SABnzbd's dialect tells its version to everybody, or misses the key. */
async function hasApi(base: string, probing: ProbeOptions): Promise<boolean> {
  const ask = (path: string) =>
    probeMatches({ url: `${base}${path}?mode=version&output=json`, ...probing }, (answer) => {
      const body = parseJson(answer.text());
      return isKeyRefusal(answer)
        ? answer.text() !== ''
        : isRecord(body) && typeof body['version'] === 'string';
    });
  return (await Promise.all([ask('/api'), ask('/sabnzbd/api')])).includes(true);
}

/** WebDAV says so to everybody (RFC 4918 §10.1), or asks who is there where only it is spoken. */
const hasShare = (base: string, probing: ProbeOptions): Promise<boolean> =>
  probeMatches(
    { url: `${base}/`, method: 'OPTIONS', ...probing },
    ({ headers }) => headers['dav'] !== undefined,
  );
