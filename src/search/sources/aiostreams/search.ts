import * as v from 'valibot';
import { phraseOf } from '../../../io/external-text.ts';
import { basicAuthorization } from '../../../io/login.ts';
import { decodePercent } from '../../../io/percent-decode.ts';
import type { Link, Posting } from '../../../model/index.ts';
import { parseLink } from '../common/address.ts';
import { boundedList } from '../common/bounded-list.ts';
import { registerLinkSecrets } from '../common/link-secrets.ts';
import { fingerprint, moreDetailedName, postedAgo } from '../common/posting.ts';
import { type ServiceLabels } from '../common/refusal.ts';
import type { AddonClient } from '../stremio/client.ts';
import { headersOf } from '../stremio/headers.ts';
import {
  listedAt,
  MAX_URL,
  type RowContext,
  rowErrors,
  type SearchApi,
  videoSizeOf,
} from '../stremio/streams.ts';
import { decodePlayAddress } from './play-address.ts';

const text = v.fallback(v.string(), '');
const address = v.fallback(v.pipe(v.string(), v.maxLength(MAX_URL)), '');
const number = v.fallback(v.number(), 0);
const Result = v.object({
  url: address,
  nzbUrl: address,
  filename: text,
  folderName: text,
  size: number,
  folderSize: number,
  indexer: text,
  age: v.fallback(v.number(), -1),
  requestHeaders: v.fallback(v.optional(v.record(v.string(), v.unknown())), undefined),
});
type Result = v.InferOutput<typeof Result>;

const MAX_RESULTS = 1_000;
const MAX_ERRORS = 50;
const SearchResponse = v.object({
  data: v.object({
    results: boundedList(Result, MAX_RESULTS),
    errors: v.optional(boundedList(v.object({ title: text, description: text }), MAX_ERRORS), []),
  }),
});

/**
 * AIOStreams' search API (protocols.md §8.9): more of each release than its stream list tells, and failures apart. It takes
 * the two parts of the add-on's address as a login; undefined where they are not there, or a login of another kind is.
 */
export function searchApiOf(client: AddonClient, takesNzbs: boolean): SearchApi | undefined {
  const { base, login } = client.address;
  const [, root, user, password] = /^(.+)\/stremio\/([\da-f-]{36})\/([^/]+)$/i.exec(base) ?? [];
  if (root === undefined || user === undefined || password === undefined || login !== undefined)
    return undefined;
  const authorization = basicAuthorization(user, decodePercent(password));
  return async ({ type, id }, origin, signal) => {
    const query = new URLSearchParams({ type, id });
    const asked = { url: `${root}/api/v1/search?${query.toString()}`, schema: SearchResponse };
    const { value } = await client.get({ ...asked, headers: { authorization } }, signal);
    const { results, errors } = value.data;
    const words = errors.map(({ title, description }) => phraseOf(`${title} ${description}`, 150));
    return {
      postings: results.flatMap((result) => postingOf(result, origin, takesNzbs) ?? []),
      failures: rowErrors(words, origin.service),
    };
  };
}

function postingOf(result: Result, origin: RowContext, takesNzbs: boolean): Posting | undefined {
  const { filename, folderName, indexer, age } = result;
  const stream = parseLink(result.url, origin.base);
  const way = linkFieldsOf(result, stream, origin, takesNzbs);
  if (way === undefined) return undefined;
  const post = stream === undefined ? undefined : decodePlayAddress(stream);
  const release = post?.title ?? (folderName === '' ? filename : folderName);
  const name = moreDetailedName(release, filename);
  const size = [result.folderSize, result.size].find((each) => Number.isSafeInteger(each) && each > 0);
  return {
    name: name === '' ? 'unnamed' : name,
    link: { ...way, guid: post?.id ?? fingerprint([release, indexer]), source: origin.source },
    ...(size !== undefined && { size }),
    ...postedAgo(age),
    claims: origin.claims,
  };
}

/** To the NZB at its indexer, for a backend of the person's own; else to what AIOStreams plays itself. */
function linkFieldsOf(
  { nzbUrl, indexer, requestHeaders, folderSize, size }: Result,
  stream: URL | undefined,
  { service, base }: RowContext,
  takesNzbs: boolean,
): Omit<Link, 'guid' | 'source'> | undefined {
  const nzb = takesNzbs ? parseLink(nzbUrl, base) : undefined;
  if (nzb !== undefined) {
    registerLinkSecrets(nzb);
    return { url: nzb.href, indexer: indexer === '' ? service.name : indexer, givenBy: clientLabel(service) };
  }
  if (stream === undefined) return undefined;
  return {
    url: stream.href,
    indexer: service.name,
    ...listedAt(stream, base),
    ...videoSizeOf(folderSize, size),
    plays: true,
    service: 'aiostreams',
    ...headersOf(requestHeaders),
  };
}

/** By whatever name the person knows it. */
const clientLabel = ({ name }: ServiceLabels) =>
  name.toLowerCase() === 'aiostreams' ? 'AIOStreams' : `AIOStreams (${name})`;
