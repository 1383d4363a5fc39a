import { SlipstreamError } from '../errors/index.ts';
import { OtherContent } from './stream-failure.ts';

/** Two origins of one service: nothing listens at the one that it names, and at the other it has just listed the stream. */
export interface OriginOverride {
  readonly from: string;
  readonly to: string;
}

interface ListedAddress {
  /** As messages name whoever gave the address. */
  readonly who: string;
  readonly url: string;
  /** The origin that has listed the url. Absent: nobody knows. */
  readonly listedAt?: string | undefined;
}

/** How an address is to be opened. */
export interface AddressVariant {
  readonly url: string;
  /** Nobody waits for what listens nowhere. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly elsewhere?: OriginOverride;
}

/**
 * Opens an address where it says, and where nothing listens there, its path at the origin that has listed it: a service
 * puts its own setting for its address before each path, and that is "localhost" until somebody changes it
 * (protocols.md §8.4, §8.11).
 * @throws what `open` rejects with; Misplaced where neither origin has it
 */
export async function openListed<T>(
  { who, url, listedAt }: ListedAddress,
  open: (way: AddressVariant) => Promise<T>,
): Promise<T> {
  const { origin, pathname, search } = new URL(url);
  if (listedAt === undefined || listedAt === origin) return await open({ url });
  try {
    return await open({ url, isFinal: isConnectionRefused });
  } catch (error) {
    if (!isConnectionRefused(error)) throw error;
  }
  try {
    const own = new URL(`${pathname}${search}`, listedAt).href;
    return await open({ url: own, isFinal: isConnectionRefused, elsewhere: { from: origin, to: listedAt } });
  } catch (error) {
    throw isMissing(error) ? new UnreachableOriginError(who, origin, error) : error;
  }
}

const REFUSED_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether no connection came about. */
export function isConnectionRefused(error: unknown): boolean {
  const cause = error instanceof SlipstreamError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && REFUSED_CODES.has(cause.code);
}

const isMissing = (error: unknown) =>
  error instanceof OtherContent ||
  (error instanceof SlipstreamError && (error.code === 'UNREACHABLE' || error.code === 'BAD_ANSWER'));

/** Nothing answers at the origin that a service names in what it lists. The cause: what its own origin said. */
export class UnreachableOriginError extends SlipstreamError {
  constructor(who: string, origin: string, cause?: unknown) {
    const what = `${who} lists its streams at ${origin}, where nothing answers this device.`;
    const next = `Set the address of ${who} in its own settings (BASE_URL, or Base URL) to one that this device reaches.`;
    super('UNREACHABLE', { what, next }, { cause });
  }
}
