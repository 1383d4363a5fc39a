import type { ExplainedFailure, SessionTrouble } from '../stream-proxy.ts';
import type { Film } from './film.ts';

/** What the proxy knows of a stream. */
export interface StreamSource {
  /** Why it was given up last, in the person's words; undefined while it was not. */
  readonly lost?: ExplainedFailure | undefined;
  /** The part of the file (0 to 1) from which on so much is missing that it cannot be played; undefined: none. */
  readonly brokenFrom?: number | undefined;
  /** What is wrong with its server; undefined: nothing. */
  readonly trouble?: SessionTrouble | undefined;
}

/** What films are read from. */
export class StreamSources {
  /** By a film's URL; undefined when its session is gone. */
  readonly #find: (url: string) => StreamSource | undefined;

  constructor(find: (url: string) => StreamSource | undefined) {
    this.#find = find;
  }

  of({ url }: Film): StreamSource | undefined {
    return this.#find(url);
  }

  /** Why a film's source was given up since it was played again last; undefined: it was not. */
  lossOf(film: Film): ExplainedFailure | undefined {
    const { lost } = this.of(film) ?? {};
    return lost === film.ignoredLoss ? undefined : lost;
  }

  /** Whether nothing is known to be wrong with what a film is read from. */
  isServed(film: Film): boolean {
    return this.of(film)?.trouble === undefined && this.lossOf(film) === undefined;
  }

  /** The second to which a film has come. */
  positionOf(film: Film): number {
    return film.progress.position(this.isServed(film));
  }
}
