import { join } from 'node:path';
import * as v from 'valibot';
import { hexHash } from '../../io/hash.ts';
import { openDocument, pruneDocuments } from '../../io/store.ts';
import type { Logger } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import { Metadata } from './metadata.ts';

/** What services said of a film or an episode, kept for days. No key is in it. */
export interface MetadataCache {
  /** What is remembered, or else what is then found out. @throws what `findOut` throws */
  getOrFetch(
    service: string,
    request: MediaRequest,
    findOut: () => Promise<Metadata | undefined>,
  ): Promise<Metadata | undefined>;
}

/** Milliseconds. Titles and numbers of what has just been shown still change. */
const MAX_AGE = 5 * 24 * 3_600_000;
const BOUNDS = { files: 300, bytes: 4 * 1024 * 1024, age: MAX_AGE };

const StoredMetadata = v.object({
  /** Milliseconds since the epoch. */
  learned: v.number(),
  facts: Metadata,
});

export function openMetadataCache({ folder, log }: { folder: string; log: Logger }): MetadataCache {
  const place = join(folder, 'known');
  return {
    getOrFetch: async (service, request, findOut) => {
      const document = openDocument(place, documentName(service, request), {
        version: 1,
        parse: (value) => v.parse(StoredMetadata, value),
      });
      const stored = await document.read();
      const age = Date.now() - (stored?.learned ?? -Infinity);
      if (stored !== undefined && age >= 0 && age < MAX_AGE) return stored.facts;
      const facts = await findOut();
      if (facts === undefined) return undefined;
      try {
        await document.write({ learned: Date.now(), facts });
        await pruneDocuments(place, BOUNDS);
      } catch (error) {
        log.warning(`what is known of a title is not remembered: ${String(error)}`);
      }
      return facts;
    },
  };
}

function documentName(service: string, { kind, ids, episode }: MediaRequest): string {
  const { imdb, tmdb, tvdb } = ids;
  const asked = JSON.stringify([kind, imdb, tmdb, tvdb, episode?.season, episode?.episode]);
  return `${service}-${hexHash(asked, 24)}`;
}
