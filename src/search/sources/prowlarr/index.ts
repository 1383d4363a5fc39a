import type { Logger } from '../../../log/index.ts';
import type { ManagerOptions } from '../common/options.ts';
import type { SourceManager, TestableSource } from '../source.ts';
import { prowlarrClient } from './client.ts';
import { fetchProwlarrIndexers } from './indexers.ts';
import { prowlarrMember } from './member.ts';
import { testConnection } from './test-connection.ts';

/** Milliseconds for what asks no indexer: 20 to 80 usually. */
const LIST_TIMEOUT = 10_000;

/**
 * Prowlarr (protocols.md §7). It would wait for the slowest of its indexers and drop those that fail without a word, so
 * each of them is asked by itself.
 *
 * @throws INVALID_REQUEST when the address is no web address
 */
export function prowlarrSource(options: ManagerOptions, log: Logger): SourceManager & TestableSource {
  const { id, name } = options;
  const client = prowlarrClient(options);
  const members = async (signal: AbortSignal) => {
    const indexers = await fetchProwlarrIndexers(client, { signal, timeout: LIST_TIMEOUT });
    return indexers.map((indexer) => prowlarrMember(indexer, client, options, log));
  };
  return { id, name, members, test: (signal) => testConnection({ client, members, log }, signal) };
}
