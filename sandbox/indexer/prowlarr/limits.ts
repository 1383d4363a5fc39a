import type { ProwlarrIndexer } from './indexer.ts';

export type RequestKind = 'query' | 'grab';

/** A limit of the person's own that is used up. */
export interface ReachedLimit {
  /** Until the next one is let through. */
  readonly seconds: number;
  readonly description: string;
}

const HOUR = 3_600_000;

/** Counts what was asked of each indexer, for the limits that the person has set in Prowlarr. */
export class RequestLimits {
  readonly #counted = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  count(what: RequestKind, { id }: ProwlarrIndexer): void {
    const key = `${what} ${id}`;
    this.#counted.set(key, [...(this.#counted.get(key) ?? []), this.#now()]);
  }

  /** undefined: there is no limit, or something of it is left. */
  usedUp(what: RequestKind, indexer: ProwlarrIndexer): ReachedLimit | undefined {
    const limit = what === 'query' ? indexer.queryLimit : indexer.grabLimit;
    if (limit === undefined) return undefined;
    const hours = indexer.limitsUnit === 'day' ? 24 : 1;
    const now = this.#now();
    const since = (this.#counted.get(`${what} ${indexer.id}`) ?? []).filter((at) => at > now - hours * HOUR);
    const oldest = since.at(-limit);
    if (oldest === undefined) return undefined;
    const name = what === 'query' ? 'Query' : 'Grab';
    return {
      seconds: Math.ceil((oldest + hours * HOUR - now) / 1000),
      description: `User configurable Indexer ${name} Limit of ${limit} in last ${hours} hour(s) reached.`,
    };
  }
}
