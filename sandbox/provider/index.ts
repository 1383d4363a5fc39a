import type { Clip } from '../clips/index.ts';
import { ARTICLE_BYTES, type Fetch, type Reader } from './articles.ts';
import { CostModel, type LoggedGet, type ModelOptions } from './model.ts';

export type { Fetch } from './articles.ts';
export type { LoggedGet, ModelOptions } from './model.ts';

/** Milliseconds between two looks at the clock while something is fetched. */
const TICK = 5;

/** Where the bytes of one body come from that the server has to fetch first. */
export interface Supply {
  /** Waits for bytes behind an offset; up to which there are some, or undefined: the body is cut, or nobody reads it. */
  beyond(offset: number, gone: AbortSignal): Promise<number | undefined>;
  /** The client has everything up to this offset. */
  took(to: number): void;
  /** The body is over, however it ended. */
  close(): void;
}

/** What was fetched of one file, or of all. */
export interface FetchedArticles {
  /** BODYs asked for. */
  readonly asked: number;
  /** How many of them were different ones. */
  readonly different: number;
  /** Bytes that came, as they travel. */
  readonly bytes: number;
}

/** The usenet provider behind a server of the sandbox: the cost model by the real clock. */
export interface Provider {
  open(clip: Clip, start: number, end: number | undefined): Supply;
  /** The GETs of files, in the order in which they came. */
  readonly gets: readonly LoggedGet[];
  readonly fetches: readonly Fetch[];
  /** Counts from the start, or from an earlier length of `fetches` on. */
  articles(from?: number): FetchedArticles;
  /** Different articles of a file that were fetched and that a player with the bytes up to `offset` has not read. */
  articlesBehind(file: string, offset: number): number;
}

export function startProvider(options: ModelOptions): Provider {
  const clock = new Clock(options);
  const { model } = clock;
  return {
    open: (clip, start, end) => supplyOf(clock, clip, start, end),
    gets: model.gets,
    fetches: model.fetches,
    articles: (from = 0) => counted(model.fetches.slice(from)),
    articlesBehind: (file, offset) => {
      const behind = model.fetches.filter(
        (fetch) => fetch.file === file && fetch.article * ARTICLE_BYTES >= offset,
      );
      return counted(behind).different;
    },
  };
}

function counted(fetches: readonly Fetch[]): FetchedArticles {
  return {
    asked: fetches.length,
    different: new Set(fetches.map(({ file, article }) => `${article} ${file}`)).size,
    bytes: Math.round(fetches.reduce((sum, { bytes }) => sum + bytes, 0)),
  };
}

/** Moves the model along with the real time while something goes on in it. */
class Clock {
  readonly model: CostModel;
  readonly #began = performance.now();
  readonly #watchers = new Set<() => void>();
  #ticking: NodeJS.Timeout | undefined;

  constructor(options: ModelOptions) {
    this.model = new CostModel(options);
  }

  /** Brings the model up to now, before something new happens in it. */
  catchUp(): void {
    this.model.advance(performance.now() - this.#began);
    this.#ticking ??= setInterval(() => {
      this.#tick();
    }, TICK);
  }

  /** Looks after each move of the clock; gives how to end that. */
  watch(look: () => void): () => void {
    this.#watchers.add(look);
    return () => this.#watchers.delete(look);
  }

  #tick(): void {
    this.catchUp();
    for (const look of [...this.#watchers]) look();
    if (!this.model.isIdle) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }
}

function supplyOf(clock: Clock, clip: Clip, start: number, end: number | undefined): Supply {
  clock.catchUp();
  const reader = clock.model.open(clip, start, end);
  return {
    beyond: (offset, gone) => bytesBeyond(clock, reader, offset, gone),
    took: (to) => {
      clock.catchUp();
      reader.took(to);
    },
    close: () => {
      clock.catchUp();
      clock.model.close(reader);
    },
  };
}

function bytesBeyond(
  clock: Clock,
  reader: Reader,
  offset: number,
  gone: AbortSignal,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const isDecided = () => gone.aborted || reader.available > offset || reader.isCut;
    const decide = () => {
      if (!isDecided()) return;
      unwatch();
      gone.removeEventListener('abort', decide);
      resolve(!gone.aborted && reader.available > offset ? reader.available : undefined);
    };
    const unwatch = clock.watch(decide);
    gone.addEventListener('abort', decide, { once: true });
    decide();
  });
}
