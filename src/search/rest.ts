import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { ErrorCode, SlipstreamError } from '../errors/index.ts';
import { type Document, openDocument } from '../io/store.ts';
import type { Logger } from '../log/index.ts';

/** A source is left alone until a time. */
export interface Rest {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly reason: 'limit' | 'failures';
  /** Why, where somebody else says so: "it failed: Too Many Requests". Ends "… because …". */
  readonly why?: string;
}

/**
 * Which sources are left alone, also by the runs to come: one document for each source, the last writer wins. A rest
 * that cannot be kept on disk is kept by nobody; that is logged and stops nothing.
 */
export interface Rests {
  /** The source's rest; undefined when it may be asked. */
  of(sourceId: string): Promise<Rest | undefined>;
  /**
   * It answered: what it did before is forgotten. A rest that still runs is kept: as nobody asks a source that rests,
   * it began after that answer.
   */
  answered(sourceId: string): Promise<void>;
  /** It failed. Gives the rest that follows, if any. */
  failed(sourceId: string, failure: SlipstreamError): Promise<Rest | undefined>;
}

export interface RestsOptions {
  readonly folder: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A longer rest than this was written under another clock, or by somebody who does not mean it. */
const LONGEST = 24 * HOUR;

/** After the first limit in a row, the second …, where the source does not say how long (protocols.md §5.5). */
const LIMIT_RESTS = [5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, LONGEST];
/** The same for other failures: one may be chance, and nobody should wait long for a network that is back. */
const FAILURE_RESTS = [0, 0, MINUTE, 5 * MINUTE, 15 * MINUTE];

/** Failures that leaving alone may cure. A wrong key is cured in the settings only. */
const CURABLE: ReadonlySet<ErrorCode> = new Set([
  'UNREACHABLE',
  'TIMEOUT',
  'SERVICE_ERROR',
  'BAD_ANSWER',
  'TOO_LARGE',
]);

const Stored = v.object({
  until: v.pipe(v.number(), v.finite()),
  reason: v.picklist(['limit', 'failures']),
  /** In a row, each of its kind. */
  limits: v.pipe(v.number(), v.integer(), v.minValue(0)),
  failures: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
type Stored = v.InferOutput<typeof Stored>;

const NOTHING: Stored = { until: 0, reason: 'failures', limits: 0, failures: 0 };

export function openRests({ folder, log, now = Date.now }: RestsOptions): Rests {
  const write = async (document: Document<Stored>, stored: Stored) => {
    try {
      await document.write(stored);
    } catch (error) {
      log.warning(`a source's rest is not remembered: ${String(error)}`);
    }
  };
  return {
    of: async (sourceId) => restOf((await open(folder, sourceId).read()) ?? NOTHING, now()),
    answered: async (sourceId) => {
      const document = open(folder, sourceId);
      const stored = await document.read();
      if (stored === undefined || restOf(stored, now()) !== undefined) return;
      await document.remove().catch((error: unknown) => {
        log.warning(`a source's rest is not forgotten: ${String(error)}`);
      });
    },
    failed: async (sourceId, failure) => {
      const document = open(folder, sourceId);
      const next = after((await document.read()) ?? NOTHING, failure, now());
      if (next === undefined) return undefined;
      await write(document, next);
      return restOf(next, now());
    },
  };
}

/**
 * Sources that rest for their failures alone are asked all the same when everybody rests: whoever has just mended the
 * only one shall not be told to wait. A limit is kept in any case.
 */
export function unlessAllRest(rests: Rests, sourceIds: readonly string[]): Rests {
  const allRest = Promise.all(sourceIds.map((id) => rests.of(id))).then((all) =>
    all.every((rest) => rest !== undefined),
  );
  return {
    ...rests,
    of: async (id) => {
      const rest = await rests.of(id);
      return rest?.reason === 'failures' && (await allRest) ? undefined : rest;
    },
  };
}

/** A rest that runs is never made shorter, and stays one for a limit: another run may have sent its query before. */
function after(before: Stored, { code, retryAfter }: SlipstreamError, now: number): Stored | undefined {
  const running = restOf(before, now);
  const restFor = (ms: number) => Math.max(now + ms, running?.until ?? 0);
  if (code === 'RATE_LIMITED') {
    const limits = before.limits + 1;
    const ms = Math.min(retryAfter ?? stepOf(LIMIT_RESTS, limits), LONGEST);
    return { ...before, limits, reason: 'limit', until: restFor(ms) };
  }
  if (!CURABLE.has(code)) return undefined;
  const failures = before.failures + 1;
  const reason = running?.reason ?? 'failures';
  return { ...before, failures, reason, until: restFor(stepOf(FAILURE_RESTS, failures)) };
}

const stepOf = (steps: readonly number[], count: number) => steps[Math.min(count, steps.length) - 1] ?? 0;

function restOf({ until, reason }: Stored, now: number): Rest | undefined {
  return until > now && until - now <= LONGEST ? { until, reason } : undefined;
}

/** The file's name is a hash: an id may hold anything. */
function open(folder: string, sourceId: string): Document<Stored> {
  const hash = createHash('sha256').update(sourceId).digest('hex').slice(0, 16);
  return openDocument(folder, `rest-${hash}`, { version: 1, parse: (value) => v.parse(Stored, value) });
}
