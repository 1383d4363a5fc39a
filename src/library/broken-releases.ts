import { join } from 'node:path';
import * as v from 'valibot';
import type { FinishedJob } from '../backends/backend.ts';
import type { SlipstreamError } from '../errors/index.ts';
import { listDocuments, openDocument, pruneDocuments, type StoredDocument } from '../io/store.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { comparableName } from './comparable-names.ts';
import { bytesSchema, hashOf, numberSchema, textSchema, timeSchema } from './schemas.ts';
import { canBeSameSize } from './sizes.ts';

/**
 * What has proved broken for one film or episode, so that it is neither offered first nor submitted again. Each entry is a
 * document of its own, written whole by whoever sees it fail: the plugin process before it plays, the service while it
 * plays. Names are kept as hashes.
 */
export interface BrokenReleases {
  /** When a release failed, in milliseconds since the epoch; undefined: not within the last week, or it has played since. */
  readonly failedAt: (release: Post) => number | undefined;
  /** Whether a finished job of the backend is one that proved broken. It is left alone until it is gone. */
  readonly isBroken: (job: Pick<FinishedJob, 'id' | 'name'>) => boolean;
  /**
   * Something failed. Only what `failure` proves broken is remembered: an outage, a limit or a refusal never is. Never
   * fails: what cannot be kept is not, and the log tells.
   */
  readonly recordFailure: (what: Suspect, failure: Pick<SlipstreamError, 'code' | 'broken'>) => Promise<void>;
  /** It plays after all. Never fails. */
  readonly recordPlayed: (release: Post) => Promise<void>;
}

/** A post, as far as it can be told from others of its name. */
type Post = Pick<Release, 'name' | 'size' | 'links'>;

type Suspect = { readonly release: Post } | { readonly job: Pick<FinishedJob, 'id' | 'name'> };

/** Milliseconds. A release may be posted again under its name and in its size. */
const RETENTION_MS = 7 * 86_400_000;
/** Those that failed longest ago go first. */
const MAX_ENTRIES = 300;
const MAX_INDEXERS = 20;

const hash = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/));
/** Absent: whatever it holds is of no use. */
const only = v.exactOptional(v.object({ season: numberSchema, episode: numberSchema }));
const StoredRelease = v.object({
  kind: v.literal('release'),
  name: hash,
  size: v.exactOptional(bytesSchema),
  /** Link.indexer of all its links: a post of the same name and size elsewhere may be another one. */
  indexers: v.pipe(v.array(textSchema), v.minLength(1), v.maxLength(MAX_INDEXERS), v.readonly()),
  only,
  at: timeSchema,
});
const StoredJob = v.object({
  kind: v.literal('job'),
  /** Backend.identity */
  backend: textSchema,
  /** Of its id and name: an id alone may be given again. */
  job: hash,
  only,
  at: timeSchema,
});
const StoredEntry = v.variant('kind', [StoredRelease, StoredJob]);
type StoredEntry = v.InferOutput<typeof StoredEntry>;

export interface BrokenReleasesOptions {
  readonly folder: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** What has proved broken by now for that film or episode, at that backend (Backend.identity). */
export async function openBrokenReleases(
  request: MediaRequest,
  backend: string,
  { folder, log, now = Date.now }: BrokenReleasesOptions,
): Promise<BrokenReleases> {
  const storeFolder = join(folder, 'broken');
  const open = (name: string): StoredDocument<StoredEntry> =>
    openDocument(storeFolder, name, { version: 1, parse: (value) => v.parse(StoredEntry, value) });
  const isFresh = ({ kind, at }: StoredEntry) => kind === 'job' || Math.abs(now() - at) < RETENTION_MS;
  const attempt = (what: string, task: () => Promise<void>) =>
    task().catch((error: unknown) => {
      log.warning(`a broken release is not ${what}: ${String(error)}`);
    });
  const kept = new Map<string, StoredEntry>();
  for (const name of await listDocuments(storeFolder)) {
    const entry = await open(name).read();
    if (entry === undefined) continue;
    if (!isFresh(entry)) await attempt('forgotten', () => open(name).remove());
    else if (appliesTo(entry, request)) kept.set(name, entry);
  }
  const releaseEntries = (post: Post) =>
    [...kept].filter(([, entry]) => entry.kind === 'release' && isSamePost(entry, post));
  return {
    failedAt: (post) => {
      const times = releaseEntries(post).map(([, { at }]) => at);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    isBroken: (job) => {
      const hashed = jobHash(job);
      return [...kept.values()].some(
        (entry) => entry.kind === 'job' && entry.backend === backend && entry.job === hashed,
      );
    },
    recordFailure: async (what, failure) => {
      if (!failure.broken || ('release' in what && hasDirectLink(what.release))) return;
      const about = { ...scopeOf(failure, request), at: now() };
      const entry: StoredEntry =
        'job' in what
          ? { kind: 'job', backend, job: jobHash(what.job), ...about }
          : { kind: 'release', ...postOf(what.release), ...about };
      const name = hashOf({ ...entry, at: 0 });
      kept.set(name, entry);
      await attempt('remembered', async () => {
        await open(name).write(v.parse(StoredEntry, entry));
        await pruneDocuments(storeFolder, { files: MAX_ENTRIES });
      });
    },
    recordPlayed: async (post) => {
      for (const [name] of releaseEntries(post)) {
        kept.delete(name);
        await attempt('forgotten', () => open(name).remove());
      }
    },
  };
}

const nameHash = (name: string) => hashOf(comparableName(name).text);

const jobHash = ({ id, name }: Pick<FinishedJob, 'id' | 'name'>) => hashOf([id, name]);

const postOf = ({ name, size, links }: Post) => ({
  name: nameHash(name),
  ...(size !== undefined && { size }),
  indexers: [...new Set(links.map(({ indexer }) => indexer))].sort().slice(0, MAX_INDEXERS),
});

/** What an add-on's link leads to is chosen by its service, and may be another post the next time. */
const hasDirectLink = ({ links }: Post) => links.some(({ plays }) => plays === true);

function isSamePost(entry: StoredEntry, post: Post): boolean {
  if (entry.kind !== 'release' || entry.name !== nameHash(post.name)) return false;
  return (
    canBeSameSize(entry.size, post.size) && post.links.some(({ indexer }) => entry.indexers.includes(indexer))
  );
}

/** A job that failed fails for all its episodes; one file that is damaged or absent, for its own. */
function scopeOf(
  { code }: Pick<SlipstreamError, 'code'>,
  { episode }: MediaRequest,
): Pick<StoredEntry, 'only'> {
  if (code === 'JOB_FAILED' || episode === undefined) return {};
  return { only: { season: episode.season, episode: episode.episode } };
}

const appliesTo = ({ only: episode }: StoredEntry, request: MediaRequest) =>
  episode === undefined ||
  (episode.season === request.episode?.season && episode.episode === request.episode.episode);
