import * as v from 'valibot';
import { phraseOf } from '../../../io/external-text.ts';
import type { Logger } from '../../../log/index.ts';
import { boundedList } from '../common/bounded-list.ts';
import type { ProwlarrClient, Resource } from './client.ts';

/** What Prowlarr itself finds fault with; of its indexers: those that fail, and accounts that have expired. */
const RESOURCE: Resource<readonly { readonly source: string; readonly message: string }[]> = {
  path: '/health',
  schema: boundedList(v.object({ source: v.string(), message: v.string() }), 100),
};

/** That they rest is asked of each. */
const INDEXER_STATUS = /^Indexer(?:LongTerm)?StatusCheck$/;

/** Told at the most. */
const MAX_MESSAGES = 3;
/** Milliseconds. */
const TIMEOUT = 3_000;

/** In its words, what it says of its indexers; nothing where it cannot be had. */
export async function fetchHealthMessages(
  client: ProwlarrClient,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<readonly string[]> {
  try {
    const found = await client.get(RESOURCE, { signal, timeout: TIMEOUT });
    return found
      .filter(({ source }) => source.startsWith('Indexer') && !INDEXER_STATUS.test(source))
      .map(({ message }) => phraseOf(message, 120))
      .slice(0, MAX_MESSAGES);
  } catch (error) {
    signal.throwIfAborted();
    log.info(`${client.service.who}: what it finds fault with is not known: ${String(error)}`);
    return [];
  }
}
