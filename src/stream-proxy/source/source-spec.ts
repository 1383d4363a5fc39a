import type { Serving } from '../../model/index.ts';
import type { OriginOverride } from '../../play-address/open-listed.ts';
import type { RequestTarget } from './upstream.ts';

/** Where a file comes from. */
export interface SourceSpec {
  /** http(s), without user or password. */
  readonly url: string;
  /** Sent with each request to the url's origin. Secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when nobody knows. */
  readonly serving?: Serving;
  /** As Played.elsewhere, for redirects of the url. */
  readonly elsewhere?: OriginOverride;
  /** Of a file that a service gave to be played; absent: the url is the file's own. */
  readonly played?: PlayOrigin;
}

/** How a service gave a file. */
export interface PlayOrigin extends RequestTarget {
  /** Where redirects to an origin that this device does not reach are followed to; absent: none led there. */
  readonly elsewhere?: OriginOverride;
  /** The file's name as the first answer told it; absent: it did not. */
  readonly told?: string;
  /** As messages name the service; absent: nobody has told. */
  readonly who?: string;
}
