import { CancelledError } from '../errors/index.ts';

/** Another release is being made ready for a film that plays still. */
export class Replacement {
  readonly #stop = new AbortController();
  /** The film has come to what is missing, so that its end is no stop of the person's. */
  #hasBrokenOff = false;
  /** Whatever comes of it has been told. */
  isOver = false;

  /** Aborts when the person has stopped the film: one that starts by itself later startles. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** The film has broken off. Gives whether what is under way goes on. */
  goesOn(): boolean {
    this.#hasBrokenOff = true;
    return !this.isOver;
  }

  filmEnded(): void {
    if (!this.#hasBrokenOff) this.#stop.abort(new CancelledError('person'));
  }
}
