import type { Quality } from './quality.ts';
import type { MediaIds } from './request.ts';

/** One post as one source lists it. */
export interface Posting {
  /** As the source wrote it, but for a password in it. */
  readonly name: string;
  readonly link: Link;
  /** Bytes of the whole post as advertised; undefined when the source does not say. */
  readonly size?: number;
  /** When it was posted to usenet (else when the indexer listed it); milliseconds since the epoch. */
  readonly posted?: number;
  readonly grabs?: number;
  readonly passworded?: boolean;
  /** Of its archive, where the name told it; the name is without it then. Never shown or logged. */
  readonly password?: string;
  /** Who posted it, as the post's header says. */
  readonly poster?: string;
  /** What the source says the post is, apart from its name. */
  readonly claims?: Claims;
}

/** One post, merged of all that list it, with what its name tells. */
export interface Release extends Omit<Posting, 'link'> {
  /** Where its NZB is fetched, the preferred one first. */
  readonly links: readonly [Link, ...Link[]];
  readonly quality: Quality;
}

/** One way to a post's NZB. */
export interface Link {
  /** Holds the person's key: never logged, shown or stored in clear. */
  readonly url: string;
  /** The indexer's own id for the post; its form is the indexer's business. */
  readonly guid: string;
  /** The indexer's name as the person knows it; behind an indexer manager, the name it has there. */
  readonly indexer: string;
  /** Id of the source that listed it; of an indexer behind a manager, the manager's: there its secrets are set up. */
  readonly source: string;
  /** The manager of indexers through which it leads; absent: the indexer's own. */
  readonly manager?: IndexerManager;
  /** Of an NZB's own address: the service that has given it, as messages call that, and that may alone reach it. */
  readonly givenBy?: string;
  /** Opens the video itself instead of an NZB; blocks until it is ready. */
  readonly plays?: true;
  /** Of a link that plays: the service that streams it, where its manifest tells. */
  readonly service?: DirectService;
  /** Of a link that plays: the origin that has listed it, where the url names another one. */
  readonly listedAt?: string;
  /** Of a link that plays: bytes of the video itself, where its service has opened the post and tells both. */
  readonly videoSize?: number;
  /** To be sent with each request to the url of a link that plays. Secret, and never stored. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service that streams by itself and whose ways are known (protocols.md §8). */
export type DirectService = 'altmount' | 'streamnzb' | 'aiostreams';

/** What asks indexers in the person's place. */
export interface IndexerManager {
  readonly software: 'Prowlarr' | 'NZBHydra2';
  /** As messages name it: "Prowlarr", "Prowlarr (Attic)". */
  readonly who: string;
}

/** Indexers take these from their own matching, which errs: they help where a name is silent, and settle nothing else. */
export interface Claims extends MediaIds {
  readonly season?: number;
  readonly episode?: number;
}

/** A release that was looked at by the filters; rejected ones stay visible with their reason. */
export interface Candidate {
  readonly release: Release;
  /** Why the filters rejected it, in words for the person, the first reason first. Empty: it passed. */
  readonly rejections: readonly string[];
  /** Bits per second, from size and running time; undefined when one of them is not known. */
  readonly bitrate?: number;
  /** Names of the person's custom formats that it matches, and their points together. */
  readonly formats: readonly string[];
  readonly score: number;
}
