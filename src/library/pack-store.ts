import { join } from 'node:path';
import * as v from 'valibot';
import type { FinishedJob } from '../backends/backend.ts';
import { listDocuments, openDocument, pruneDocuments, type StoredDocument } from '../io/store.ts';
import type { JobFile } from '../job-files/choose-video.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import type { ReleaseNameParser } from '../release/index.ts';
import { bytesSchema, hashOf, numberSchema, StoredWork, textSchema, timeSchema } from './schemas.ts';
import { isSameWork, workOf } from './work.ts';

/**
 * Finished season packs and which episodes they hold, so that the next episode of one is there at once. One job is one
 * pack: what two jobs hold is never merged. No link to an NZB is kept, for it holds the person's key.
 */
export interface PackStore {
  /**
   * Remembers a pack, or what it holds by now; a job with fewer than two episodes is none. Never fails: what cannot be
   * kept is not, and the log tells. Gives the key of one that is kept.
   */
  save(pack: NewPack): Promise<string | undefined>;
  /** The packs of that backend (Backend.identity) that hold the requested episode, the latest first. */
  find(request: MediaRequest, backendIdentity: string): Promise<readonly PersistedPack[]>;
  /**
   * Forgets one that was proven wrong: its job is gone, or does not hold what it should. A backend that does not answer
   * proves nothing. Never fails.
   */
  remove(key: string): Promise<void>;
}

export interface NewPack {
  /** Backend.identity */
  readonly backend: string;
  readonly job: FinishedJob;
  /** Whether job.storage may be written to disk; else the job is to be looked up again by its id or name. */
  readonly keepStorage: boolean;
  readonly release: Release;
  /** By which it was found. */
  readonly request: MediaRequest;
  /** As the backends' packEpisodes tells them. */
  readonly episodes: readonly {
    readonly season: number;
    readonly episode: number;
    readonly file: Pick<JobFile, 'path'>;
  }[];
}

const MAX_EPISODES = 2_000;
const MAX_DEPTH = 32;

const StoredEpisode = v.object({
  season: numberSchema,
  episode: numberSchema,
  /** JobFile.path; several episodes may share a file. */
  path: v.pipe(v.array(textSchema), v.minLength(1), v.maxLength(MAX_DEPTH), v.readonly()),
});

const StoredPack = v.object({
  backend: textSchema,
  job: v.object({
    id: textSchema,
    name: textSchema,
    category: textSchema,
    storage: v.exactOptional(textSchema),
  }),
  release: v.object({
    name: textSchema,
    size: v.exactOptional(bytesSchema),
    posted: v.exactOptional(timeSchema),
    /** Link.indexer of the preferred link. */
    indexer: textSchema,
  }),
  show: StoredWork,
  episodes: v.pipe(v.array(StoredEpisode), v.minLength(2), v.maxLength(MAX_EPISODES), v.readonly()),
  /** When it was last remembered, in milliseconds since the epoch. */
  at: timeSchema,
});
type StoredPack = v.InferOutput<typeof StoredPack>;

export interface PersistedPack extends StoredPack {
  readonly key: string;
}

/** Those that were not remembered for longest go first. */
const MAX_PACKS = 300;

export interface PackStoreOptions {
  readonly folder: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export function openPackStore({ folder, log, now = Date.now }: PackStoreOptions): PackStore {
  const storeFolder = join(folder, 'packs');
  const open = (key: string): StoredDocument<StoredPack> =>
    openDocument(storeFolder, key, {
      version: 1,
      parse: (value) => v.parse(StoredPack, value),
      newer: 'keep',
    });
  const read = async (key: string): Promise<PersistedPack[]> => {
    const pack = await open(key).read();
    return pack === undefined ? [] : [{ key, ...pack }];
  };
  return {
    save: async (pack) => {
      const stored = { ...storedOf(pack), at: now() };
      if (new Set(stored.episodes.map(numberOf)).size < 2) return undefined;
      try {
        await open(keyOf(stored)).write(v.parse(StoredPack, stored));
        await pruneDocuments(storeFolder, { files: MAX_PACKS });
        return keyOf(stored);
      } catch (error) {
        log.warning(`a season pack is not remembered: ${String(error)}`);
        return undefined;
      }
    },
    find: async (request, backend) => {
      const show = workOf(request);
      const packs = (await Promise.all((await listDocuments(storeFolder)).map(read))).flat();
      return packs
        .filter(
          (pack) => pack.backend === backend && hasEpisode(pack, request) && isSameWork(pack.show, show),
        )
        .sort((a, b) => b.at - a.at);
    },
    remove: async (key) => {
      if (!KEY.test(key)) return;
      await open(key)
        .remove()
        .catch((error: unknown) => {
          log.warning(`a season pack is not forgotten: ${String(error)}`);
        });
    },
  };
}

const KEY = /^[\da-f]{32}$/;
const keyOf = ({ backend, job }: Pick<StoredPack, 'backend' | 'job'>) =>
  hashOf([backend, job.id || job.name]);

const numberOf = ({ season, episode }: { season: number; episode: number }) => `${season}x${episode}`;

const hasEpisode = ({ episodes }: StoredPack, { episode }: MediaRequest) =>
  episode !== undefined && episodes.some((each) => numberOf(each) === numberOf(episode));

function storedOf({
  backend,
  job,
  keepStorage,
  release,
  request,
  episodes,
}: NewPack): Omit<StoredPack, 'at'> {
  const { id, name, category, storage } = job;
  const { size, posted, links } = release;
  return {
    backend,
    job: { id, name, category, ...(keepStorage && { storage }) },
    release: {
      name: release.name,
      ...(size !== undefined && { size }),
      ...(posted !== undefined && { posted }),
      indexer: links[0].indexer,
    },
    show: workOf(request),
    episodes: episodes.map(({ season, episode, file }) => ({ season, episode, path: file.path })),
  };
}

/** Stands for the source and the address of a release that is not to be fetched: it is on the backend already. */
const PERSISTED = 'slipstream:remembered';

/**
 * A remembered pack as a row of the list. Its only link is no address but says that it is remembered, and names the
 * pack (packKey): whoever chooses it starts the pack's job instead of fetching an NZB.
 */
export function packAsRelease(
  { key, release }: Pick<PersistedPack, 'key' | 'release'>,
  parseName: ReleaseNameParser,
): Release {
  const { indexer, ...known } = release;
  return {
    ...known,
    links: [{ url: PERSISTED, guid: key, indexer, source: PERSISTED }],
    quality: parseName(release.name),
  };
}

/** The key of the pack that a release stands for; undefined for one that was found by a search. */
export function packKey({ links: [{ source, guid }] }: Pick<Release, 'links'>): string | undefined {
  return source === PERSISTED ? guid : undefined;
}
