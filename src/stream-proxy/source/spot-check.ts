import { pause } from '../../io/wait.ts';
import { detectFiller } from '../../media/detect-filler.ts';
import type { Hole } from '../../media/fill-types.ts';
import type { RangedReader } from '../../media/ranged-reader.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import type { RetryPolicy } from '../policy/policies.ts';
import { readBytes } from './read-bytes.ts';
import type { ByteSource } from './source.ts';

/** What a spot check has found. Only `lost` says something of the file: trouble of the server proves nothing. */
export type SpotCheckResult =
  | { readonly kind: 'there' }
  | { readonly kind: 'lost' | 'unknown'; readonly failure: SourceFailure };

export interface SpotCheckOptions {
  readonly source: ByteSource;
  readonly size: number;
  /** Asked for where the bytes alone do not tell. */
  readonly mime: () => Promise<string>;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** Bytes that a check reads. */
const SAMPLE_BYTES = 64 * 1024;
/** Milliseconds until a place where reading broke off is read once more: a server may just be restarting. */
const RETRY_DELAY = 1_000;
/** What the server says of this place, and not of itself; `broken` only when it happens twice. */
const FILE_FAILURES: ReadonlySet<FailureKind> = new Set(['missing', 'withdrawn']);
const RETRIED_FAILURES: ReadonlySet<FailureKind> = new Set(['broken', 'unavailable', 'away']);

/** The first byte that a check of `part` (0 to 1) of a file reads: a whole number, inside of the file. */
export function positionOf(part: number, size: number): number {
  return Math.floor(Math.max(0, size - SAMPLE_BYTES) * part);
}

/** Reads a piece of the file from a place on. Rejects only when the signal aborts. */
export async function spotCheck(place: number, options: SpotCheckOptions): Promise<SpotCheckResult> {
  const finding = await checkOnce(place, options);
  if (finding.kind === 'there' || !RETRIED_FAILURES.has(finding.failure.kind)) return finding;
  await pause(RETRY_DELAY, options.signal);
  const again = await checkOnce(place, options);
  if (again.kind === 'there' || again.failure.kind !== 'broken' || finding.failure.kind !== 'broken')
    return again;
  return { kind: 'lost', failure: again.failure };
}

async function checkOnce(place: number, options: SpotCheckOptions): Promise<SpotCheckResult> {
  const { source, size } = options;
  const run = { first: place, last: Math.min(size, place + SAMPLE_BYTES) - 1 };
  try {
    const bytes = await readRun(run, options);
    const isFilled = source.serving?.zeroFills === true && bytes.byteLength === SAMPLE_BYTES;
    const filling = isFilled ? await fillerAt(place, bytes, options) : undefined;
    if (filling === undefined) return { kind: 'there' };
    return {
      kind: 'lost',
      failure: new SourceFailure('missing', `${SAMPLE_BYTES} bytes of ${filling} at ${place}`),
    };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { kind: FILE_FAILURES.has(error.kind) ? 'lost' : 'unknown', failure: error };
  }
}

function fillerAt(first: number, bytes: Uint8Array, options: SpotCheckOptions) {
  const file: RangedReader = {
    size: options.size,
    read: (from, to, signal) => readRun({ first: from, last: to }, { ...options, signal }),
  };
  return detectFiller({ bytes, first, file, mime: options.mime }, options.signal);
}

async function readRun(
  { first, last }: Hole,
  { source, size, policy, signal }: SpotCheckOptions,
): Promise<Buffer> {
  const opened = await source.open({ first, last, size, timeout: policy.nextByteTimeout, signal });
  return await readBytes(opened, last - first + 1, { stallTimeout: policy.stallTimeout, signal });
}
