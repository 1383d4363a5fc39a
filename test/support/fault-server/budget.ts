import type { Fault } from './script.ts';

/** Counts each fault's chances, and says whether it strikes. */
export class Budget {
  readonly #chances = new Map<Fault, number>();

  /** The fault has a chance now: whether it takes it. */
  strikes(fault: Fault): boolean {
    const before = this.#chances.get(fault) ?? 0;
    this.#chances.set(fault, before + 1);
    const skip = fault.skip ?? 0;
    return before >= skip && before < skip + (fault.times ?? Infinity);
  }

  /** Whether it will never strike again. */
  spent(fault: Fault): boolean {
    return (this.#chances.get(fault) ?? 0) >= (fault.skip ?? 0) + (fault.times ?? Infinity);
  }
}
