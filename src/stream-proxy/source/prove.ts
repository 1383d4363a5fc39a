import { deadlineSignal, pause } from '../../io/wait.ts';
import { SourceFailure, tellFailure } from '../policy/failure.ts';
import type { decide as decideStage, RetryPolicy } from '../policy/policy.ts';
import { readBytes } from './read-bytes.ts';
import type { Source } from './source.ts';

/** What is known of a source that has delivered its first bytes. */
export interface Proof {
  readonly size: number;
  /** The start of the file. */
  readonly head: Uint8Array;
}

export interface ProveOptions {
  readonly signal: AbortSignal;
  readonly decide: typeof decideStage;
  readonly policy: RetryPolicy;
}

/** So much of the file must come before its URL is handed over. */
const PROOF_BYTES = 64 * 1024;
/** So much is read a second time, as a part, from a server that did not answer 206. */
const OVERLAP_BYTES = 4096;

/**
 * Opens the source, learns the size, reads the first bytes, and makes sure that the server can deliver parts.
 *
 * @throws SlipstreamError UNREACHABLE, TIMEOUT, AUTH_FAILED, SERVICE_ERROR, BAD_ANSWER, PREPARE_FAILED; the signal's
 *   reason when it aborts.
 */
export async function proveSource(source: Source, options: ProveOptions): Promise<Proof> {
  const { policy, decide } = options;
  const limit = deadlineSignal(options.signal, policy.patience, () =>
    tellFailure(
      new SourceFailure('stalled', `no proof within ${Math.ceil(policy.patience / 1000)} s`),
      source.where,
    ),
  );
  const began = performance.now();
  try {
    for (let fruitless = 1; ; fruitless++) {
      try {
        return await proveOnce(source, policy, limit.signal);
      } catch (error) {
        if (!(error instanceof SourceFailure)) throw error;
        const waited = performance.now() - began;
        // Here no kind outlasts the tries, so all failures count alike.
        const attempts = { kind: error.kind, fruitless, alike: fruitless, waited, flowing: false };
        const verdict = decide(policy, attempts);
        if (verdict.kind === 'give-up') throw tellFailure(error, source.where);
        await pause(verdict.pause, limit.signal);
      }
    }
  } finally {
    limit.done();
  }
}

async function proveOnce(
  source: Source,
  { headAtStart, stall }: RetryPolicy,
  signal: AbortSignal,
): Promise<Proof> {
  const wish = { timeout: headAtStart, signal };
  // No more than the proof, so that its connection is free for the film itself.
  const opened = await source.open({ ...wish, first: 0, last: PROOF_BYTES - 1 });
  const head = await readBytes(opened, PROOF_BYTES, { stall, signal });
  if (opened.partial || opened.size === 1) return { size: opened.size, head };
  // Only the overlap tells that a part is honoured, and that it starts where it says.
  const last = Math.min(head.byteLength, OVERLAP_BYTES) - 1;
  const part = await source.open({ ...wish, first: 1, last });
  if (part.size !== opened.size) {
    part.body.close();
    throw new SourceFailure('changed', `size is ${part.size} instead of ${opened.size}`);
  }
  const again = await readBytes(part, last, { stall, signal });
  if (!again.equals(head.subarray(1, last + 1)))
    throw new SourceFailure('wrong-answer', 'a part does not hold the bytes of the whole');
  return { size: opened.size, head };
}
