import type { Backend } from '../backends/backend.ts';
import { webdavBackend } from '../backends/webdav/index.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import { newznabSource } from '../search/newznab/index.ts';
import type { SearchSource } from '../search/source.ts';
import type { Settings } from '../settings/index.ts';

/** The sources to search. @throws NOT_CONFIGURED when there is none. */
export function searchSources(settings: Settings, dataFolder: string, log: Logger): SearchSource[] {
  if (settings.indexer_url === '')
    throw notConfigured('No indexer is set up yet.', 'the indexer address and its API key');
  return [
    newznabSource(
      {
        name: settings.indexer_name,
        url: settings.indexer_url,
        apiKey: settings.indexer_api_key,
        timeout: settings.search_timeout * 1000,
        cacheFolder: dataFolder,
      },
      log,
    ),
  ];
}

/** The backend that plays. @throws NOT_CONFIGURED when there is none. */
export function playbackBackend(settings: Settings, log: Logger): Backend {
  if (settings.webdav_api_url === '')
    throw notConfigured('No backend is set up yet.', 'the nzbdav address and its API key');
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

function notConfigured(what: string, which: string): SlipstreamError {
  return new SlipstreamError('NOT_CONFIGURED', {
    what,
    next: `Open the settings of Slipstream and enter ${which}.`,
  });
}
