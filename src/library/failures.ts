import * as v from 'valibot';
import type { SlipstreamError } from '../errors/index.ts';
import { type Document, openDocument } from '../io/store.ts';
import { type Logger, redact } from '../log/index.ts';

const Text = v.pipe(v.string(), v.maxLength(20_000));
const Failure = v.object({
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
export type KeptFailure = v.InferOutput<typeof Failure>;

const MOST = 10;
const MOST_LINES = 40;
const MOST_CAUSES = 5;
/** Characters of a line. */
const MOST_TEXT = 1_000;

/** The latest failures, the latest first. */
export const openFailures = (folder: string): Document<readonly KeptFailure[]> =>
  openDocument(folder, 'failures', { version: 1, parse: (value) => v.parse(v.array(Failure), value) });

interface About {
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
export async function keepFailure(
  failure: SlipstreamError,
  { folder, log, title, lines }: About,
): Promise<boolean> {
  const document = openFailures(folder);
  const { what, next } = failure.explanation;
  const kept: KeptFailure = {
    time: Date.now(),
    title: plain(title),
    code: failure.code,
    ...{ what: plain(what), next: plain(next) },
    causes: [failure.message, ...causesOf(failure)].map(plain),
    lines: lines.slice(-MOST_LINES).map(plain),
  };
  try {
    await document.write([kept, ...((await document.read()) ?? [])].slice(0, MOST));
    return true;
  } catch (error) {
    log.warning(`the failure is not kept: ${String(error)}`);
    return false;
  }
}

function causesOf(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause !== undefined && causes.length < MOST_CAUSES; ) {
    causes.push(cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

const plain = (text: string): string => redact(text).slice(0, MOST_TEXT);
