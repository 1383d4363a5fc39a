import type { Logger } from '../../../log/index.ts';
import { managedCategories } from '../common/caps.ts';
import { stableGuid } from '../common/fields.ts';
import type { ManagerOptions } from '../common/options.ts';
import { memberLabels, type ServiceLabels } from '../common/refusal.ts';
import { callCaps, type NewznabClient } from '../newznab/client.ts';
import type { NewznabDialect } from '../newznab/dialect.ts';
import type { ItemDialect } from '../newznab/feed-postings.ts';
import { newznabSearch } from '../newznab/newznab-search.ts';
import type { MemberSource, SearchQuery } from '../source.ts';
import { SourceUnavailableError, type Unavailability } from '../unavailability.ts';
import type { ProwlarrClient } from './client.ts';
import type { ProwlarrIndexer } from './indexers.ts';
import { interpretRefusal } from './unavailability.ts';

/** Milliseconds for a word of Prowlarr's own, which asks no indexer. */
const AVAILABILITY_TIMEOUT = 3_000;

/** An indexer behind Prowlarr, by the Newznab interface that it has for each (protocols.md §7.3). */
export function prowlarrMember(
  indexer: ProwlarrIndexer,
  client: ProwlarrClient,
  { id, name: managerName, timeout, memberTimeout: memberPatience }: ManagerOptions,
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
    id: `${id}/${indexer.id}`,
    name,
    manager: { id, name: managerName },
    timeout: memberPatience,
    ...(place !== undefined && { place }),
    ...newznabSearch(asked),
    checkAvailability: (signal) => unavailabilityOf(newznab, signal),
  };
}

function newznabClient(
  { id, name }: ProwlarrIndexer,
  { service, address, apiKey }: ProwlarrClient,
): NewznabClient & { readonly service: ServiceLabels } {
  return {
    service: memberLabels(service, name),
    server: service.who,
    address: { ...address, base: `${address.base}/${id}` },
    apiKey,
    keyHeader: 'x-api-key',
    interpretRefusal: (refusal) => interpretRefusal(refusal, { name, prowlarr: service }),
  };
}

/** What it can be asked by asks Prowlarr alone, and is refused as a search would be. */
async function unavailabilityOf(
  client: NewznabClient,
  signal: AbortSignal,
): Promise<Unavailability | undefined> {
  try {
    await callCaps(client, { signal, timeout: AVAILABILITY_TIMEOUT });
    return undefined;
  } catch (error) {
    if (error instanceof SourceUnavailableError) return error.unavailability;
    throw error;
  }
}

function dialectFor(indexer: ProwlarrIndexer, { address, service }: ProwlarrClient): NewznabDialect {
  const offers = (category: string) =>
    indexer.categories.length === 0 || indexer.categories.includes(category);
  return {
    // Prowlarr sends it on as "00".
    ignoresSeasonZero: false,
    // One that has none of them is not asked at all.
    categoriesOf: (query: SearchQuery) => managedCategories(query).filter(offers),
    items: itemDialect(indexer.name, address.base, service.who),
  };
}

const itemDialect = (name: string, base: string, who: string): ItemDialect => ({
  indexerOf: () => name,
  guidOf: ({ texts }) => stableGuid(texts.get('guid') ?? ''),
  linkOf: (link) => rebaseLink(link, base),
  manager: { software: 'Prowlarr', who },
  zeroIsUnknown: true,
});

/**
 * Download links name the host that Prowlarr believes to be called by, which behind a proxy may be one that nobody else
 * can reach. The address at which it has just answered is known to work.
 */
function rebaseLink(link: URL, base: string): URL {
  const path = /\/\d+\/download$/.exec(link.pathname)?.[0];
  return path === undefined ? link : new URL(`${base}${path}${link.search}`);
}
