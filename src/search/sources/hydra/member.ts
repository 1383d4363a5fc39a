import type { Logger } from '../../../log/index.ts';
import { placed } from '../common/address.ts';
import type { Caps } from '../common/caps.ts';
import type { ManagerOptions } from '../common/options.ts';
import { memberLabels } from '../common/refusal.ts';
import type { NewznabClient } from '../newznab/client.ts';
import type { NewznabDialect } from '../newznab/dialect.ts';
import { newznabSearch } from '../newznab/newznab-search.ts';
import type { MemberSource, SearchAnswer, SearchQuery, SearchSource } from '../source.ts';
import type { HydraIndexer } from './indexers.ts';
import { unavailabilityOf } from './unavailability.ts';

/** What the indexers behind one NZBHydra2 have in common. */
export interface HydraContext {
  readonly options: ManagerOptions;
  readonly client: NewznabClient;
  readonly caps: (signal: AbortSignal) => Promise<Caps>;
  readonly dialect: NewznabDialect;
  /** The indexers as they are now; undefined: they cannot be had. */
  readonly fetchIndexers: (signal: AbortSignal) => Promise<readonly HydraIndexer[] | undefined>;
  readonly log: Logger;
}

/**
 * An indexer behind NZBHydra2, asked by its name.
 *
 * @param number another one for each of those that are asked side by side
 * @param host of its address, where it is known
 */
export function hydraMember(
  hydra: HydraContext,
  indexer: HydraIndexer,
  number: number,
  host: string | undefined,
): MemberSource {
  const { options, client, fetchIndexers: list } = hydra;
  const { id, name: managerName, memberTimeout: memberPatience } = options;
  const { name } = indexer;
  const standing = unavailabilityOf(indexer, client.service);
  const now = async (signal: AbortSignal) => (await list(signal))?.find((each) => each.name === name);
  return {
    id: `${id}/${name}`,
    name,
    manager: { id, name: managerName },
    timeout: memberPatience,
    ...(standing !== undefined && { unavailability: standing }),
    ...(host !== undefined && placed(`http://${host}`)),
    ...memberSearch(hydra, indexer, number, now),
    checkAvailability: async (signal) => {
      const current = await now(signal);
      return current === undefined ? undefined : unavailabilityOf(current, client.service);
    },
  };
}

type FetchIndexer = (signal: AbortSignal) => Promise<HydraIndexer | undefined>;

function memberSearch(
  { options, client, caps, dialect, log }: HydraContext,
  indexer: HydraIndexer,
  number: number,
  fetchIndexer: FetchIndexer,
): Pick<SearchSource, 'capabilities' | 'ask'> {
  const memberClient = memberClientOf(client, indexer.name, number);
  const common = {
    id: options.id,
    name: memberClient.service.name,
    client: memberClient,
    timeout: options.timeout,
    caps,
    log,
  };
  const inCategory = newznabSearch({ ...common, dialect });
  const inAnyCategory = newznabSearch({ ...common, dialect: { ...dialect, categoriesOf: () => [] } });
  /** Its hits before the next query, where they are known. */
  let hits = indexer.hits;
  const askCounting = async (ask: SearchSource['ask'], query: SearchQuery, signal: AbortSignal) => {
    const before = hits ?? (await fetchIndexer(signal))?.hits;
    hits = undefined;
    const answer = await ask(query, signal);
    if (answer === 'unsupported' || answer.postings.length > 0) return answer;
    hits = (await fetchIndexer(signal))?.hits;
    // Of one that knows none of the ids, or is not on for the category, NZBHydra2 says nothing but an empty list.
    return before === undefined || hits === undefined || hits > before ? answer : 'unasked';
  };
  return {
    capabilities: inCategory.capabilities,
    ask: async (query, signal): Promise<SearchAnswer | 'unsupported'> => {
      const answer = await askCounting(inCategory.ask, query, signal);
      if (answer !== 'unasked') return answer;
      const again = query.id === undefined ? await askCounting(inAnyCategory.ask, query, signal) : answer;
      return again === 'unasked' ? 'unsupported' : again;
    },
  };
}

/** Days. No post is as old. */
const FIRST_MAX_AGE = 20_000;

/**
 * By parameter, or by the path where the name has a comma. NZBHydra2 takes further pages of two indexers for the same
 * unless something else parts the queries: the age does, which no post has (protocols.md §6.1).
 */
function memberClientOf(
  client: NewznabClient,
  name: string,
  number: number,
): NewznabClient & Required<Pick<NewznabClient, 'fixedParameters'>> {
  const isByPath = name.includes(',');
  return {
    ...client,
    service: memberLabels(client.service, name),
    server: client.service.who,
    fixedParameters: { maxage: String(FIRST_MAX_AGE + number), ...(!isByPath && { indexers: name }) },
    ...(isByPath && { path: `/api/${encodeURIComponent(name)}` }),
  };
}

/** Neither way takes a name with a comma and a slash. */
export const isAddressable = ({ name }: HydraIndexer): boolean => !(name.includes(',') && name.includes('/'));
