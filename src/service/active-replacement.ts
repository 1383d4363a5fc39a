import { CancelledError } from '../errors/index.ts';
import type { LostFilm } from './lost-film.ts';

/** Another release is being made ready for a film, which may play still. */
export class ActiveReplacement {
  readonly #stop = new AbortController();
  readonly #filmEnd = new AbortController();
  #film: LostFilm;
  /** Whatever comes of it has been told. */
  isOver = false;

  constructor(film: LostFilm) {
    this.#film = film;
  }

  /** As it was heard of last. */
  get film(): LostFilm {
    return this.#film;
  }

  /** Aborts when the person has stopped the film: one that starts by itself later startles. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts when a film that played still has come to what is missing: from then on its release is waited for. */
  get filmBrokeOff(): AbortSignal {
    return this.#filmEnd.signal;
  }

  /** The film has broken off, so that its end is no stop of the person's. Gives whether what is under way goes on. */
  continueAfterEnd(film: LostFilm): boolean {
    if (!this.isOver) this.#film = film;
    this.#filmEnd.abort();
    return !this.isOver;
  }

  filmEnded(): void {
    if (!this.#filmEnd.signal.aborted) this.#stop.abort(new CancelledError('person'));
  }
}
