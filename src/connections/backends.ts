import type { Backend } from '../backends/backend.ts';
import { directStreamBackend } from '../backends/direct-stream/index.ts';
import { linksOnlyBackend } from '../backends/direct-stream/links-only.ts';
import { downloadClientBackend } from '../backends/download-client/index.ts';
import { type WebdavConfig, webdavBackend, webdavHeadersFor } from '../backends/webdav/index.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { HostFiles } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import type { Playable } from '../model/index.ts';
import { openPathMappings, readSourceList, type SettingId, type Settings } from '../settings/index.ts';

/** What a backend works with, beside its settings. */
export interface BackendContext {
  readonly files: HostFiles;
  /** Where the person's lists are kept. */
  readonly folder: string;
  readonly log: Logger;
}

/** How streams are played that services give. */
export const directVia = ({ direct_by_proxy }: Settings): Playable['via'] =>
  direct_by_proxy ? 'proxy' : 'player';

interface BackendKind {
  /** The setting without which there is no such backend. */
  readonly address: SettingId;
  /** For "enter …". */
  readonly wanted: string;
  readonly open: (settings: Settings, context: BackendContext) => Backend | Promise<Backend>;
}

const webdavConfig = (settings: Settings): WebdavConfig => ({
  apiUrl: settings.webdav_api_url,
  apiKey: settings.webdav_api_key,
  webdavUrl: settings.webdav_url,
  username: settings.webdav_username,
  password: settings.webdav_password,
  movieCategory: settings.webdav_movie_category,
  tvCategory: settings.webdav_tv_category,
  goesFirst: settings.webdav_goes_first,
});

const BACKEND_KINDS: Readonly<Record<Settings['playback_backend'], BackendKind>> = {
  webdav: {
    address: 'webdav_api_url',
    wanted: 'the nzbdav address and its API key',
    open: (settings, { log }) => webdavBackend(webdavConfig(settings), log),
  },
  nzbget: {
    address: 'nzbget_url',
    wanted: 'the NZBGet address, its user and password, and the folder of its finished downloads',
    open: async (settings, { files, folder, log }) =>
      downloadClientBackend(
        {
          url: settings.nzbget_url,
          username: settings.nzbget_username,
          password: settings.nzbget_password,
          movieCategory: settings.nzbget_movie_category,
          tvCategory: settings.nzbget_tv_category,
          folder: settings.nzbget_folder,
          serverFolder: settings.nzbget_server_folder,
          mappings: (await openPathMappings(folder, log).read()) ?? [],
          priority: settings.nzbget_priority,
          backups: settings.nzbget_backups,
        },
        { files, log },
      ),
  },
  direct: {
    address: 'direct_url',
    wanted: 'the address and the key of the streaming service',
    open: (settings, { log }) =>
      directStreamBackend(
        {
          kind: settings.direct_kind,
          url: settings.direct_url,
          apiKey: settings.direct_api_key,
          webdav: { username: settings.direct_webdav_username, password: settings.direct_webdav_password },
          via: directVia(settings),
        },
        log,
      ),
  },
};

/** What opens a file of the person's share; undefined for a file that is none of it. @throws INVALID_REQUEST */
export const shareHeaders = (settings: Settings, url: string): Record<string, string> | undefined =>
  settings.webdav_api_url === '' ? undefined : webdavHeadersFor(webdavConfig(settings), url);

/** One kind of backend, whichever is to play. @throws INVALID_REQUEST when its address is none */
export async function openBackend(
  kind: Settings['playback_backend'],
  settings: Settings,
  context: BackendContext,
): Promise<Backend> {
  return await BACKEND_KINDS[kind].open(settings, context);
}

/** The backend that plays. @throws NOT_CONFIGURED when it is not set up; INVALID_REQUEST when its address is none */
export async function playbackBackend(settings: Settings, context: BackendContext): Promise<Backend> {
  const { wanted, open } = BACKEND_KINDS[settings.playback_backend];
  if (!hasNzbBackend(settings) && (await listsLinks(settings, context))) return linksOnlyBackend();
  if (!hasNzbBackend(settings))
    throw new SlipstreamError('NOT_CONFIGURED', {
      what: 'No backend is set up yet.',
      next: `Open the settings of Slipstream (Backends) and enter ${wanted}.`,
    });
  return await open(settings, context);
}

/** Whether the backend that plays is set up: each of them takes NZBs. */
export const hasNzbBackend = (settings: Settings): boolean =>
  settings[BACKEND_KINDS[settings.playback_backend].address] !== '';

/** As configuredBackends: all backends that are set up. */
export type BackendsOf = (settings: Settings, context: BackendContext) => Promise<readonly Backend[]>;

/** Every backend that is set up: each may hold jobs of ours, whichever plays now. One whose address is none has none. */
export async function configuredBackends(settings: Settings, context: BackendContext): Promise<Backend[]> {
  const backends: Backend[] = [];
  for (const { address, open } of Object.values(BACKEND_KINDS)) {
    if (settings[address] === '') continue;
    try {
      backends.push(await open(settings, context));
    } catch (error) {
      context.log.warning(`a backend cannot be asked: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }
  return backends;
}

/** Whether an add-on is asked whose streams need no backend. */
async function listsLinks({ stremio_url }: Settings, { folder, log }: BackendContext): Promise<boolean> {
  if (stremio_url !== '') return true;
  const { entries } = await readSourceList(folder, log);
  return entries.some(({ kind, enabled }) => kind === 'stremio' && enabled);
}
