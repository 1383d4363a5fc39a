import { join } from 'node:path';
import * as v from 'valibot';
import { openDocument, pruneDocuments, type StoredDocument } from '../io/store.ts';
import type { Logger } from '../log/index.ts';
import {
  type Candidate,
  type MediaRequest,
  RELEASE_SOURCES,
  RESOLUTIONS,
  type Release,
} from '../model/index.ts';
import { type PersistedPack, packKey } from './pack-store.ts';
import { hashOf, textSchema } from './schemas.ts';
import { workName, workOf } from './work.ts';

/** Which release of each show was played last, so that its next episode can be chosen alike without asking. */
export interface LastPlayed {
  find(request: MediaRequest): Promise<PlayedRelease | undefined>;
  /**
   * An episode of it plays. Never fails: what cannot be kept is not, and the log tells.
   * @param pack Key of the remembered pack that it is from.
   */
  record(request: MediaRequest, release: Release, pack?: string): Promise<void>;
}

const PlayedRelease = v.object({
  name: textSchema,
  group: v.exactOptional(textSchema),
  resolution: v.exactOptional(v.picklist(RESOLUTIONS)),
  source: v.exactOptional(v.picklist(RELEASE_SOURCES)),
  remux: v.boolean(),
  /** PersistedPack.key */
  pack: v.exactOptional(textSchema),
});
export type PlayedRelease = v.InferOutput<typeof PlayedRelease>;

/** Those that were not played for longest go first. */
const MAX_SHOWS = 300;

export function openLastPlayed({ folder, log }: { folder: string; log: Logger }): LastPlayed {
  const place = join(folder, 'last-played');
  const open = (request: MediaRequest): StoredDocument<PlayedRelease> =>
    openDocument(place, hashOf(workName(workOf(request))), {
      version: 1,
      parse: (value) => v.parse(PlayedRelease, value),
      newer: 'keep',
    });
  return {
    find: async (request) => (request.kind === 'episode' ? open(request).read() : undefined),
    record: async (request, release, pack) => {
      if (request.kind !== 'episode') return;
      try {
        await open(request).write(v.parse(PlayedRelease, storedOf(release, pack ?? packKey(release))));
        await pruneDocuments(place, { files: MAX_SHOWS });
      } catch (error) {
        log.warning(`what was played last is not remembered: ${String(error)}`);
      }
    },
  };
}

function storedOf({ name, quality }: Release, pack: string | undefined): PlayedRelease {
  const { group, resolution, source, remux } = quality;
  return {
    name,
    ...(group !== undefined && { group }),
    ...(resolution !== undefined && { resolution }),
    ...(source !== undefined && { source }),
    remux,
    ...(pack !== undefined && { pack }),
  };
}

/**
 * The release for an episode that starts by itself, from a playlist or as the next one: the same pack, else the best of
 * the same group and quality, else the best. The same pack is taken also when the filters reject it, as the person has
 * chosen it; nothing else that they reject is.
 * @param candidates In their ranking's order, with the rows of remembered packs (packAsRelease) among them.
 * @param packs Those that hold the episode (PackStore.find); another row that claims to be the pack is none.
 */
export function preferredCandidate(
  candidates: readonly Candidate[],
  last: PlayedRelease | undefined,
  packs: readonly Pick<PersistedPack, 'key'>[],
): Candidate | undefined {
  const pack = packs.find(({ key }) => key === last?.pack)?.key;
  const passed = candidates.filter(({ rejections }) => rejections.length === 0);
  return (
    (pack === undefined ? undefined : candidates.find(({ release }) => packKey(release) === pack)) ??
    (last === undefined ? undefined : passed.find(({ release }) => isSimilarRelease(release, last))) ??
    passed[0]
  );
}

/** Of one group and one quality: the same picture and sound as in the episode before. */
export function isSimilarRelease({ quality }: Release, last: PlayedRelease): boolean {
  return (
    quality.group !== undefined &&
    quality.group.toLowerCase() === last.group?.toLowerCase() &&
    quality.resolution === last.resolution &&
    quality.source === last.source &&
    quality.remux === last.remux
  );
}
