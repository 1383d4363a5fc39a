import * as v from 'valibot';
import type { Logger } from '../../log/index.ts';
import { listOf } from '../wire/list-of.ts';
import { oneLine } from '../wire/refusal.ts';
import type { Client, Resource } from './client.ts';

/** What Prowlarr itself finds fault with; of its indexers: those that fail, and accounts that have expired. */
const RESOURCE: Resource<readonly { readonly source: string; readonly message: string }[]> = {
  path: '/health',
  schema: listOf(v.object({ source: v.string(), message: v.string() }), 100),
};

/** That they rest is asked of each. */
const STATUS = /^Indexer(?:LongTerm)?StatusCheck$/;

/** Told at the most. */
const MAX_COMPLAINTS = 3;
/** Milliseconds. */
const LONGEST_WAIT = 3_000;

/** In its words, what it says of its indexers; nothing where it cannot be had. */
export async function complaintsOf(
  client: Client,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<readonly string[]> {
  try {
    const found = await client.get(RESOURCE, { signal, timeout: LONGEST_WAIT });
    return found
      .filter(({ source }) => source.startsWith('Indexer') && !STATUS.test(source))
      .map(({ message }) => oneLine(message, 120))
      .slice(0, MAX_COMPLAINTS);
  } catch (error) {
    signal.throwIfAborted();
    log.info(`${client.service.who}: what it finds fault with is not known: ${String(error)}`);
    return [];
  }
}
