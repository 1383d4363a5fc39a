import { CancelledError, type Explanation } from '../../errors/index.ts';
import type { PlanFill } from '../../media/fill.ts';
import { type SourceFailure, tellFailure } from '../policy/failure.ts';
import type { decide as decideStage, Policies } from '../policy/policy.ts';
import type { BlockPool } from '../reader/block-pool.ts';
import { Fetcher } from '../reader/fetcher.ts';
import type { readRange } from '../reader/reader.ts';
import { warm } from '../reader/warm.ts';
import type { Source } from '../source/source.ts';
import { type Counters, type Decision, Journal, type Latency } from './journal.ts';
import type { SessionRecord } from './record.ts';
import { FetchedSubtitles } from './subtitles.ts';

/** What a session tells about itself; holds no secret but its id, which opens the stream. */
export interface SessionReport {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  /** Host and port of the upstream. */
  readonly from: string;
  /** Its `active` tells whether the player is reading now. */
  readonly counters: Readonly<Counters>;
  /** Bytes in memory, those of them that come next for the player, and connections to the upstream now. */
  readonly buffer: { readonly used: number; readonly ahead: number; readonly connections: number };
  /** Absent before the first request. */
  readonly latency?: Latency;
  /** The bytes that are not the source's own; both ends inclusive. */
  readonly fills: readonly { readonly first: number; readonly last: number; readonly how: string }[];
  /** Why the last request that could not be served to its end was not, and when. */
  readonly failure?: SessionFailure;
  /** Bits per second that the upstream kept up where nothing else was the limit; absent while nobody knows. */
  readonly sustained?: number;
  /** Milliseconds since the player last asked for it or read from it; 0 while it reads. */
  readonly unusedFor: number;
  /** The last ones, oldest first. */
  readonly decisions: readonly Decision[];
}

/** In the person's words. */
export interface SessionFailure extends Explanation {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface SessionTools {
  /** As many as the record names, in its order. */
  readonly sources: readonly [Source, ...Source[]];
  readonly pool: BlockPool;
  readonly policies: Policies;
  readonly decide: typeof decideStage;
  readonly planFill: PlanFill;
  /** Called when the record has changed. */
  readonly onChange: () => void;
  /** Called with each decision. */
  readonly onDecision?: (what: string) => void;
}

/** One file that is being played. */
export class Session {
  readonly journal: Journal;
  readonly fetcher: Fetcher;
  readonly source: Source;
  readonly fetchedSubtitles = new FetchedSubtitles();
  readonly #record: SessionRecord;
  /** Those of when it was begun. */
  readonly policies: Policies;
  readonly #ending = new AbortController();
  readonly #requests = new Set<AbortController>();
  #lastUse = performance.now();
  #failure: SessionFailure | undefined;

  constructor(record: SessionRecord, tools: SessionTools) {
    const { sources, pool, policies, decide, planFill, onChange } = tools;
    const { size, mime, fills } = record;
    this.#record = record;
    this.policies = policies;
    this.journal = new Journal(tools.onDecision);
    [this.source] = sources;
    const { source, journal } = this;
    this.fetcher = new Fetcher({
      ...{ source, size, mime, fills, pool, policies, decide, planFill, journal },
      onFill: onChange,
    });
  }

  get record(): SessionRecord {
    return { ...this.#record, fills: this.fetcher.holes.fills };
  }

  get counters(): Readonly<Counters> {
    return this.journal.counters;
  }

  /** Milliseconds since the player last asked for it or read from it; 0 while it reads. */
  get unusedFor(): number {
    return this.counters.active > 0 ? 0 : Math.round(performance.now() - this.#lastUse);
  }

  /** Ties a request of the player to the session; call the result when it has ended. */
  begin(request: AbortController): () => void {
    const { counters } = this.journal;
    this.#requests.add(request);
    counters.requests++;
    counters.active++;
    return () => {
      if (this.#requests.delete(request)) counters.active--;
      this.used();
    };
  }

  /** The player has shown that it still wants the file. */
  used(): void {
    this.#lastUse = performance.now();
  }

  /** A request of the player could not be served to its end. */
  failed(failure: SourceFailure): void {
    this.#failure = { ...tellFailure(failure, this.source.where).explanation, at: Date.now() };
  }

  /** Begins to fetch what players ask for first. */
  warm(read: typeof readRange): void {
    const { fetcher, journal } = this;
    const { ahead, read: policy } = this.policies;
    const { signal } = this.#ending;
    warm({ read, fetcher, journal, policy, ahead, size: this.#record.size, signal }).catch(
      (error: unknown) => {
        if (!signal.aborted)
          journal.note(`reading ahead failed: ${error instanceof Error ? error.message : ''}`);
      },
    );
  }

  /** Breaks off every request and frees everything. */
  end(): void {
    this.#ending.abort(new CancelledError('shutdown'));
    for (const request of this.#requests) request.abort(new CancelledError('shutdown'));
    this.fetcher.close();
  }

  report(): SessionReport {
    const { id, name, size, mime, fills } = this.record;
    const { latency, decisions, sustained } = this.journal;
    const { cache, ahead, lanes } = this.fetcher;
    return {
      ...{ id, name, size, mime },
      from: this.source.where,
      counters: { ...this.counters },
      buffer: { used: cache.used, ahead, connections: lanes },
      ...(latency === undefined ? {} : { latency }),
      ...(sustained === undefined ? {} : { sustained }),
      fills: fills.map(({ first, last, how }) => ({ first, last, how })),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      unusedFor: this.unusedFor,
      decisions,
    };
  }
}
