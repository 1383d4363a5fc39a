import { inspect } from 'node:util';
import { inEnglish } from '../texts/catalogue.ts';
import { errorTexts } from '../texts/errors.ts';
import type { ErrorCode } from './codes.ts';

/** What a person is told: what failed, in their words, and the next step. */
export interface Explanation {
  /** Names what failed: "The indexer Example did not answer." */
  readonly what: string;
  /** The next step: "Check that it is running and that its address is right." */
  readonly next: string;
}

interface Options {
  readonly cause?: unknown;
  /** For the log only: technical, one line, may be long. */
  readonly detail?: string;
  /** Whether the same call may succeed a little later. */
  readonly transient?: boolean;
  /** Milliseconds that the other side asks to be left alone. */
  readonly retryAfter?: number;
  /** As SlipstreamError.broken. */
  readonly broken?: boolean;
  /** As SlipstreamError.stale. */
  readonly stale?: boolean;
  /** As SlipstreamError.isSummary. */
  readonly isSummary?: boolean;
  /** As SlipstreamError.failsAll. */
  readonly failsAll?: boolean;
}

/** Every failure that leaves a stage. `message` is for the log, `explanation` for the person. */
export class SlipstreamError extends Error {
  readonly code: ErrorCode;
  readonly explanation: Explanation;
  readonly transient: boolean;
  readonly retryAfter: number | undefined;
  /**
   * Proven to lie in what was posted: the same release would fail again, whoever tries it. Never said of an outage, a
   * timeout, a limit, a refusal, or of what could not be told apart from one.
   */
  readonly broken: boolean;
  /** What an earlier search gave is no longer good; a new one finds it again. */
  readonly stale: boolean;
  /** Together with failures before it in the same play it has told more than each: it is what the person is told of them. */
  readonly isSummary: boolean;
  /** It may be the service's that streams: then whatever else it streams fails alike. */
  readonly failsAll: boolean;

  constructor(code: ErrorCode, explanation: Explanation, options: Options = {}) {
    const detail = options.detail === undefined ? '' : ` (${options.detail})`;
    super(`${code}: ${inEnglish(explanation.what)}${detail}`, { cause: options.cause });
    this.name = 'SlipstreamError';
    this.code = code;
    this.explanation = explanation;
    this.transient = options.transient ?? false;
    this.retryAfter = options.retryAfter;
    this.broken = options.broken ?? false;
    this.stale = options.stale ?? false;
    this.isSummary = options.isSummary ?? false;
    this.failsAll = options.failsAll ?? false;
  }
}

/**
 * The person, or the shutting-down host, no longer wants the result. Its own outcome, never a failure:
 * nothing is retried and no error is shown.
 */
export class CancelledError extends Error {
  readonly by: 'person' | 'shutdown';

  constructor(by: 'person' | 'shutdown') {
    super(by === 'person' ? 'cancelled' : 'shutting down');
    this.name = 'CancelledError';
    this.by = by;
  }
}

/** Turns anything thrown into a SlipstreamError; an unforeseen one becomes INTERNAL with its cause kept. */
export function asSlipstreamError(error: unknown): SlipstreamError {
  if (error instanceof SlipstreamError) return error;
  return new SlipstreamError(
    'INTERNAL',
    { what: errorTexts.internal(), next: errorTexts.internalNext() },
    {
      cause: error,
      detail: error instanceof Error ? error.message : inspect(error, { depth: 1, breakLength: Infinity }),
    },
  );
}
