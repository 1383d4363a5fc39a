import type { MediaIds } from './request.ts';

/** One post as an indexer lists it, with what its name tells. */
export interface Release {
  /** As the indexer wrote it. */
  readonly name: string;
  /** Where the NZB is fetched. Holds the person's key: never logged, shown or stored in clear. */
  readonly nzbUrl: string;
  /** The indexer's own id for the post; its form is the indexer's business. */
  readonly guid: string;
  /** The name the person gave the indexer. */
  readonly indexer: string;
  /** Bytes of the whole post as advertised; undefined when the indexer does not say. */
  readonly size?: number;
  /** When it was posted to usenet (else when the indexer listed it); milliseconds since the epoch. */
  readonly posted?: number;
  readonly grabs?: number;
  readonly passworded?: boolean;
  readonly quality: Quality;
  /** What the indexer says the post is, apart from its name. */
  readonly claims?: Claims;
}

/** Indexers take these from their own matching, which errs: they help where a name is silent, and settle nothing else. */
export interface Claims extends MediaIds {
  readonly season?: number;
  readonly episode?: number;
}

/** From the highest to the lowest; what lies between counts as the next lower one, what lies below as the lowest. */
export const RESOLUTIONS = ['2160p', '1080p', '720p', '576p', '480p'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** What a release's name tells about it. Undefined or empty: the name does not say. */
export interface Quality {
  readonly title: string;
  readonly year?: number;
  readonly resolution?: Resolution;
  /** "BluRay", "WEB-DL", "Remux" and so on. */
  readonly source?: string;
  readonly codec?: string;
  readonly hdr: readonly string[];
  readonly audio: readonly string[];
  readonly group?: string;
  readonly seasons: readonly number[];
  /** Without a season they are counted through, or from the first season. */
  readonly episodes: readonly number[];
  /** Of the broadcast, YYYY-MM-DD. */
  readonly date?: string;
}

/** A release that was looked at by the filters; rejected ones stay visible with their reason. */
export interface Candidate {
  readonly release: Release;
  /** Why the filters rejected it, in words for the person, the first reason first. Empty: it passed. */
  readonly rejections: readonly string[];
}
