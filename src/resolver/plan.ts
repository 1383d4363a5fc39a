import * as v from 'valibot';
import { type MediaRequest, type Release, UNKNOWN_QUALITY } from '../model/index.ts';

/**
 * What the plugin process leaves to the service when it ends: how the play can go on when its stream is lost. It goes
 * along with /prepare and is kept in memory only, for links hold keys.
 */
export interface Plan {
  readonly request: MediaRequest;
  /** Backend.identity of the one that plays. */
  readonly backend: string;
  /** What is to be tried, in this order. */
  readonly releases: readonly Release[];
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
  plays: v.exactOptional(v.literal(true)),
  headers: v.exactOptional(v.record(v.string(), v.string())),
});

const ReleaseShape = v.object({
  name: v.string(),
  size: v.exactOptional(v.number()),
  links: v.tupleWithRest([LinkShape], LinkShape),
});

const PlanShape = v.object({
  request: v.pipe(
    v.looseObject({ kind: v.picklist(['movie', 'episode']), title: v.string(), ids: v.looseObject({}) }),
    v.transform((request) => request as MediaRequest),
  ),
  backend: v.string(),
  releases: v.pipe(v.array(ReleaseShape), v.maxLength(MAX_RELEASES)),
});

/** As it goes to the service; the last releases are left out when they would be too much for /prepare. */
export function writePlan({ request, backend, releases }: Plan): object {
  const written: object[] = [];
  let left = MAX_CHARACTERS;
  for (const { name, size, links } of releases.slice(0, MAX_RELEASES)) {
    const release = { name, size, links: links.slice(0, MAX_LINKS) };
    left -= JSON.stringify(release).length;
    if (left < 0) break;
    written.push(release);
  }
  return { request: { ...request, plot: undefined }, backend, releases: written };
}

/** Undefined for what is none. */
export function readPlan(value: unknown): Plan | undefined {
  const parsed = v.safeParse(PlanShape, value);
  if (!parsed.success) return undefined;
  const { request, backend, releases } = parsed.output;
  // Its name has been judged by then.
  return { request, backend, releases: releases.map((each) => ({ ...each, quality: UNKNOWN_QUALITY })) };
}
