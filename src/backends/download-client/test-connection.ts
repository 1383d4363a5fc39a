import type { Check } from '../../diagnosis/check.ts';
import { type CheckStep, runCheckSteps } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { SettingId } from '../../settings/index.ts';
import { type DownloadClientConfig, NAME, rpcAddress } from './config.ts';
import { explainVersionFailure } from './diagnose.ts';
import type { GuardedFiles } from './guarded-files.ts';
import { openFolder } from './job-folder.ts';
import { mapFolder, type PathRule } from './paths/mapping.ts';
import { destDir, noFolderError, pathRuleOf } from './paths/rules.ts';
import type { NzbgetApi } from './rpc.ts';
import type { ConfigOption } from './rpc-schema.ts';
import { categoryFolders, knownCategory } from './server-options.ts';
import { verifyFolders } from './verify-folders.ts';

/** `editqueue` takes its ids as we send them since then (protocols.md §4.5). */
const MIN_VERSION = 18;
const MB_PER_GB = 1024;

interface TestedClient {
  readonly config: DownloadClientConfig;
  readonly api: NzbgetApi;
  readonly files: GuardedFiles;
}

/** As Backend.test: NZBGet itself, what it is set to, then each folder on the spot. */
export const testConnection = (tested: TestedClient, signal: AbortSignal): Promise<readonly Check[]> =>
  runCheckSteps(stepsOf(tested), signal);

/** Of a step that can fail of one setting alone, or of none. */
const withSetting = (setting?: SettingId) => (failure: SlipstreamError) => ({
  failure,
  ...(setting !== undefined && { setting }),
});

function stepsOf(tested: TestedClient): readonly CheckStep[] {
  const { config, api, files } = tested;
  const rules: PathRule[] = [];
  let options: readonly ConfigOption[] = [];
  const folder = (what: string, from: () => string, to: string, setting?: SettingId): CheckStep => ({
    what: () => what,
    explain: withSetting(setting),
    run: (signal) => {
      const rule = pathRuleOf(from(), to);
      rules.push(rule);
      return checkFolderOpens(files, rule, signal);
    },
  });
  return [
    {
      what: () => `The address of ${NAME}`,
      explain: (error, own) => explainVersionFailure(error, rpcAddress(config).url, own),
      run: async (signal) => knownVersion(await api.version(signal)),
    },
    {
      what: () => `The rights of the user in ${NAME}`,
      explain: withSetting('nzbget_username'),
      run: async (signal) => {
        options = await api.config(signal);
        return await checkDiskSpace(api, signal);
      },
    },
    checkCategory('The category for films', 'nzbget_movie_category', config.movieCategory, () => options),
    checkCategory('The category for episodes', 'nzbget_tv_category', config.tvCategory, () => options),
    ...mainFolder(config, () => options, folder),
    ...config.mappings.map(({ from, to }) => folder(`The folder for ${from}`, () => from, to)),
    {
      what: () => `The folders that ${NAME} fills`,
      explain: withSetting('nzbget_server_folder'),
      run: () => Promise.resolve(checkCoverage(categoryFolders(config, options), rules)),
    },
    {
      what: () => FINISHED,
      // Of several folders it may be any.
      explain: withSetting(config.folder === '' ? undefined : 'nzbget_folder'),
      run: async (signal) => [
        { what: FINISHED, ...(await verifyFolders({ api, files, rules, options }, signal)) },
      ],
    },
  ];
}

/** What NZBGet calls the folder, then the folder itself: they are two settings. */
function mainFolder(
  { folder: to, serverFolder, mappings }: DownloadClientConfig,
  options: () => readonly ConfigOption[],
  folder: (what: string, from: () => string, to: string, setting: SettingId) => CheckStep,
): CheckStep[] {
  if (to === '' && mappings.length > 0) return [];
  const from = () => (serverFolder === '' ? destDir(options()) : serverFolder);
  return [
    {
      what: () => `The folder as ${NAME} calls it`,
      explain: withSetting('nzbget_server_folder'),
      run: () => {
        // Anything may stand for the other name here.
        pathRuleOf(from(), '/');
        return Promise.resolve(from());
      },
    },
    to === ''
      ? {
          what: () => FOLDER,
          explain: withSetting('nzbget_folder'),
          run: () => Promise.reject(noFolderError('')),
        }
      : folder(FOLDER, from, to, 'nzbget_folder'),
  ];
}

const FOLDER = 'The folder of finished downloads';
const FINISHED = `What ${NAME} has finished`;

function knownVersion(text: string): string {
  const major = /^v?(\d{1,4})\b/.exec(text.trim())?.[1];
  if (major !== undefined && Number(major) < MIN_VERSION)
    throw new SlipstreamError('SERVICE_ERROR', {
      what: `${NAME} ${text} is too old for Slipstream.`,
      next: `Update ${NAME} to version ${MIN_VERSION} or newer.`,
    });
  return `${NAME} ${text}`;
}

async function checkDiskSpace(api: NzbgetApi, signal: AbortSignal): Promise<string | undefined> {
  const { FreeDiskSpaceMB: free, DownloadPaused: paused } = await api.status(signal);
  const found = [
    ...(free === undefined ? [] : [`${Math.floor(free / MB_PER_GB)} GB free`]),
    ...(paused ? ['downloads are paused'] : []),
  ];
  return found.length === 0 ? undefined : found.join(', ');
}

/** An unknown category is taken, but gets none of what the person has set up for it. */
function checkCategory(
  what: string,
  setting: SettingId,
  wanted: string,
  options: () => readonly ConfigOption[],
): CheckStep {
  return {
    what: () => what,
    explain: withSetting(setting),
    run: () => Promise.resolve(wanted === '' ? 'none' : knownCategory(wanted, options())),
  };
}

/** Reachable, spoken to, and listed through the media centre itself. */
async function checkFolderOpens(files: GuardedFiles, rule: PathRule, signal: AbortSignal): Promise<string> {
  const entries = await openFolder(files, rule, signal);
  return `${rule.to.path}, ${entries.length} entries`;
}

/** Every folder that NZBGet fills has to be one that is named. */
function checkCoverage(needed: readonly string[], rules: readonly PathRule[]): string {
  const missing = needed.find((folder) => mapFolder(folder, rules) === undefined);
  if (missing === undefined) return needed.join(', ');
  throw new SlipstreamError('INVALID_REQUEST', {
    what: `${NAME} puts finished downloads into ${missing}, and no folder is named for it here.`,
    next: `Enter ${missing} as "The same folder in ${NAME}", or add it under "More folders".`,
  });
}
