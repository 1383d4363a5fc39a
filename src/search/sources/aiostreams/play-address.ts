import * as v from 'valibot';
import { parseJson } from '../../../io/json.ts';
import { registerLinkSecrets } from '../common/link-secrets.ts';
import { fingerprint } from '../common/posting.ts';

const text = v.fallback(v.string(), '');
const AddressPart = v.object({
  title: v.pipe(v.string(), v.minLength(1)),
  hash: text,
  indexer: text,
  nzb: text,
});

/** The post behind an address that plays. */
interface AddressedPost {
  /** The release's name, whether it was opened before or not. */
  readonly title: string;
  /** Of the NZB at its indexer: the same before and after the first opening, which changes names and sizes. */
  readonly id: string;
}

/**
 * What AIOStreams writes into an address that plays: one of its parts is base64url of JSON, which also holds the indexer's
 * address with its key (protocols.md §8.6). Undefined for any other address.
 */
export function decodePlayAddress({ pathname }: URL): AddressedPost | undefined {
  const [, part] = /\/playback\/[^/]+\/[^/]+\/([\w-]+=*)\//.exec(pathname) ?? [];
  if (part === undefined) return undefined;
  const played = v.safeParse(AddressPart, parseJson(Buffer.from(part, 'base64url').toString('utf8')));
  if (!played.success) return undefined;
  const { title, hash, indexer, nzb } = played.output;
  if (URL.canParse(nzb)) registerLinkSecrets(new URL(nzb));
  return { title, id: fingerprint([hash === '' ? title : hash, indexer]) };
}
