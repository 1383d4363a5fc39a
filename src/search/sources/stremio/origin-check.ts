import type { Check } from '../../../diagnosis/check.ts';
import { probeMatches } from '../../../diagnosis/index.ts';
import type { Posting } from '../../../model/index.ts';
import { UnreachableOriginError } from '../../../play-address/open-listed.ts';

/** Milliseconds. */
const TIMEOUT = 5_000;

/**
 * Whether something answers at the origin that a row names, where it is another one than the add-on's: its front page is
 * asked for, and no row is opened, for that would be a grab. What it says is all the same.
 */
export async function checkOrigin(
  postings: readonly Posting[],
  { what, who, signal }: { readonly what: string; readonly who: string; readonly signal: AbortSignal },
): Promise<readonly Check[]> {
  const row = postings.find(({ link }) => link.listedAt !== undefined);
  if (row === undefined) return [];
  const { origin } = new URL(row.link.url);
  if (await probeMatches({ url: `${origin}/`, signal, timeout: TIMEOUT }, () => true)) return [];
  return [{ what, failure: new UnreachableOriginError(who, origin), isNote: true }];
}
