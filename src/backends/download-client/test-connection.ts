import { asSlipstreamError, type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import type { SettingId } from '../../settings/index.ts';
import type { Check } from '../backend.ts';
import { type DownloadClientConfig, NAME } from './config.ts';
import type { GuardedFiles } from './guarded-files.ts';
import { mapFolder, type Rule } from './paths/mapping.ts';
import { destDir, noFolder, ruleOf } from './paths/rules.ts';
import type { NzbgetApi } from './rpc.ts';
import type { ConfigOption } from './rpc-schema.ts';

/** `editqueue` takes its ids as we send them since then (protocols.md §4.5). */
const OLDEST = 18;
const MB_PER_GB = 1024;

/** One step of the test. */
interface Step {
  readonly what: string;
  /** The setting that is likely wrong when the step fails; by the failure, where that tells more. */
  readonly setting?: SettingId | ((code: ErrorCode) => SettingId);
  /** @returns what was found, for the person to read */
  readonly run: (signal: AbortSignal) => Promise<string | undefined>;
}

interface Tested {
  readonly config: DownloadClientConfig;
  readonly api: NzbgetApi;
  readonly files: GuardedFiles;
}

/** As Backend.test: NZBGet itself, what it is set to, then each folder on the spot. */
export async function testConnection(tested: Tested, signal: AbortSignal): Promise<readonly Check[]> {
  signal.throwIfAborted();
  const checks: Check[] = [];
  for (const { what, setting, run } of stepsOf(tested)) {
    try {
      const found = await run(signal);
      checks.push({ what, ...(found !== undefined && { found }) });
    } catch (error) {
      signal.throwIfAborted();
      const failure = asSlipstreamError(error);
      const wrong = typeof setting === 'function' ? setting(failure.code) : setting;
      checks.push({ what, failure, ...(wrong !== undefined && { setting: wrong }) });
      break;
    }
  }
  return checks;
}

function stepsOf({ config, api, files }: Tested): readonly Step[] {
  const rules: Rule[] = [];
  let options: readonly ConfigOption[] = [];
  const folder = (what: string, from: () => string, to: string, setting?: SettingId): Step => ({
    what,
    ...(setting !== undefined && { setting }),
    run: (signal) => {
      const rule = ruleOf(from(), to);
      rules.push(rule);
      return opens(files, rule, signal);
    },
  });
  return [
    {
      what: `The address of ${NAME}`,
      setting: (code) => (code === 'AUTH_FAILED' ? 'nzbget_password' : 'nzbget_url'),
      run: async (signal) => knownVersion(await api.version(signal)),
    },
    {
      what: `The rights of the user in ${NAME}`,
      setting: 'nzbget_username',
      run: async (signal) => {
        options = await api.config(signal);
        return await room(api, signal);
      },
    },
    category('The category for films', 'nzbget_movie_category', config.movieCategory, () => options),
    category('The category for episodes', 'nzbget_tv_category', config.tvCategory, () => options),
    ...mainFolder(config, () => options, folder),
    ...config.mappings.map(({ from, to }) => folder(`The folder for ${from}`, () => from, to)),
    {
      what: `The folders that ${NAME} fills`,
      setting: 'nzbget_server_folder',
      run: () => Promise.resolve(covered(config, options, rules)),
    },
  ];
}

/** What NZBGet calls the folder, then the folder itself: they are two settings. */
function mainFolder(
  { folder: to, serverFolder, mappings }: DownloadClientConfig,
  options: () => readonly ConfigOption[],
  folder: (what: string, from: () => string, to: string, setting: SettingId) => Step,
): Step[] {
  if (to === '' && mappings.length > 0) return [];
  const from = () => (serverFolder === '' ? destDir(options()) : serverFolder);
  return [
    {
      what: `The folder as ${NAME} calls it`,
      setting: 'nzbget_server_folder',
      run: () => {
        // Anything may stand for the other name here.
        ruleOf(from(), '/');
        return Promise.resolve(from());
      },
    },
    to === ''
      ? { what: FOLDER, setting: 'nzbget_folder', run: () => Promise.reject(noFolder()) }
      : folder(FOLDER, from, to, 'nzbget_folder'),
  ];
}

const FOLDER = 'The folder of finished downloads';

function knownVersion(text: string): string {
  const major = /^v?(\d{1,4})\b/.exec(text.trim())?.[1];
  if (major !== undefined && Number(major) < OLDEST)
    throw new SlipstreamError('SERVICE_ERROR', {
      what: `${NAME} ${text} is too old for Slipstream.`,
      next: `Update ${NAME} to version ${OLDEST} or newer.`,
    });
  return `${NAME} ${text}`;
}

async function room(api: NzbgetApi, signal: AbortSignal): Promise<string | undefined> {
  const { FreeDiskSpaceMB: free, DownloadPaused: paused } = await api.status(signal);
  const found = [
    ...(free === undefined ? [] : [`${Math.floor(free / MB_PER_GB)} GB free`]),
    ...(paused ? ['downloads are paused'] : []),
  ];
  return found.length === 0 ? undefined : found.join(', ');
}

/** An unknown category is taken, but gets none of what the person has set up for it. */
function category(
  what: string,
  setting: SettingId,
  wanted: string,
  options: () => readonly ConfigOption[],
): Step {
  return {
    what,
    setting,
    run: () => {
      const known = categoriesOf(options()).map(({ name }) => name);
      const same = known.find((name) => name.toLowerCase() === wanted.toLowerCase());
      if (wanted === '') return Promise.resolve('none');
      return same === undefined ? Promise.reject(noCategory(wanted, known)) : Promise.resolve(same);
    },
  };
}

interface Category {
  readonly name: string;
  /** Empty: a folder of its name in DestDir. */
  readonly folder: string;
}

function categoriesOf(options: readonly ConfigOption[]): readonly Category[] {
  const valueOf = (wanted: string) => options.find(({ name }) => name === wanted)?.value ?? '';
  return options.flatMap(({ name, value }) => {
    const number = /^Category(\d{1,3})\.Name$/.exec(name)?.[1];
    return number === undefined ? [] : [{ name: value, folder: valueOf(`Category${number}.DestDir`) }];
  });
}

function noCategory(wanted: string, known: readonly string[]): SlipstreamError {
  return new SlipstreamError('INVALID_REQUEST', {
    what: `${NAME} has no category "${wanted}".`,
    next:
      known.length === 0
        ? `Add it in ${NAME}, or leave the setting empty.`
        : `It has ${known.join(', ')}: enter one of them, or add yours in ${NAME}.`,
  });
}

/** Reachable, spoken to, and listed through the media centre itself. */
async function opens(files: GuardedFiles, { to }: Rule, signal: AbortSignal): Promise<string> {
  const entries = await files.list(to.path, signal);
  if (entries !== undefined) return `${to.path}, ${entries.length} entries`;
  throw new SlipstreamError('INVALID_REQUEST', {
    what: `Kodi cannot open the folder ${to.path}.`,
    next:
      to.server === undefined
        ? 'Check that it is there, and that Kodi may read it.'
        : 'Check the name of the share and the folder; if it wants a password, add it as a source in Kodi (Settings, File manager) and let Kodi remember it.',
  });
}

/** A category may have a folder of its own, outside of all that is mapped. */
function covered(
  { movieCategory, tvCategory }: DownloadClientConfig,
  options: readonly ConfigOption[],
  rules: readonly Rule[],
): string | undefined {
  const used = [movieCategory, tvCategory].map((name) => name.toLowerCase());
  const own = categoriesOf(options)
    .filter(({ name, folder }) => folder !== '' && used.includes(name.toLowerCase()))
    .map(({ folder }) => folder);
  const needed = [...new Set(own.length === used.length ? own : [destDir(options), ...own])];
  const missing = needed.find((folder) => mapFolder(folder, rules) === undefined);
  if (missing === undefined) return needed.join(', ');
  throw new SlipstreamError('INVALID_REQUEST', {
    what: `${NAME} puts finished downloads into ${missing}, and no folder of Kodi's is named for it.`,
    next: `Enter ${missing} as "The same folder in ${NAME}", or add it to path-mappings.json.`,
  });
}
