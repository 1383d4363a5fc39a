import type { Logger } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import type { Backend } from '../backend.ts';
import { readRange } from '../read-range.ts';
import { sabApi } from '../sabnzbd/api.ts';
import { removeJob } from '../sabnzbd/remove.ts';
import type { WebdavConfig } from './config.ts';
import { finishedJobs } from './finished.ts';
import { foldersOf } from './folders.ts';
import { locateVideo } from './locate.ts';
import { filesRemover } from './remove-files.ts';
import { preflight } from './root.ts';
import { serverOf } from './server.ts';
import { submitJob } from './submit.ts';
import { testConnection } from './test-connection.ts';
import { TIMES, type Times } from './times.ts';
import { waitForJob } from './wait.ts';

export type { WebdavConfig } from './config.ts';

/**
 * nzbdav and what speaks its dialect, each in its own way (dialect/): NZBs go in by a SABnzbd-compatible API, the files
 * come out by WebDAV.
 * @throws INVALID_REQUEST when an address is none
 */
export function webdavBackend(config: WebdavConfig, log: Logger, times: Times = TIMES): Backend {
  const server = serverOf(config, times, log);
  const api = sabApi(server, times);
  const folders = foldersOf(server, api);
  const removeFiles = filesRemover(server, folders, log);
  const categoryOf = ({ kind }: MediaRequest) =>
    kind === 'movie' ? config.movieCategory : config.tvCategory;
  return {
    get name() {
      return server.dialect.name;
    },
    identity: `webdav ${new URL(server.url).origin}`,
    via: 'proxy',
    categoryOf,
    submit: (nzb, jobName, request, signal) =>
      submitJob(
        api,
        { bytes: nzb.bytes, jobName, category: categoryOf(request), goesFirst: config.goesFirst === true },
        { signal, times, log },
      ),
    waitUntilReady: (job, options) => waitForJob(api, job, options, { times, log }),
    finished: (signal) => finishedJobs(api, signal),
    preflight: (signal) => preflight(server, folders, signal),
    test: (signal) => testConnection({ server, api, folders, config, times }, signal),
    read: (file, range, signal) =>
      readRange(
        {
          url: file.url,
          headers: file.via === 'proxy' ? file.headers : {},
          ...{ who: server.share().who, timeout: times.read, recovery: times.reread, signal },
        },
        range,
      ),
    locate: (job, request, signal) => locateVideo(server, folders, job, request, { signal, times, log }),
    remove: (job, signal) => removeJob(api, job, { signal, times, removeFiles }),
  };
}
