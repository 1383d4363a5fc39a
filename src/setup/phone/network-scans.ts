import { CancelledError } from '../../errors/index.ts';

/** How a look around the network ended. */
export type ScanEnd = 'whole' | 'stopped';

/** The looks around the network that are under way, for the phone to stop. */
export class NetworkScans {
  #abortControllers = new AbortController();

  /** @throws what `look` throws, unless it was stopped */
  async run(look: (stopped: AbortSignal) => Promise<unknown>): Promise<ScanEnd> {
    const stopped = this.#abortControllers.signal;
    try {
      await look(stopped);
      return 'whole';
    } catch (error) {
      if (!stopped.aborted) throw error;
      return 'stopped';
    }
  }

  stop(): void {
    this.#abortControllers.abort(new CancelledError('person'));
    this.#abortControllers = new AbortController();
  }
}
