import type { SourceFailure } from '../policy/failure.ts';

/** Bytes that are lost and may not be filled. Both ends inclusive. */
export interface LostRange {
  readonly first: number;
  readonly last: number;
  readonly why: string;
}

interface UnfillableRange extends LostRange {
  readonly failure: SourceFailure;
  /** performance.now() of when it is looked into again; Infinity: never. */
  readonly until: number;
}

/** More of them tell no more; the oldest are forgotten. */
const MAX_RANGES = 64;

/** The places that cannot be had, so that each request hears so at once and none asks the server again. */
export class LostRanges {
  #list: readonly UnfillableRange[] = [];

  /** Those that are lost for good. */
  get permanent(): readonly LostRange[] {
    return this.#list
      .filter(({ until }) => until === Infinity)
      .map(({ first, last, why }) => ({ first, last, why }));
  }

  add(refusal: UnfillableRange): void {
    this.#list = [...this.#list, refusal].slice(-MAX_RANGES);
  }

  /** Why the byte at a position cannot be had, as far as that is known. */
  at(position: number): SourceFailure | undefined {
    const now = performance.now();
    if (this.#list.some(({ until }) => until <= now))
      this.#list = this.#list.filter(({ until }) => until > now);
    return this.#list.find(({ first, last }) => first <= position && position <= last)?.failure;
  }
}
