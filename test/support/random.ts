import { createHash } from 'node:crypto';

/** Random choices that a seed repeats. */
export class Random {
  readonly #seed: number;
  #choices = 0;

  /** @param seed Any whole number; neighbours give unrelated rows. */
  constructor(seed: number) {
    this.#seed = seed;
  }

  /** From 0 up to, not including, 1; 53 bits. */
  next(): number {
    const digest = createHash('sha256')
      .update(`${this.#seed}:${this.#choices++}`)
      .digest();
    return Number(digest.readBigUInt64BE() >> 11n) / 2 ** 53;
  }

  /** Both ends inclusive. */
  int(min: number, max: number): number {
    return Math.min(max, min + Math.floor(this.next() * (max - min + 1)));
  }

  /** Every order of magnitude is as likely as the others. `min` is at least 1. */
  magnitude(min: number, max: number): number {
    return Math.min(max, Math.floor(min * (max / min) ** this.next()));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.int(0, list.length - 1)] ?? list[0];
  }
}
