import * as v from 'valibot';
import { hexHash } from '../../../io/hash.ts';
import { openDocument } from '../../../io/store.ts';
import type { Logger } from '../../../log/index.ts';
import type { FeedItem } from '../newznab/feed-document.ts';

/** Hosts of the indexers behind NZBHydra2: only the rows that it lists tell them. */
export interface IndexerHosts {
  /** By the indexer's name. */
  all(): Promise<ReadonlyMap<string, string>>;
  update(rows: readonly FeedItem[]): Promise<void>;
}

const text = v.pipe(v.string(), v.maxLength(300));
const Stored = v.pipe(v.array(v.tuple([text, text])), v.maxLength(200));

export function persistedHosts(folder: string, base: string, log: Logger): IndexerHosts {
  const document = openDocument(folder, `hydra-hosts-${hexHash(base, 16)}`, {
    version: 1,
    parse: (value) => v.parse(Stored, value),
  });
  let hosts: Map<string, string> | undefined;
  const known = async () => (hosts ??= new Map(await document.read()));
  return {
    all: known,
    update: async (rows) => {
      const before = await known();
      const told = rows.flatMap(({ attributes }) => {
        const name = attributes.get('hydraindexername') ?? '';
        const host = attributes.get('hydraindexerhost') ?? '';
        return name === '' || host === '' || before.get(name) === host ? [] : [[name, host] as const];
      });
      if (told.length === 0) return;
      for (const [name, host] of told) before.set(name, host);
      await document.write([...before]).catch((error: unknown) => {
        log.warning(`the hosts behind NZBHydra2 are not remembered: ${String(error)}`);
      });
    },
  };
}
