import type { Backend } from '../backends/backend.ts';
import { webdavBackend } from '../backends/webdav/index.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { HostFiles } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import type { SettingId, Settings } from '../settings/index.ts';

/** What a backend works with, beside its settings. */
export interface BackendContext {
  readonly files: HostFiles;
  /** Where the person's lists are kept. */
  readonly folder: string;
  readonly log: Logger;
}

interface Kind {
  /** The setting without which there is no such backend. */
  readonly address: SettingId;
  /** For "enter …". */
  readonly wanted: string;
  readonly open: (settings: Settings, context: BackendContext) => Backend;
}

const KINDS: Readonly<Record<'webdav', Kind>> = {
  webdav: {
    address: 'webdav_api_url',
    wanted: 'the nzbdav address and its API key',
    open: (settings, { log }) =>
      webdavBackend(
        {
          apiUrl: settings.webdav_api_url,
          apiKey: settings.webdav_api_key,
          webdavUrl: settings.webdav_url === '' ? settings.webdav_api_url : settings.webdav_url,
          username: settings.webdav_username,
          password: settings.webdav_password,
          movieCategory: settings.webdav_movie_category,
          tvCategory: settings.webdav_tv_category,
        },
        log,
      ),
  },
};

/** The backend that plays. @throws NOT_CONFIGURED when it is not set up; INVALID_REQUEST when its address is none */
export function playbackBackend(settings: Settings, context: BackendContext): Backend {
  const { address, wanted, open } = KINDS.webdav;
  if (settings[address] === '')
    throw new SlipstreamError('NOT_CONFIGURED', {
      what: 'No backend is set up yet.',
      next: `Open the settings of Slipstream and enter ${wanted}.`,
    });
  return open(settings, context);
}

/** Every backend that is set up: each may hold jobs of ours, whichever plays now. One whose address is none has none. */
export function configuredBackends(settings: Settings, context: BackendContext): Backend[] {
  return Object.values(KINDS).flatMap(({ address, open }) => {
    if (settings[address] === '') return [];
    try {
      return [open(settings, context)];
    } catch (error) {
      context.log.warning(`a backend cannot be asked: ${error instanceof Error ? error.message : 'unknown'}`);
      return [];
    }
  });
}
