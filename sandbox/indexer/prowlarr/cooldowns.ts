import type { ProwlarrTimes } from './times.ts';

/** An indexer that Prowlarr lets rest after failures. Times in milliseconds since the epoch. */
export interface Cooldown {
  readonly indexerId: number;
  readonly until: number;
  readonly firstFailure: number;
  readonly latestFailure: number;
}

interface Trouble extends Cooldown {
  /** How many rests there were in a row, less those that successes have taken back. */
  readonly step: number;
}

/** Which indexers rest after failures, and until when (protocols.md §7.2). */
export class Cooldowns {
  readonly #troubles = new Map<number, Trouble>();
  readonly #times: Pick<ProwlarrTimes, 'cooldowns'>;
  readonly #now: () => number;

  constructor(times: Pick<ProwlarrTimes, 'cooldowns'>, now: () => number) {
    this.#times = times;
    this.#now = now;
  }

  /** undefined: it does not rest. */
  of(indexerId: number): Cooldown | undefined {
    const trouble = this.#troubles.get(indexerId);
    return trouble !== undefined && trouble.until > this.#now() ? trouble : undefined;
  }

  all(): readonly Cooldown[] {
    return [...this.#troubles.keys()].flatMap((id) => this.of(id) ?? []);
  }

  /** @param atLeast milliseconds: the first step that is as long is taken */
  failed(indexerId: number, atLeast = 0): void {
    const { cooldowns: rests } = this.#times;
    const now = this.#now();
    const before = this.#troubles.get(indexerId);
    const next = before?.step ?? 0;
    const long = rests.findIndex((rest, n) => n >= next && rest >= atLeast);
    const step = long === -1 ? rests.length - 1 : long;
    this.#troubles.set(indexerId, {
      indexerId,
      step: step + 1,
      until: now + (rests[step] ?? 0),
      firstFailure: before?.firstFailure ?? now,
      latestFailure: now,
    });
  }

  /** Ends its rest, and makes the next one a step shorter. */
  succeeded(indexerId: number): void {
    const before = this.#troubles.get(indexerId);
    if (before === undefined) return;
    if (before.step <= 1) this.#troubles.delete(indexerId);
    else this.#troubles.set(indexerId, { ...before, step: before.step - 1, until: 0 });
  }
}
