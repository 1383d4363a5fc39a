import * as v from 'valibot';
import type { ErrorCode, SlipstreamError } from '../../errors/index.ts';
import { hexHash } from '../../io/hash.ts';
import { openDocument, type StoredDocument } from '../../io/store.ts';
import type { Logger } from '../../log/index.ts';

/** A source is left alone until a time. */
export interface Cooldown {
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
export interface Cooldowns {
  /** The source's rest; undefined when it may be asked. */
  of(sourceId: string): Promise<Cooldown | undefined>;
  /**
   * It answered: what it did before is forgotten. A rest that still runs is kept: as nobody asks a source that rests,
   * it began after that answer.
   */
  recordSuccess(sourceId: string): Promise<void>;
  /** It failed. Gives the rest that follows, if any. */
  recordFailure(sourceId: string, failure: SlipstreamError): Promise<Cooldown | undefined>;
}

export interface CooldownsOptions {
  readonly folder: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A longer rest than this was written under another clock, or by somebody who does not mean it. */
const MAX_COOLDOWN = 24 * HOUR;

/** After the first limit in a row, the second …, where the source does not say how long (protocols.md §5.5). */
const LIMIT_STEPS = [5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, MAX_COOLDOWN];
/** The same for other failures: one may be chance, and nobody should wait long for a network that is back. */
const FAILURE_STEPS = [0, 0, MINUTE, 5 * MINUTE, 15 * MINUTE];

/** Failures that leaving alone may cure. A wrong key is cured in the settings only. */
const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set([
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

const NO_COOLDOWN: Stored = { until: 0, reason: 'failures', limits: 0, failures: 0 };

export function openCooldowns({ folder, log, now = Date.now }: CooldownsOptions): Cooldowns {
  const write = async (document: StoredDocument<Stored>, stored: Stored) => {
    try {
      await document.write(stored);
    } catch (error) {
      log.warning(`a source's rest is not remembered: ${String(error)}`);
    }
  };
  return {
    of: async (sourceId) => cooldownOf((await documentOf(folder, sourceId).read()) ?? NO_COOLDOWN, now()),
    recordSuccess: async (sourceId) => {
      const document = documentOf(folder, sourceId);
      const stored = await document.read();
      if (stored === undefined || cooldownOf(stored, now()) !== undefined) return;
      await document.remove().catch((error: unknown) => {
        log.warning(`a source's rest is not forgotten: ${String(error)}`);
      });
    },
    recordFailure: async (sourceId, failure) => {
      const document = documentOf(folder, sourceId);
      const next = nextState((await document.read()) ?? NO_COOLDOWN, failure, now());
      if (next === undefined) return undefined;
      await write(document, next);
      return cooldownOf(next, now());
    },
  };
}

/**
 * Sources that rest for their failures alone are asked all the same when everybody rests: whoever has just mended the
 * only one shall not be told to wait. A limit is kept in any case.
 */
export function liftIfAllCooling(rests: Cooldowns, sourceIds: readonly string[]): Cooldowns {
  const areAllCooling = Promise.all(sourceIds.map((id) => rests.of(id))).then((all) =>
    all.every((cooldown) => cooldown !== undefined),
  );
  return {
    ...rests,
    of: async (id) => {
      const cooldown = await rests.of(id);
      return cooldown?.reason === 'failures' && (await areAllCooling) ? undefined : cooldown;
    },
  };
}

/** A rest that runs is never made shorter, and stays one for a limit: another run may have sent its query before. */
function nextState(before: Stored, { code, retryAfter }: SlipstreamError, now: number): Stored | undefined {
  const running = cooldownOf(before, now);
  const untilAtLeast = (ms: number) => Math.max(now + ms, running?.until ?? 0);
  if (code === 'RATE_LIMITED') {
    const limits = before.limits + 1;
    const ms = Math.min(retryAfter ?? stepOf(LIMIT_STEPS, limits), MAX_COOLDOWN);
    return { ...before, limits, reason: 'limit', until: untilAtLeast(ms) };
  }
  if (!TRANSIENT_CODES.has(code)) return undefined;
  const failures = before.failures + 1;
  const reason = running?.reason ?? 'failures';
  return { ...before, failures, reason, until: untilAtLeast(stepOf(FAILURE_STEPS, failures)) };
}

const stepOf = (steps: readonly number[], count: number) => steps[Math.min(count, steps.length) - 1] ?? 0;

function cooldownOf({ until, reason }: Stored, now: number): Cooldown | undefined {
  return until > now && until - now <= MAX_COOLDOWN ? { until, reason } : undefined;
}

/** The file's name is a hash: an id may hold anything. */
function documentOf(folder: string, sourceId: string): StoredDocument<Stored> {
  return openDocument(folder, `rest-${hexHash(sourceId, 16)}`, {
    version: 1,
    parse: (value) => v.parse(Stored, value),
  });
}
