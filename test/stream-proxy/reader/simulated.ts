import { decide, POLICIES, type Policies } from '../../../src/stream-proxy/policy/policy.ts';
import { BlockPool } from '../../../src/stream-proxy/reader/block-pool.ts';
import { Fetcher, type FetcherOptions } from '../../../src/stream-proxy/reader/fetcher.ts';
import { Journal } from '../../../src/stream-proxy/session/journal.ts';
import type { Body, Sink } from '../../../src/stream-proxy/source/http1/types.ts';
import type { OpenedRange, Source, Wish } from '../../../src/stream-proxy/source/source.ts';
import { virtualBytes } from '../../support/virtual-file.ts';

/** Upstreams without a network, for simulated time. They serve the virtual file. */

type Failure = Parameters<Sink['end']>[0];

/** A body of which a test says how it goes on. */
export class SimulatedBody implements Body {
  closed = false;
  position: number;
  readonly #last: number;
  #sink: Sink | undefined;
  #budget = 0;
  #over = false;

  constructor(first: number, last: number) {
    this.position = first;
    this.#last = last;
  }

  flow(sink: Sink): void {
    this.#sink = sink;
    this.#pump();
  }

  resume(): void {
    this.#pump();
  }

  close(): void {
    this.closed = true;
  }

  /** So many more bytes come, as soon as there is room for them. */
  deliver(bytes: number): void {
    this.#budget += bytes;
    this.#pump();
  }

  /** Nothing more comes. */
  end(failure: Failure): void {
    if (this.closed || this.#over) return;
    this.#over = true;
    this.#sink?.end(failure);
  }

  #pump(): void {
    while (this.#sink !== undefined && !this.closed && this.#budget > 0 && this.position <= this.#last) {
      const room = this.#sink.room();
      if (room === undefined) return;
      const bytes = Math.min(room.byteLength, this.#budget, this.#last - this.position + 1);
      room.set(virtualBytes(this.position, this.position + bytes - 1));
      this.#budget -= bytes;
      this.position += bytes;
      this.#sink.filled(bytes);
    }
    if (this.position > this.#last) this.end(undefined);
  }
}

/** An answer to a wish, whose body delivers nothing by itself. */
export function opened(wish: Wish, size: number): OpenedRange & { readonly body: SimulatedBody } {
  const range = { first: wish.first, last: wish.last ?? size - 1 };
  return { range, size, partial: true, body: new SimulatedBody(range.first, range.last) };
}

export interface SimulatedFetcher extends Partial<FetcherOptions> {
  readonly source: Source;
  readonly size: number;
}

/** A fetcher with the real policies, of a file in which nothing can be filled. */
export function simulatedFetcher(options: SimulatedFetcher) {
  const journal = new Journal();
  const policies: Policies = options.policies ?? POLICIES;
  const fetcher = new Fetcher({
    mime: 'video/x-matroska',
    pool: new BlockPool(policies.ahead.memory),
    policies,
    decide,
    planFill: () => Promise.resolve({ refused: 'simulated' }),
    journal,
    fills: [],
    onFill: () => undefined,
    ...options,
  });
  return { fetcher, journal };
}
