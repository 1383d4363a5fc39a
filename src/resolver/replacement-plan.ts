import * as v from 'valibot';
import type { FinishedJob } from '../backends/backend.ts';
import { type Link, type MediaRequest, type Release, UNKNOWN_QUALITY } from '../model/index.ts';
import type { StreamOrigin } from './pending-stream.ts';

/**
 * What the plugin process leaves to the service when it ends: how the play can go on when its stream is lost. It goes
 * along with /prepare and is kept in memory only, for links hold keys.
 */
export interface ReplacementPlan {
  readonly request: MediaRequest;
  /** Backend.identity of the one that plays. */
  readonly backend: string;
  /** What is to be tried, in this order. */
  readonly releases: readonly Release[];
  /** What plays, to be remembered should it prove broken; absent where that cannot be told. */
  readonly playing?: PlayingRelease;
  /** Nothing was searched for, because the backend held it: the sources may still have others. */
  readonly unsearched?: true;
}

/** Of its links there is no address: none is fetched again. */
export interface PlayingRelease {
  readonly release: Pick<Release, 'name' | 'size' | 'links'>;
  readonly job?: Pick<FinishedJob, 'id' | 'name'>;
}

/** What plays, as far as it is to be remembered. */
export function playingReleaseOf({ release: { name, size, links }, job }: StreamOrigin): PlayingRelease {
  const [first, ...others] = links;
  const withoutAddress = (link: Link): Link => ({ ...link, url: '', headers: {} });
  return {
    release: {
      name,
      ...(size !== undefined && { size }),
      links: [withoutAddress(first), ...others.slice(0, MAX_LINKS - 1).map(withoutAddress)],
    },
    ...(job !== undefined && { job: { id: job.id, name: job.name } }),
  };
}

/** Further ones were ranked lower still, and each costs the service memory. */
const MAX_RELEASES = 10;
const MAX_LINKS = 20;
const MAX_CHARACTERS = 100_000;

const LinkShape = v.object({
  url: v.string(),
  guid: v.string(),
  indexer: v.string(),
  source: v.string(),
  manager: v.exactOptional(v.object({ software: v.picklist(['Prowlarr', 'NZBHydra2']), who: v.string() })),
  givenBy: v.exactOptional(v.string()),
  plays: v.exactOptional(v.literal(true)),
  service: v.exactOptional(v.picklist(['altmount', 'streamnzb', 'aiostreams'])),
  listedAt: v.exactOptional(v.string()),
  videoSize: v.exactOptional(v.number()),
  headers: v.exactOptional(v.record(v.string(), v.string())),
});

const ReleaseShape = v.object({
  name: v.string(),
  size: v.exactOptional(v.number()),
  password: v.exactOptional(v.string()),
  links: v.tupleWithRest([LinkShape], LinkShape),
});

const PlanShape = v.object({
  request: v.pipe(
    v.looseObject({ kind: v.picklist(['movie', 'episode']), title: v.string(), ids: v.looseObject({}) }),
    v.transform((request) => request as MediaRequest),
  ),
  backend: v.string(),
  releases: v.pipe(v.array(ReleaseShape), v.maxLength(MAX_RELEASES)),
  playing: v.exactOptional(
    v.object({
      release: ReleaseShape,
      job: v.exactOptional(v.object({ id: v.string(), name: v.string() })),
    }),
  ),
  unsearched: v.exactOptional(v.literal(true)),
});

/** As it goes to the service; the last releases are left out when they would be too much for /prepare. */
export function serializePlan({ request, backend, releases, playing, unsearched }: ReplacementPlan): object {
  const serialized: object[] = [];
  let charactersLeft = MAX_CHARACTERS - JSON.stringify(playing ?? {}).length;
  for (const { name, size, password, links } of releases.slice(0, MAX_RELEASES)) {
    const release = { name, size, password, links: links.slice(0, MAX_LINKS) };
    charactersLeft -= JSON.stringify(release).length;
    if (charactersLeft < 0) break;
    serialized.push(release);
  }
  return { request: { ...request, plot: undefined }, backend, releases: serialized, playing, unsearched };
}

/** Undefined for what is none. */
export function parsePlan(value: unknown): ReplacementPlan | undefined {
  const parsed = v.safeParse(PlanShape, value);
  if (!parsed.success) return undefined;
  const { releases, ...plan } = parsed.output;
  // Its name has been judged by then.
  return { ...plan, releases: releases.map((each) => ({ ...each, quality: UNKNOWN_QUALITY })) };
}
