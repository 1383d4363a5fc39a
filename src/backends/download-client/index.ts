import type { HostFiles } from '../../host/port.ts';
import type { Logger } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import type { Backend, JobToRemove } from '../backend.ts';
import { memoizeSuccess } from '../memoize.ts';
import { addBackups, dropBackups, OWN_SCORE } from './backups.ts';
import { type DownloadClientConfig, NAME, PRIORITIES, rpcAddress } from './config.ts';
import { dupeKeyOf } from './find-job.ts';
import { finishedJobs } from './finished.ts';
import { guardedFiles } from './guarded-files.ts';
import { openAnyFolder } from './job-folder.ts';
import { locateVideo, type PlayerShare } from './locate.ts';
import { readPathRules } from './paths/rules.ts';
import { readFile } from './read-file.ts';
import { removeJob } from './remove.ts';
import { type Append, nzbgetApi } from './rpc.ts';
import { submitJob, submitWithBackups } from './submit.ts';
import { testConnection } from './test-connection.ts';
import { NZBGET_TIMINGS, type NzbgetTimings } from './timings.ts';
import { waitForJob } from './wait.ts';

export type { DownloadClientConfig } from './config.ts';

/**
 * NZBGet: NZBs go in by its JSON-RPC, it downloads them whole, and the media centre opens the files where it put them.
 * @throws INVALID_REQUEST when the address is none
 */
export function downloadClientBackend(
  config: DownloadClientConfig,
  { files, log }: { readonly files: HostFiles; readonly log: Logger },
  times: NzbgetTimings = NZBGET_TIMINGS,
): Backend & Required<Pick<Backend, 'addBackups'>> {
  const address = rpcAddress(config);
  const api = nzbgetApi(address, NAME, times);
  const guarded = guardedFiles(files, times);
  const rules = memoizeSuccess((signal) => readPathRules(config, api, { signal, log }));
  const share: PlayerShare = { files: guarded, rules };
  const priority = PRIORITIES[config.priority];
  const categoryOf = ({ kind }: MediaRequest) =>
    kind === 'movie' ? config.movieCategory : config.tvCategory;
  return {
    name: NAME,
    identity: `nzbget ${new URL(address.url).origin}`,
    repairs: true,
    via: 'player',
    categoryOf,
    submit: async ({ bytes, release: { password } }, name, request, signal) => {
      const category = categoryOf(request);
      // Without backups nothing is asked of the check for duplicates: the person has chosen this one.
      const [submit, dupeMode] =
        config.backups > 0 ? ([submitWithBackups, 'SCORE'] as const) : ([submitJob, 'FORCE'] as const);
      const dupe = { dupeKey: dupeKeyOf(name), dupeScore: OWN_SCORE, dupeMode };
      const nzb: Append = { bytes, name, category, priority, ...dupe, password };
      return { id: await submit(api, nzb, { signal, times, log }), name, category };
    },
    addBackups: (nzbs, job, signal) =>
      addBackups(api, { nzbs: nzbs.slice(0, config.backups), job, priority }, { signal, times, log }),
    ...(config.backups > 0 && {
      dropBackups: ({ name }: JobToRemove, signal: AbortSignal) => dropBackups(api, name, signal),
    }),
    waitUntilReady: (job, options) => waitForJob(api, job, options, { times, log }),
    finishedJobs: (signal) => finishedJobs(api, signal),
    preflight: async (signal) => {
      await openAnyFolder(guarded, await rules(signal), signal);
    },
    test: (signal) => testConnection({ config, api, files: guarded }, signal),
    locate: (job, request, signal) => locateVideo(share, job, request, { signal, times, log }),
    read: (file, range, signal) => readFile(guarded, file, range, { signal, times }),
    remove: (job, signal) => removeJob(api, job, { signal, times }),
  };
}
