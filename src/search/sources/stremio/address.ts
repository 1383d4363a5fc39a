import { loginOf } from '../../../io/login.ts';
import { decodePercent } from '../../../io/percent-decode.ts';
import { registerSecret } from '../../../log/index.ts';
import { parseAddress, type SourceAddress } from '../common/address.ts';

/** Ends of the addresses that add-ons show to be pasted. */
const PASTED_SUFFIX = /\/(?:manifest\.json|configure)$/;

/**
 * The address of a Stremio add-on, which holds the person's key in its path; the log knows it from now on.
 * "stremio://" is how add-ons write "https://" for Stremio's own sake (those at home mean "http://": resolve-scheme.ts).
 * @throws INVALID_REQUEST
 */
export function addonAddress(entered: string, who: string): SourceAddress {
  const address = parseAddress(asHttps(entered), who, PASTED_SUFFIX);
  for (const secret of secretsOfAddon(entered)) registerSecret(secret);
  return address;
}

/** As a browser takes it. */
export const asHttps = (entered: string): string => entered.trim().replace(/^stremio:\/\//i, 'https://');

/** Parts of paths that are the same for everybody. */
const ROUTE_WORDS: ReadonlySet<string> = new Set([
  'manifest.json',
  'configure',
  'stremio',
  'adapters',
  'addon',
  'addons',
  'api',
  'public',
]);

/** Shorter parts of a path are versions and the like. */
const MIN_LENGTH = 4;

/** Whatever of the address may be secret, as it stands there and as it is meant: addresses of streams repeat it. */
export function secretsOfAddon(entered: string): string[] {
  const text = asHttps(entered);
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const parts = url.pathname
    .split('/')
    .filter((part) => part.length >= MIN_LENGTH && !ROUTE_WORDS.has(part.toLowerCase()));
  const values = [
    ...parts.flatMap((part) => [part, decodePercent(part)]),
    ...[url.username, url.password, ...loginOf(url)],
    ...url.searchParams.values(),
  ];
  return [...new Set(values.filter((value) => value !== ''))];
}
