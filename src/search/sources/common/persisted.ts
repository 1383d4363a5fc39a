import * as v from 'valibot';
import { SlipstreamError } from '../../../errors/index.ts';
import { hexHash } from '../../../io/hash.ts';
import { openDocument } from '../../../io/store.ts';
import type { Logger } from '../../../log/index.ts';

/** Something that a service says about itself and rarely changes: asked for once in days, kept on disk. */
export interface Persisted<T> {
  /**
   * @throws SlipstreamError what the search itself would run into as well, unless that waits for it (`outlives`); all,
   *   where there is nothing to fall back to
   */
  get(signal: AbortSignal): Promise<T>;
  /** Asks anew. @throws as `get` */
  refresh(signal: AbortSignal): Promise<T>;
  /** Takes what somebody else has asked for just now. */
  set(value: T): Promise<void>;
}

interface PersistedOptions<T> {
  readonly folder: string;
  /** What it is: begins the file's name. */
  readonly topic: string;
  /** Whose it is; only a hash of it becomes part of the file's name, for an address may hold a secret. */
  readonly address: string;
  readonly who: string;
  readonly schema: v.GenericSchema<unknown, T>;
  /** Milliseconds. */
  readonly maxAge: number;
  readonly fetch: (signal: AbortSignal) => Promise<T>;
  /** What to go by when it cannot be had and was never known. */
  readonly fallback?: T;
  /** Whether the search itself waits until such a failure is over: until then what was known is good, however old. */
  readonly canUseStale?: (error: unknown) => boolean;
  readonly log: Logger;
}

/** Milliseconds until a service that could not say is asked again. */
const RETRY_INTERVAL = 3_600_000;

export function persisted<T>(options: PersistedOptions<T>): Persisted<T> {
  const {
    folder,
    topic,
    address,
    who,
    schema,
    maxAge: freshFor,
    fetch,
    fallback,
    canUseStale: outlives,
    log,
  } = options;
  const Stored = v.object({ until: v.number(), value: v.optional(schema) });
  const parse = (value: unknown) => v.parse(Stored, value);
  const document = openDocument(folder, `${topic}-${hexHash(address, 16)}`, { version: 3, parse });
  let known: { readonly until: number; readonly value?: T | undefined } | undefined;

  const keep = async (value: T | undefined, forMs: number) => {
    known = { until: Date.now() + forMs, value };
    await document.write(known).catch((error: unknown) => {
      log.warning(`${topic} of ${who}: not remembered: ${String(error)}`);
    });
  };

  const renew = async (signal: AbortSignal): Promise<T> => {
    try {
      const value = await fetch(signal);
      await keep(value, freshFor);
      return value;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const best = known?.value ?? fallback;
      if (best === undefined || isFatal(error)) throw error;
      log.warning(`${topic} of ${who}: not known: ${String(error)}`);
      await keep(known?.value, RETRY_INTERVAL);
      return best;
    }
  };

  const renewed = async (signal: AbortSignal): Promise<T> => {
    try {
      return await renew(signal);
    } catch (error) {
      if (signal.aborted || known?.value === undefined || outlives?.(error) !== true) throw error;
      return known.value;
    }
  };

  return {
    get: async (signal) => {
      signal.throwIfAborted();
      known ??= await document.read();
      if (known === undefined || !isFresh(known.until, freshFor)) return await renewed(signal);
      return known.value ?? fallback ?? (await renew(signal));
    },
    refresh: renew,
    set: (value) => keep(value, freshFor),
  };
}

/** A time further off than we ever set was written under another clock. */
function isFresh(until: number, freshFor: number): boolean {
  const left = until - Date.now();
  return left > 0 && left <= Math.max(freshFor, RETRY_INTERVAL);
}

/** What the search itself would run into as well. */
const isFatal = (error: unknown) =>
  error instanceof SlipstreamError && ['AUTH_FAILED', 'RATE_LIMITED', 'UNREACHABLE'].includes(error.code);
