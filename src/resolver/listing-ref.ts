import * as v from 'valibot';
import type { Link, MediaRequest, Release } from '../model/index.ts';

/**
 * Where the address of a stream was listed: by this the service finds it again in the same list when it has died. It goes
 * along with /prepare and holds no address.
 */
export interface ListingRef {
  readonly request: MediaRequest;
  /** Link.source */
  readonly source: string;
  /** Link.guid */
  readonly guid: string;
  readonly name: string;
  readonly size?: number;
}

export const listingRefOf = (
  request: MediaRequest,
  { name, size }: Release,
  { source, guid }: Link,
): ListingRef => ({
  request,
  source,
  guid,
  name,
  ...(size !== undefined && { size }),
});

const ListedShape = v.object({
  request: v.pipe(
    v.looseObject({ kind: v.picklist(['movie', 'episode']), title: v.string(), ids: v.looseObject({}) }),
    v.transform((request) => request as MediaRequest),
  ),
  source: v.string(),
  guid: v.string(),
  name: v.string(),
  size: v.exactOptional(v.number()),
});

/** Undefined for what is none. */
export function parseListingRef(value: unknown): ListingRef | undefined {
  const parsed = v.safeParse(ListedShape, value);
  return parsed.success ? parsed.output : undefined;
}
