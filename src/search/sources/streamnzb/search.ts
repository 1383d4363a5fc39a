import * as v from 'valibot';
import { decodePercent } from '../../../io/percent-decode.ts';
import type { Posting } from '../../../model/index.ts';
import { parseLink } from '../common/address.ts';
import { boundedList } from '../common/bounded-list.ts';
import { stableGuid } from '../common/fields.ts';
import { registerLinkSecrets } from '../common/link-secrets.ts';
import { releaseName } from '../common/posting.ts';
import type { AddonClient } from '../stremio/client.ts';
import type { RowContext, SearchApi } from '../stremio/streams.ts';

const MAX_RELEASES = 1_000;
const Found = v.object({
  releases: v.pipe(
    v.nullable(v.array(v.unknown())),
    v.transform((all) => all ?? []),
    boundedList(
      v.object({
        title: v.pipe(v.string(), v.minLength(1)),
        link: v.string(),
        size: v.fallback(v.number(), 0),
        indexer: v.fallback(v.string(), ''),
      }),
      MAX_RELEASES,
    ),
  ),
});
type Release = v.InferOutput<typeof Found>['releases'][number];

/**
 * StreamNZB's search API (protocols.md §8.11), which gives each NZB's address at its indexer: an address of its own that
 * plays is only a place in its list. It takes the token of the add-on's address; undefined where that is not there.
 */
export function searchApiOf(client: AddonClient): SearchApi | undefined {
  const { base, login } = client.address;
  const [, root, token] = /^(.+:\/\/.+)\/([^/]+)$/.exec(base) ?? [];
  if (root === undefined || token === undefined || login !== undefined) return undefined;
  const authorization = `Bearer ${decodePercent(token)}`;
  return async ({ type, id }, origin, signal) => {
    const query = new URLSearchParams({ type, id });
    const asked = { url: `${root}/api/search/releases?${query.toString()}`, schema: Found };
    const { value } = await client.get({ ...asked, headers: { authorization } }, signal);
    return { postings: value.releases.flatMap((each) => postingOf(each, origin) ?? []), failures: [] };
  };
}

function postingOf({ title, link, size, indexer }: Release, origin: RowContext): Posting | undefined {
  const { source, service, base, claims } = origin;
  const nzb = parseLink(link, `${base}/`);
  if (nzb === undefined) return undefined;
  registerLinkSecrets(nzb);
  return {
    name: releaseName(title),
    link: {
      url: nzb.href,
      guid: stableGuid(nzb.href),
      indexer: indexer === '' ? service.name : indexer,
      source,
    },
    ...(Number.isSafeInteger(size) && size > 0 && { size }),
    claims,
  };
}
