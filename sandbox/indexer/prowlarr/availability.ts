import type { Answer } from '../../http/types.ts';
import { Exception, newznabError } from './answers.ts';
import type { ProwlarrIndexer } from './indexer.ts';
import type { RequestKind } from './limits.ts';
import type { Prowlarr } from './prowlarr.ts';

/** @throws Exception when there is none of this id */
export function indexerOf(id: number, { indexers }: Prowlarr): ProwlarrIndexer {
  const found = indexers.find((each) => each.id === id);
  if (found !== undefined) return found;
  throw new Exception(
    404,
    'Datastore.ModelNotFoundException',
    `IndexerDefinition with ID ${id} does not exist`,
  );
}

/**
 * Why one indexer is not asked, as its Newznab interface and its downloads say it; undefined: it is asked
 * (protocols.md §7.3, §7.4).
 */
export function unavailableAnswer(
  indexer: ProwlarrIndexer,
  what: RequestKind,
  prowlarr: Prowlarr,
): Answer | undefined {
  if (!indexer.enable) return newznabError(410, 410, 'Indexer is disabled');
  const resting = cooldownAnswer(indexer, prowlarr);
  if (resting !== undefined) return resting;
  const used = prowlarr.limits.usedUp(what, indexer);
  return used && newznabError(429, 429, used.description, used.seconds);
}

/** undefined: it does not rest. */
export function cooldownAnswer(
  { id }: ProwlarrIndexer,
  { cooldowns: rests, now }: Prowlarr,
): Answer | undefined {
  const rest = rests.of(id);
  if (rest === undefined) return undefined;
  const till = `Indexer is disabled till ${invariantDate(rest.until)} due to recent failures.`;
  return newznabError(429, 429, till, Math.ceil((rest.until - now()) / 1000));
}

/** "11/22/2026 15:46:35", in UTC. */
function invariantDate(at: number): string {
  const [year, month, day, time] = new Date(at).toISOString().split(/[-T.]/);
  return `${month}/${day}/${year} ${time}`;
}
