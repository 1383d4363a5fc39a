import { deadlineSignal, pause } from '../../io/wait.ts';
import { explainFailure, SourceFailure } from '../policy/failure.ts';
import type { decideRetry as decideStage, RetryPolicy } from '../policy/policies.ts';
import { windowAfter } from '../policy/windows.ts';
import { readBytes, splitStart } from './read-bytes.ts';
import type { ByteSource, OpenedRange, RangeRequest } from './source.ts';

/** What is known of a source that has delivered its first bytes. */
export interface VerifiedStart {
  readonly size: number;
  /** The start of the file. */
  readonly head: Uint8Array;
  /** What follows it, on the same request: the stream goes on from it. Undefined: there is nothing more on it. */
  readonly remainder: OpenedRange | undefined;
}

export interface VerifyOptions {
  readonly signal: AbortSignal;
  readonly decide: typeof decideStage;
  readonly policy: RetryPolicy;
  /** What the file's size must be; absent while nobody knows. */
  readonly size?: number | undefined;
}

/** The server answers with all of the file, whatever part is asked for. */
export class RangesUnsupported extends SourceFailure {
  /** The start of the file. */
  readonly head: Uint8Array;
  readonly size: number;

  constructor(head: Uint8Array, size: number, cause: SourceFailure) {
    super('no-ranges', cause.message, cause);
    this.head = head;
    this.size = size;
  }
}

/** So much of the file must come before its URL is handed over. */
const VERIFY_BYTES = 64 * 1024;
/** So much is read a second time, as a part, from a server that has not shown that it serves parts. */
const OVERLAP_BYTES = 4096;

/**
 * Opens the source, learns the size, reads the first bytes, and makes sure that the server can deliver parts. The one
 * request that this takes goes on as the stream: at nzbdav each further one would cost 8 to 10 MB (protocols.md §2.6).
 *
 * @throws SlipstreamError UNREACHABLE, TIMEOUT, AUTH_FAILED, SERVICE_ERROR, BAD_ANSWER, PREPARE_FAILED; the signal's
 *   reason when it aborts.
 */
export async function verifySource(source: ByteSource, options: VerifyOptions): Promise<VerifiedStart> {
  const { policy, decide } = options;
  /** What the last attempt failed of: when the time is up, that is why. */
  let last: SourceFailure | undefined;
  const limit = deadlineSignal(options.signal, policy.nextByteTimeout, () =>
    explainFailure(
      last ?? new SourceFailure('stalled', `no proof within ${Math.ceil(policy.nextByteTimeout / 1000)} s`),
      source.label,
    ),
  );
  const began = performance.now();
  try {
    for (let fruitless = 1; ; fruitless++) {
      try {
        return await verifyOnce(source, options, limit.signal);
      } catch (error) {
        if (!(error instanceof SourceFailure)) throw error;
        last = error;
        const waited = performance.now() - began;
        // Here no kind outlasts the tries, so all failures count alike.
        const attempts = { kind: error.kind, fruitless, alike: fruitless, waited, flowing: false };
        const verdict = decide(policy, attempts);
        if (verdict.kind === 'give-up') throw explainFailure(error, source.label);
        await pause(verdict.pause, limit.signal);
      }
    }
  } finally {
    limit.done();
  }
}

async function verifyOnce(
  source: ByteSource,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<VerifiedStart> {
  const { firstByteTimeout: timeout, stallTimeout: stall } = options.policy;
  const wish = { timeout, signal };
  const first = await firstRange(source, options.size, wish);
  const opened = await source.open({ ...wish, ...first });
  const { start: head, rest } = await splitStart(opened, VERIFY_BYTES, { stallTimeout: stall, signal });
  try {
    if (!opened.partial && opened.size > 1) await verifyRanges(source, opened.size, head, { ...wish, stall });
  } catch (error) {
    rest?.body.close();
    throw error;
  }
  return { size: opened.size, head, remainder: rest };
}

/**
 * Open-ended, so that it can go on as the stream. Where a range's end bounds what the server fetches it is the first
 * window, cut to the file: an end behind the last byte makes AltMount withdraw the file (protocols.md §2.10).
 */
async function firstRange(
  source: ByteSource,
  size: number | undefined,
  wish: Pick<RangeRequest, 'timeout' | 'signal'>,
): Promise<Pick<RangeRequest, 'first' | 'last' | 'size'>> {
  if (source.serving?.windows !== true) return { first: 0, ...(size !== undefined && { size }) };
  const known = size ?? (await sizeOf(source, wish));
  return { first: 0, last: Math.min(known, windowAfter(0)) - 1, size: known };
}

async function sizeOf(source: ByteSource, wish: Pick<RangeRequest, 'timeout' | 'signal'>): Promise<number> {
  const { size, body } = await source.open({ ...wish, first: 0, last: 0 });
  body.close();
  return size;
}

/** Only the overlap tells that a part is honoured, and that it starts where it says. */
async function verifyRanges(
  source: ByteSource,
  size: number,
  head: Buffer,
  { stall, ...wish }: Pick<RangeRequest, 'timeout' | 'signal'> & { readonly stall: number },
): Promise<void> {
  const last = Math.min(head.byteLength, OVERLAP_BYTES) - 1;
  const part = await source.open({ ...wish, first: 1, last, size }).catch((error: unknown) => {
    throw error instanceof SourceFailure && error.kind === 'no-ranges'
      ? new RangesUnsupported(head, size, error)
      : error;
  });
  const again = await readBytes(part, last, { stallTimeout: stall, signal: wish.signal });
  if (!again.equals(head.subarray(1, last + 1)))
    throw new SourceFailure('wrong-answer', 'a part does not hold the bytes of the whole');
}
