import { runCheckSteps } from '../diagnosis/index.ts';
import { asSlipstreamError, SlipstreamError } from '../errors/index.ts';
import { hexHash } from '../io/hash.ts';
import { loginOf, takeLogin } from '../io/login.ts';
import type { Logger } from '../log/index.ts';
import type { ConfiguredSource, SourceSecrets } from '../search/index.ts';
import type { ManagerOptions } from '../search/sources/common/options.ts';
import { hydraSource } from '../search/sources/hydra/index.ts';
import { newznabSource } from '../search/sources/newznab/index.ts';
import { prowlarrSource } from '../search/sources/prowlarr/index.ts';
import { secretsOfAddon, stremioSource } from '../search/sources/stremio/index.ts';
import { readSourceList, type SettingId, type Settings, type SourceEntry } from '../settings/index.ts';
import { hasNzbBackend } from './backends.ts';

/** Who is searched, and what of it must not be written down. */
export interface SearchSources {
  readonly sources: readonly ConfiguredSource[];
  readonly secrets: SourceSecrets;
  /** Milliseconds for sources that need longer than others, by their id. */
  readonly timeouts: Readonly<Record<string, number>>;
}

/** What waits for the slowest of its indexers (protocols.md §6.3). */
const MANAGER_TIMEOUT = 45_000;

/**
 * The sources of the settings, then those of the person's list. One that cannot be asked, for its address is none or
 * its entry makes no sense, is there as well: it fails in its turn, and says so.
 *
 * @throws NOT_CONFIGURED when there is none
 */
export async function searchSources(
  settings: Settings,
  dataFolder: string,
  log: Logger,
): Promise<SearchSources> {
  const list = await readSourceList(dataFolder, log);
  const listed = list.entries.map((entry) => ({ ...entry, setUpIn: LIST }));
  const entries = [...entriesOf(settings), ...listed].filter(({ enabled, url }) => enabled && url !== '');
  if (entries.length + list.problems.length === 0) throw noSourceError();
  const taken = new Map<string, number>();
  const sources: ConfiguredSource[] = [];
  const secrets: Record<string, readonly string[]> = {};
  const patience: Record<string, number> = {};
  for (const entry of entries) {
    const id = idOf(entry, taken);
    const ways = timeoutsFor(entry, settings);
    sources.push(openSource(entry, { id, ...ways, cacheFolder: dataFolder }, log));
    secrets[id] = entry.kind === 'stremio' ? secretsOfAddon(entry.url) : secretsOf(entry);
    patience[id] = ways.timeout;
  }
  sources.push(...list.problems.map((problem, index) => unusableEntry(problem, `list-${index + 1}`)));
  return { sources, secrets, timeouts: patience };
}

/** How a source is asked, as the settings have it. */
type SourceTimeouts = Pick<ManagerOptions, 'timeout' | 'memberTimeout'> & { readonly takesNzbs: boolean };

function timeoutsFor({ kind }: SourceEntry, settings: Settings): SourceTimeouts {
  const own = settings.search_timeout * 1000;
  const timeout = kind === 'newznab' ? own : Math.max(own, MANAGER_TIMEOUT);
  return { timeout, memberTimeout: own, takesNzbs: hasNzbBackend(settings) };
}

/** The source of the settings of that kind, to be tested. */
export function sourceOfSettings(
  kind: SourceEntry['kind'],
  settings: Settings,
  dataFolder: string,
  log: Logger,
): ConfiguredSource {
  const [entry] = entriesOf(settings).filter((each) => each.kind === kind);
  if (entry === undefined) throw new TypeError(`no source of the kind ${kind} in the settings`);
  return sourceAlone(entry, settings, dataFolder, log);
}

/** A source of the person's list, to be tested. */
export const sourceOfEntry = (
  entry: SourceEntry,
  settings: Settings,
  dataFolder: string,
  log: Logger,
): ConfiguredSource => sourceAlone({ ...entry, setUpIn: LIST }, settings, dataFolder, log);

function sourceAlone(
  entry: EnteredSource,
  settings: Settings,
  cacheFolder: string,
  log: Logger,
): ConfiguredSource {
  return openSource(entry, { id: idOf(entry, new Map()), ...timeoutsFor(entry, settings), cacheFolder }, log);
}

