import * as v from 'valibot';
import type { SlipstreamError } from '../errors/index.ts';
import { openDocument, type StoredDocument } from '../io/store.ts';
import { type Logger, redact } from '../log/index.ts';

const Text = v.pipe(v.string(), v.maxLength(20_000));
const StoredFailure = v.object({
  /** Milliseconds since 1970. */
  time: v.number(),
  /** What was to be played. */
  title: Text,
  /** ErrorCode; of another version it may be another. */
  code: Text,
  what: Text,
  next: Text,
  /** What it was caused by, the outermost first. */
  causes: v.array(Text),
  /** The last lines of the log before it. */
  lines: v.array(Text),
});
/** A failure in full. Nothing of it is secret. */
export type StoredFailure = v.InferOutput<typeof StoredFailure>;

const MAX_FAILURES = 10;
const MAX_LINES = 40;
const MAX_CAUSES = 5;
/** Characters of a line. */
const MAX_TEXT = 1_000;

/** The latest failures, the latest first. */
export const openFailures = (folder: string): StoredDocument<readonly StoredFailure[]> =>
  openDocument(folder, 'failures', { version: 1, parse: (value) => v.parse(v.array(StoredFailure), value) });

interface FailureContext {
  readonly folder: string;
  readonly log: Logger;
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Keeps a failure for who asks later: a message on the screen is gone soon. Never fails: the failure itself is worse.
 *
 * @returns whether it could be kept
 */
export async function storeFailure(
  failure: SlipstreamError,
  { folder, log, title, lines }: FailureContext,
): Promise<boolean> {
  const document = openFailures(folder);
  const { what, next } = failure.explanation;
  const kept: StoredFailure = {
    time: Date.now(),
    title: redactedText(title),
    code: failure.code,
    what: redactedText(what),
    next: redactedText(next),
    causes: [failure.message, ...causesOf(failure)].map(redactedText),
    lines: lines.slice(-MAX_LINES).map(redactedText),
  };
  try {
    await document.write([kept, ...((await document.read()) ?? [])].slice(0, MAX_FAILURES));
    return true;
  } catch (error) {
    log.warning(`the failure is not kept: ${String(error)}`);
    return false;
  }
}

function causesOf(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause !== undefined && causes.length < MAX_CAUSES; ) {
    causes.push(cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

const redactedText = (text: string): string => redact(text).slice(0, MAX_TEXT);
