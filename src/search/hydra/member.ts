import type { Logger } from '../../log/index.ts';
import type { Client } from '../newznab/client.ts';
import type { Dialect } from '../newznab/dialect.ts';
import { newznabAsker } from '../newznab/source.ts';
import type { Answer, MemberSource, SearchQuery, SearchSource } from '../source.ts';
import { placed } from '../wire/address.ts';
import type { Caps } from '../wire/caps.ts';
import type { ManagerOptions } from '../wire/options.ts';
import { serviceBehind } from '../wire/refusal.ts';
import type { Indexer } from './indexers.ts';
import { standingOf } from './standing.ts';

/** What the indexers behind one NZBHydra2 have in common. */
export interface Hydra {
  readonly options: ManagerOptions;
  readonly client: Client;
  readonly caps: (signal: AbortSignal) => Promise<Caps>;
  readonly dialect: Dialect;
  /** The indexers as they are now; undefined: they cannot be had. */
  readonly list: (signal: AbortSignal) => Promise<readonly Indexer[] | undefined>;
  readonly log: Logger;
}

/**
 * An indexer behind NZBHydra2, asked by its name.
 *
 * @param number another one for each of those that are asked side by side
 * @param host of its address, where it is known
 */
export function hydraMember(
  hydra: Hydra,
  indexer: Indexer,
  number: number,
  host: string | undefined,
): MemberSource {
  const { options, client, list } = hydra;
  const { id, name: managerName, memberPatience } = options;
  const { name } = indexer;
  const standing = standingOf(indexer, client.service);
  const now = async (signal: AbortSignal) => (await list(signal))?.find((each) => each.name === name);
  return {
    ...{ id: `${id}/${name}`, name, manager: { id, name: managerName }, patience: memberPatience },
    ...(standing !== undefined && { standing }),
    ...(host !== undefined && placed(`http://${host}`)),
    ...asker(hydra, indexer, number, now),
    look: async (signal) => {
      const current = await now(signal);
      return current === undefined ? undefined : standingOf(current, client.service);
    },
  };
}

type Now = (signal: AbortSignal) => Promise<Indexer | undefined>;

function asker(
  { options, client, caps, dialect, log }: Hydra,
  indexer: Indexer,
  number: number,
  now: Now,
): Pick<SearchSource, 'abilities' | 'ask'> {
  const named = clientFor(client, indexer.name, number);
  const common = {
    id: options.id,
    name: named.service.name,
    client: named,
    timeout: options.timeout,
    caps,
    log,
  };
  const usual = newznabAsker({ ...common, dialect });
  const anywhere = newznabAsker({ ...common, dialect: { ...dialect, categoriesOf: () => [] } });
  /** Its hits before the next query, where they are known. */
  let hits = indexer.hits;
  const askCounting = async (ask: SearchSource['ask'], query: SearchQuery, signal: AbortSignal) => {
    const before = hits ?? (await now(signal))?.hits;
    hits = undefined;
    const answer = await ask(query, signal);
    if (answer === 'unsupported' || answer.postings.length > 0) return answer;
    hits = (await now(signal))?.hits;
    // Of one that knows none of the ids, or is not on for the category, NZBHydra2 says nothing but an empty list.
    return before === undefined || hits === undefined || hits > before ? answer : 'unasked';
  };
  return {
    abilities: usual.abilities,
    ask: async (query, signal): Promise<Answer | 'unsupported'> => {
      const answer = await askCounting(usual.ask, query, signal);
      if (answer !== 'unasked') return answer;
      const again = query.id === undefined ? await askCounting(anywhere.ask, query, signal) : answer;
      return again === 'unasked' ? 'unsupported' : again;
    },
  };
}

/** Days. No post is as old. */
const FIRST_AGE = 20_000;

/**
 * By parameter, or by the path where the name has a comma. NZBHydra2 takes further pages of two indexers for the same
 * unless something else parts the queries: the age does, which no post has (protocols.md §6.1).
 */
function clientFor(client: Client, name: string, number: number): Client & Required<Pick<Client, 'scope'>> {
  const isByPath = name.includes(',');
  return {
    ...client,
    service: serviceBehind(client.service, name),
    server: client.service.who,
    scope: { maxage: String(FIRST_AGE + number), ...(!isByPath && { indexers: name }) },
    ...(isByPath && { path: `/api/${encodeURIComponent(name)}` }),
  };
}

/** Neither way takes a name with a comma and a slash. */
export const isAskable = ({ name }: Indexer): boolean => !(name.includes(',') && name.includes('/'));
