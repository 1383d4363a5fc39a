import type { FailureKind } from '../policy/failure.ts';

/** What has failed since the last byte. */
export class DrySpell {
  readonly #kinds: FailureKind[] = [];

  get begun(): boolean {
    return this.#kinds.length > 0;
  }

  /** Counts a failed attempt; gives what the policy must know of it. */
  failed(kind: FailureKind): { kind: FailureKind; alike: number; fruitless: number } {
    this.#kinds.push(kind);
    const alike = this.#kinds.filter((other) => other === kind).length;
    return { kind, alike, fruitless: this.#kinds.length };
  }
}
