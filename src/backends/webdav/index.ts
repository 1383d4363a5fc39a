import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import type { Backend, NzbAddress } from '../backend.ts';
import { withEpisodeNames } from '../nzb/episode-names.ts';
import { readFileRange } from '../read-file-range.ts';
import { sabApi } from '../sabnzbd/api.ts';
import { removeJob } from '../sabnzbd/remove.ts';
import type { SabDialect } from '../sabnzbd/server.ts';
import { categoryFor } from './category.ts';
import type { WebdavConfig } from './config.ts';
import { newPlayFailures } from './failed-job.ts';
import { finishedJobs } from './finished.ts';
import { readServerFolders } from './folders.ts';
import { locateVideo } from './locate.ts';
import { filesRemover } from './remove-files.ts';
import { preflight } from './root.ts';
import { webdavServerOf } from './server.ts';
import { submitAddress, submitFile } from './submit.ts';
import { testConnection } from './test-connection.ts';
import { WEBDAV_TIMINGS, type WebdavTimings } from './timings.ts';
import { waitForJob } from './wait.ts';

export { type WebdavConfig, webdavHeadersFor } from './config.ts';

/** Nothing was taken. */
const isRefusal = (error: unknown) =>
  error instanceof SlipstreamError && error.code === 'SUBMIT_REFUSED' && !error.transient;

/**
 * nzbdav and what speaks its dialect, each in its own way (dialect/): NZBs go in by a SABnzbd-compatible API, the files
 * come out by WebDAV.
 * @throws INVALID_REQUEST when an address is none
 */
export function webdavBackend(
  config: WebdavConfig,
  log: Logger,
  times: WebdavTimings = WEBDAV_TIMINGS,
): Backend {
  const server = webdavServerOf(config, times, log);
  const api = sabApi(server, times);
  const folders = readServerFolders(server, api);
  const removeFiles = filesRemover(server, folders, log);
  const failures = newPlayFailures();
  const categoryOf = ({ kind }: MediaRequest) =>
    kind === 'movie' ? config.movieCategory : config.tvCategory;
  const newJob = (jobName: string, request: MediaRequest) => ({
    jobName,
    category: categoryOf(request),
    goesFirst: config.goesFirst === true,
  });
  return {
    get name() {
      return server.dialect.name;
    },
    identity: `webdav ${new URL(server.url).origin}`,
    via: 'proxy',
    categoryOf,
    submit: async (nzb, jobName, request, signal) => {
      const bytes = ({ replacesObfuscatedNames: replacesNames }: SabDialect) =>
        replacesNames ? withEpisodeNames(nzb.bytes, request) : nzb.bytes;
      const { password } = nzb.release;
      const send = async () => {
        const job = newJob(jobName, request);
        const category = await categoryFor(server, folders, job.category, signal);
        const { id } = await submitFile(api, { bytes, password, ...job, category }, { signal, times, log });
        return { id, name: jobName, category: job.category };
      };
      const before = server.dialect;
      return await send().catch((error: unknown) => {
        signal.throwIfAborted();
        // It refused what is another server's to take.
        if (isRefusal(error) && server.dialect !== before) return send();
        throw error;
      });
    },
    get submitAddress() {
      // What is only taken for such a server may be another one.
      if (!server.isKnown || !server.dialect.fetchesUrls) return undefined;
      return (address: NzbAddress, jobName: string, request: MediaRequest, signal: AbortSignal) =>
        submitAddress(api, { ...address, ...newJob(jobName, request) }, { signal, times, log });
    },
    waitUntilReady: (job, options) => waitForJob(api, job, options, { times, log, failures }),
    finishedJobs: (signal) => finishedJobs(api, signal),
    preflight: (signal) => preflight(server, folders, signal),
    test: (signal) => testConnection({ server, api, folders, config, times }, signal),
    read: (file, range, signal) =>
      readFileRange(
        {
          url: file.url,
          headers: file.via === 'proxy' ? file.headers : {},
          size: file.size,
          who: server.share().who,
          timeout: times.read,
          retryDelay: times.reread,
          signal,
        },
        range,
      ),
    locate: (job, request, signal) => locateVideo(server, folders, job, request, { signal, times, log }),
    remove: (job, signal) => removeJob(api, job, { signal, times, removeFiles }),
  };
}
