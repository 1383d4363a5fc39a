/** Milliseconds. */
export interface Lifetime {
  /** Until it ends, from the person's last press or change on. */
  readonly idle: number;
  /** In all. */
  readonly max: number;
}

const LIFETIME: Lifetime = { idle: 10 * 60_000, max: 60 * 60_000 };

/** How long the set-up is open still: whoever enters something has time for it, and nobody leaves it open for good. */
export class TimeLeft {
  readonly #idle: number;
  readonly #last: number;
  #ends: number;

  constructor(lifetime: Partial<Lifetime> = {}) {
    const { idle, max: most } = { ...LIFETIME, ...lifetime };
    const now = performance.now();
    this.#idle = idle;
    this.#last = now + most;
    this.#ends = now + Math.min(idle, most);
  }

  /** Milliseconds; 0: it is over. */
  get left(): number {
    return Math.max(0, this.#ends - performance.now());
  }

  /** Milliseconds as a page is told them: until the end, and until the one that nothing puts off, "600000 3540000". */
  get asText(): string {
    const now = performance.now();
    return [this.#ends, this.#last].map((end) => Math.max(0, Math.floor(end - now))).join(' ');
  }

  /** The person has pressed or changed something. What is over stays over. */
  prolong(): void {
    const now = performance.now();
    if (this.#ends > now) this.#ends = Math.min(this.#last, now + this.#idle);
  }
}
