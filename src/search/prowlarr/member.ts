import type { Logger } from '../../log/index.ts';
import { callCaps, type Client as NewznabClient } from '../newznab/client.ts';
import type { Dialect } from '../newznab/dialect.ts';
import type { ItemDialect } from '../newznab/feed.ts';
import { newznabAsker } from '../newznab/source.ts';
import type { MemberSource, SearchQuery } from '../source.ts';
import { type Standing, StandingError } from '../standing.ts';
import { managedCategories } from '../wire/caps.ts';
import type { ManagerOptions } from '../wire/options.ts';
import { stableGuid } from '../wire/reading.ts';
import { type Service, serviceBehind } from '../wire/refusal.ts';
import type { Client } from './client.ts';
import type { Indexer } from './indexers.ts';
import { meaningOf } from './standing.ts';

/** Milliseconds for a word of Prowlarr's own, which asks no indexer. */
const LONGEST_LOOK = 3_000;

/** An indexer behind Prowlarr, by the Newznab interface that it has for each (protocols.md §7.3). */
export function prowlarrMember(
  indexer: Indexer,
  client: Client,
  { id, name: managerName, timeout, memberPatience }: ManagerOptions,
  log: Logger,
): MemberSource {
  const { name, caps, place } = indexer;
  const newznab = newznabClient(indexer, client);
  const shown = newznab.service.name;
  const dialect = dialectFor(indexer, client);
  const asked = {
    id,
    name: shown,
    client: newznab,
    timeout,
    caps: () => Promise.resolve(caps),
    dialect,
    log,
  };
  return {
    ...{ id: `${id}/${indexer.id}`, name, manager: { id, name: managerName }, patience: memberPatience },
    ...(place !== undefined && { place }),
    ...newznabAsker(asked),
    look: (signal) => standingOf(newznab, signal),
  };
}

function newznabClient(
  { id, name }: Indexer,
  { service, address, apiKey }: Client,
): NewznabClient & { readonly service: Service } {
  return {
    service: serviceBehind(service, name),
    server: service.who,
    address: { ...address, base: `${address.base}/${id}` },
    ...{ apiKey, keyHeader: 'x-api-key' },
    meaningOf: (refusal) => meaningOf(refusal, { name, prowlarr: service }),
  };
}

/** What it can be asked by asks Prowlarr alone, and is refused as a search would be. */
async function standingOf(client: NewznabClient, signal: AbortSignal): Promise<Standing | undefined> {
  try {
    await callCaps(client, { signal, timeout: LONGEST_LOOK });
    return undefined;
  } catch (error) {
    if (error instanceof StandingError) return error.standing;
    throw error;
  }
}

function dialectFor(indexer: Indexer, { address, service }: Client): Dialect {
  const offers = (category: string) =>
    indexer.categories.length === 0 || indexer.categories.includes(category);
  return {
    // Prowlarr sends it on as "00".
    losesSeasonZero: false,
    // One that has none of them is not asked at all.
    categoriesOf: (query: SearchQuery) => managedCategories(query).filter(offers),
    items: itemDialect(indexer.name, address.base, service.who),
  };
}

const itemDialect = (name: string, base: string, who: string): ItemDialect => ({
  indexerOf: () => name,
  guidOf: ({ texts }) => stableGuid(texts.get('guid') ?? ''),
  linkOf: (link) => throughBase(link, base),
  manager: { software: 'Prowlarr', who },
  zeroIsUnknown: true,
});

/**
 * Download links name the host that Prowlarr believes to be called by, which behind a proxy may be one that nobody else
 * can reach. The address at which it has just answered is known to work.
 */
function throughBase(link: URL, base: string): URL {
  const path = /\/\d+\/download$/.exec(link.pathname)?.[0];
  return path === undefined ? link : new URL(`${base}${path}${link.search}`);
}
