interface Act {
  readonly at: number;
  readonly act: () => unknown;
}

/** What happens while a service hands films out, by how much it has handed out. */
export class ServingScript {
  #sent = 0;
  #acts: readonly Act[] = [];

  /** Runs `act` as soon as so many bytes of films more have left, before another one does. */
  after(bytes: number, act: () => unknown): void {
    this.#acts = [...this.#acts, { at: this.#sent + bytes, act }];
  }

  /** Does what is due, then gives how many bytes may leave until something is. */
  async due(): Promise<number> {
    const due = this.#acts.filter(({ at }) => at <= this.#sent);
    this.#acts = this.#acts.filter((each) => !due.includes(each));
    for (const { act } of due) await act();
    return Math.min(...this.#acts.map(({ at }) => at - this.#sent), Infinity);
  }

  count(bytes: number): void {
    this.#sent += bytes;
  }
}
