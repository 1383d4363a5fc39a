import { setTimeout as pause } from 'node:timers/promises';

/** Keeps the queries to one host apart, also those of different indexers and searches (protocols.md §7.2). */
export class Hosts {
  /** When the next query to a host may leave, by `performance.now()`. */
  readonly #free = new Map<string, number>();
  readonly #between: number;

  /** @param between milliseconds between two queries */
  constructor(between: number) {
    this.#between = between;
  }

  /** Waits until a query to the host may leave. */
  async turn(host: string, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#free.get(host) ?? 0);
    this.#free.set(host, at + this.#between);
    await pause(at - now, undefined, { signal });
  }
}
