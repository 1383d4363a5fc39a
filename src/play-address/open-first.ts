import { SlipstreamError } from '../errors/index.ts';
import { type AddressVariant, isConnectionRefused } from './open-listed.ts';
import { OtherContent } from './stream-failure.ts';

/** How one of several addresses of a stream is to be opened. */
export interface AddressAttempt {
  readonly url: string;
  /** It is given its time; else it is left at the first fault. */
  readonly isPatient: boolean;
  readonly isFinal?: AddressVariant['isFinal'];
}

/**
 * Opens one stream by the first of its addresses that works.
 *
 * An address at the origin that gave the list is given its time: that origin has just answered. So is the last address,
 * unless nothing listens there: it may be known only in the service's own network, or be a default that was never set
 * ("http://localhost:7000", protocols.md §8.1).
 *
 * @param open Opens one of them.
 * @param onLeft Hears of each that is left for the next.
 * @throws what the service says of the stream itself, at once, for it holds at all of them; else what the last of them
 *   failed of, or the first where nothing listens at the last
 */
export async function openFirst<T>(
  urls: readonly [string, ...string[]],
  open: (turn: AddressAttempt) => Promise<T>,
  onLeft: (error: SlipstreamError) => void,
): Promise<T> {
  const own = new URL(urls[0]).origin;
  let first: SlipstreamError | undefined;
  for (const [index, url] of urls.entries()) {
    const isLast = index === urls.length - 1;
    const isOwn = new URL(url).origin === own;
    try {
      const isPatient = isLast || isOwn;
      return await open({ url, isPatient, ...(!isOwn && { isFinal: isConnectionRefused }) });
    } catch (error) {
      if (!canTryNext(error)) throw error;
      if (isLast) throw first !== undefined && isConnectionRefused(error) ? first : error;
      first ??= error;
      onLeft(error);
    }
  }
  throw new Error('no address');
}

/** What is of an address, and not of the stream. */
function canTryNext(error: unknown): error is SlipstreamError {
  if (error instanceof OtherContent) return true;
  if (!(error instanceof SlipstreamError)) return false;
  return error.transient || error.code === 'UNREACHABLE' || error.code === 'BAD_ANSWER';
}
