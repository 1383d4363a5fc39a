import { SlipstreamError } from '../errors/index.ts';
import { badAnswer } from '../io/http-error.ts';
import type { Logger } from '../log/index.ts';
import { UnreachableOriginError } from './open-listed.ts';

/** Where a stream is. */
export interface StreamAddress {
  readonly url: string;
  /** Sent to the url's origin only. Secret. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks the list from which an address came where its stream is now; undefined: it does not list it. */
export type Relist = (signal: AbortSignal) => Promise<StreamAddress | undefined>;

/** The same for any stream, by what came along with it to tell where it was listed (Listed). */
export type RelistOf = (listed: unknown, signal: AbortSignal) => ReturnType<Relist>;

interface RelistOptions {
  /** As messages name whoever gave the address. */
  readonly who: string;
  readonly address: StreamAddress;
  /** Absent: nobody can ask. */
  readonly relist: Relist | undefined;
  /** It did not lead to what it was listed for: the list is asked first. */
  readonly anew?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Opens an address. One at which there is no stream is looked for in its list, once: that may name another, and may make
 * this one good again (protocols.md §8.11).
 * @throws what `open` rejects with
 */
export async function openOrRelist<T>(
  { who, address, relist, anew, signal, log }: RelistOptions,
  open: (address: StreamAddress) => Promise<T>,
): Promise<T> {
  try {
    if (anew === true) throw badAnswer(who, 'the address leads to another file');
    return await open(address);
  } catch (error) {
    signal.throwIfAborted();
    if (missingStreamIn(error) === undefined) throw error;
    const listed = await askList(relist, signal, log);
    if (listed === 'unanswered') throw error;
    // It was reached: what is missing is the stream, not the origin that its list names.
    if (listed === undefined) throw missingStreamIn(error) ?? error;
    log.info(`${who}: the stream is opened by the address that its list names now`);
    return await open(listed);
  }
}

/** That the service has no such stream, if that is what an error says. */
function missingStreamIn(error: unknown): SlipstreamError | undefined {
  const own = error instanceof UnreachableOriginError ? error.cause : error;
  return own instanceof SlipstreamError && own.code === 'BAD_ANSWER' ? own : undefined;
}

/** Where the stream is by now; undefined: its list does not name it any more. */
async function askList(
  relist: Relist | undefined,
  signal: AbortSignal,
  log: Logger,
): Promise<StreamAddress | 'unanswered' | undefined> {
  if (relist === undefined) return 'unanswered';
  return await relist(signal).catch((error: unknown) => {
    signal.throwIfAborted();
    log.warning(`the list of the stream cannot be asked: ${error instanceof Error ? error.message : ''}`);
    return 'unanswered' as const;
  });
}
