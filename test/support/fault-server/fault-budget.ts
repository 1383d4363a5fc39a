import type { Fault } from './script.ts';

/** Counts each fault's chances, and says whether it strikes. */
export class FaultBudget {
  readonly #chances = new Map<Fault, number>();
  readonly #struck = new Map<Fault, number>();

  /** How often each fault has struck. */
  get struck(): ReadonlyMap<Fault, number> {
    return this.#struck;
  }

  /** The fault has a chance now: whether it takes it. */
  strikes(fault: Fault): boolean {
    const before = this.#chances.get(fault) ?? 0;
    this.#chances.set(fault, before + 1);
    const skip = fault.skip ?? 0;
    const strikes = before >= skip && before < skip + (fault.times ?? Infinity);
    if (strikes) this.#struck.set(fault, (this.#struck.get(fault) ?? 0) + 1);
    return strikes;
  }
}
