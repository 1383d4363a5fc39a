import type { Backend } from '../backends/backend.ts';
import { webdavBackend } from '../backends/webdav/index.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { Settings } from '../settings/index.ts';

/** The backend that plays. @throws NOT_CONFIGURED when there is none. */
export function playbackBackend(settings: Settings, log: Logger): Backend {
  if (settings.webdav_api_url === '')
    throw new SlipstreamError('NOT_CONFIGURED', {
      what: 'No backend is set up yet.',
      next: 'Open the settings of Slipstream and enter the nzbdav address and its API key.',
    });
  return webdavBackend(
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
  );
}
