import type { FailureKind } from '../policy/failure.ts';

/** Bodies that break off at one byte until it counts as missing. */
const BREAKS_UNTIL_MISSING = 2;

/** What has failed since the last byte. */
export class FailureStreak {
  readonly #kinds: FailureKind[] = [];
  /** Where bodies broke off, one after the other, with no byte between. */
  #brokenAt: number | undefined;
  #breaks = 0;

  get hasFailures(): boolean {
    return this.#kinds.length > 0;
  }

  /**
   * Whether bodies have broken off at a byte so often, this time included, that it counts as missing.
   */
  countBreakAt(position: number): boolean {
    this.#breaks = this.#brokenAt === position ? this.#breaks + 1 : 1;
    this.#brokenAt = position;
    return this.#breaks >= BREAKS_UNTIL_MISSING;
  }

  /** Counts a failed attempt; gives what the policy must know of it. */
  failed(kind: FailureKind): { kind: FailureKind; alike: number; fruitless: number } {
    this.#kinds.push(kind);
    const alike = this.#kinds.filter((other) => other === kind).length;
    return { kind, alike, fruitless: this.#kinds.length };
  }
}
