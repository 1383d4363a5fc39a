/** Answers that are looked back at: a server's speed changes with the line's load. */
const MAX_SAMPLES = 9;

/** How long one server takes until the head of an answer comes. */
export class AnswerTimes {
  #last: readonly number[] = [];

  /** An answer came after so many milliseconds. */
  add(ms: number): void {
    this.#last = [...this.#last.slice(1 - MAX_SAMPLES), ms];
  }

  /** The median of the last ones, in milliseconds; 0 while there is none. */
  get usual(): number {
    const sorted = [...this.#last].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}
