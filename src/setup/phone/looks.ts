import { CancelledError } from '../../errors/index.ts';

/** How a look around the network ended. */
export type LookEnd = 'whole' | 'stopped';

/** The looks around the network that are under way, for the phone to stop. */
export class Looks {
  #stopping = new AbortController();

  /** @throws what `look` throws, unless it was stopped */
  async run(look: (stopped: AbortSignal) => Promise<unknown>): Promise<LookEnd> {
    const stopped = this.#stopping.signal;
    try {
      await look(stopped);
      return 'whole';
    } catch (error) {
      if (!stopped.aborted) throw error;
      return 'stopped';
    }
  }

  stop(): void {
    this.#stopping.abort(new CancelledError('person'));
    this.#stopping = new AbortController();
  }
}
