import { unlessAborted } from '../../io/wait.ts';
import type { MediaRequest, Posting } from '../../model/index.ts';
import { planQueries } from '../queries/index.ts';
import { isManager, type SearchAnswer, type SearchSource, type SourceManager } from '../sources/source.ts';
import { queueOf } from './source-queue.ts';

/**
 * What a source lists now for a request that it was asked before: addresses that play die with its restart, or after a
 * time, and the same post has another one in a new list. It is asked as a search would ask it first, once, whether it
 * rests or not, and nothing is kept. A manager of indexers lists nothing that plays, and is not asked.
 *
 * @throws as SearchSource.ask; what it says instead of a list, where it lists nothing
 */
export async function listAgain(
  source: SearchSource | SourceManager,
  request: MediaRequest,
  signal: AbortSignal,
): Promise<readonly Posting[]> {
  if (isManager(source)) return [];
  return await queueOf(source.id).run(signal, () => unlessAborted(list(source, request, signal), signal));
}

async function list(
  source: SearchSource,
  request: MediaRequest,
  signal: AbortSignal,
): Promise<readonly Posting[]> {
  const plan = planQueries(request, await source.capabilities(signal));
  for (const query of plan.flatMap(({ alternatives }) => alternatives)) {
    const answer = await source.ask(query, signal);
    if (answer !== 'unsupported' && !answer.ignoredId) return postingsOf(answer);
  }
  return [];
}

function postingsOf({ postings, failures, failure }: SearchAnswer): readonly Posting[] {
  const said = failure ?? failures[0];
  if (postings.length === 0 && said !== undefined) throw said;
  return postings;
}
