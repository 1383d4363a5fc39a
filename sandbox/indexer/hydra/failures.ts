import { STATUS_CODES } from 'node:http';
import type { QueryOutcome } from '../member-indexer.ts';
import type { HydraIndexer } from './indexer.ts';

type Failure = Extract<QueryOutcome, { kind: 'failed' }>['by'];

/** What a failed query means for its indexer (protocols.md §6.4). @param rests milliseconds */
export function recordFailure(indexer: HydraIndexer, by: Failure, rests: readonly number[]): void {
  const why = reasonOf(by);
  if (why === undefined) return;
  if (why.refused) indexer.refuse(why.error);
  else indexer.disable(rests, `Error while communicating with indexer ${indexer.name}. ${why.error}`);
}

/** Undefined: it is not held against the indexer. */
function reasonOf(by: Failure): { readonly refused: boolean; readonly error: string } | undefined {
  if (by === 'malformed-xml' || by === 'page' || by === 'xml-page') return undefined;
  if (typeof by === 'string') return { refused: false, error: REASONS[by] };
  if ('status' in by) {
    const name = STATUS_CODES[by.status] ?? '';
    return { refused: false, error: `Server returned: ${name}. ${name}. Code: ${by.status}` };
  }
  const told = `Error code: ${by.code}. Description: ${by.description}`;
  if (by.code >= 200 && by.code < 300) return undefined;
  if (by.code > 102) return { refused: false, error: told };
  return { refused: true, error: `Indexer refused authentication. ${told}` };
}

const REASONS = {
  dead: 'The indexer did not answer in time',
  resets: 'Connection reset',
  'bare-item': 'An item has neither guid nor enclosure',
} as const;