/** What a person opens of it; the file they need only where the dialog can make nothing of it. */
const LIST = 'the list of indexers in Slipstream';
const FILE = 'sources.json in the data folder of Slipstream';

/** What of the list cannot be asked. */
function unusableEntry(problem: string, id: string): ConfiguredSource {
  const next = `Mend it in ${FILE}.`;
  return failingSource(id, 'sources.json', new SlipstreamError('NOT_CONFIGURED', { what: problem, next }));
}

function failingSource(
  id: string,
  name: string,
  error: SlipstreamError,
  setting?: SettingId,
): ConfiguredSource {
  const fail = () => Promise.reject(error);
  const step = {
    what: () => name,
    run: fail,
    explain: (failure: SlipstreamError) => ({ failure, ...(setting !== undefined && { setting }) }),
  };
  return { id, name, capabilities: fail, ask: fail, test: (signal) => runCheckSteps([step], signal) };
}

/** Where each kind's address stands. */
const ADDRESS = {
  newznab: 'indexer_url',
  hydra: 'hydra_url',
  prowlarr: 'prowlarr_url',
  stremio: 'stremio_url',
} as const satisfies Record<SourceEntry['kind'], SettingId>;

/** A source as the person has entered it; without `setUpIn`, in the settings. */
type EnteredSource = SourceEntry & { readonly setUpIn?: string };

function entriesOf(settings: Settings): EnteredSource[] {
  return [
    {
      kind: 'hydra',
      name: 'NZBHydra2',
      url: settings.hydra_url,
      apiKey: settings.hydra_api_key,
      enabled: true,
    },
    {
      kind: 'prowlarr',
      name: 'Prowlarr',
      url: settings.prowlarr_url,
      apiKey: settings.prowlarr_api_key,
      enabled: true,
    },
    {
      kind: 'newznab',
      name: settings.indexer_name,
      url: settings.indexer_url,
      apiKey: settings.indexer_api_key,
      enabled: true,
    },
    {
      kind: 'stremio',
      name: 'Stremio add-on',
      url: settings.stremio_url,
      apiKey: '',
      enabled: true,
    },
  ];
}

const KINDS = {
  newznab: newznabSource,
  hydra: hydraSource,
  prowlarr: prowlarrSource,
  stremio: stremioSource,
};

type SourceContext = Pick<ManagerOptions, 'id' | 'cacheFolder'> & SourceTimeouts;

function openSource(
  { kind, enabled: _, ...entered }: EnteredSource,
  place: SourceContext,
  log: Logger,
): ConfiguredSource {
  try {
    return KINDS[kind]({ ...entered, ...place }, log);
  } catch (error) {
    return failingSource(place.id, entered.name, asSlipstreamError(error), ADDRESS[kind]);
  }
}

/** Of its kind and address, without what is secret in it; the same address twice is two sources. */
function idOf({ kind, url }: SourceEntry, taken: Map<string, number>): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const place = parsed === undefined ? '' : parsed.host + parsed.pathname.replace(/\/+$/, '');
  const id = `${kind}-${hexHash(place, 16)}`;
  const before = taken.get(id) ?? 0;
  taken.set(id, before + 1);
  return before === 0 ? id : `${id}-${before + 1}`;
}

/** The key as entered, and whatever the address holds beside its place. */
function secretsOf({ url, apiKey }: SourceEntry): string[] {
  const own = apiKey.trim();
  if (!URL.canParse(url)) return own === '' ? [] : [own];
  const parsed = new URL(url);
  const { username, password, searchParams } = parsed;
  const meant = loginOf(parsed);
  const header = takeLogin(parsed) ?? '';
  const values = [own, username, password, ...meant, header, ...searchParams.values()];
  return [...new Set(values.filter((value) => value !== ''))];
}

function noSourceError(): SlipstreamError {
  return new SlipstreamError('NOT_CONFIGURED', {
    what: 'No indexer is set up yet.',
    next: 'Open the settings of Slipstream (Connection) and enter the address and the API key of an indexer, NZBHydra2 or Prowlarr.',
  });
}
