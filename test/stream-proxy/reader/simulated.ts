import { type Deferred, deferred } from '../../../src/io/deferred.ts';
import { decideRetry, POLICIES, type Policies } from '../../../src/stream-proxy/policy/policies.ts';
import { BlockPool } from '../../../src/stream-proxy/reader/block-pool.ts';
import { Fetcher, type FetcherOptions } from '../../../src/stream-proxy/reader/fetcher.ts';
import { type LoanStream, type ReadJob, readRange } from '../../../src/stream-proxy/reader/read-range.ts';
import { SessionJournal } from '../../../src/stream-proxy/session/journal.ts';
import type { BodySink, ResponseBody } from '../../../src/stream-proxy/source/http1/types.ts';
import type { ByteSource, OpenedRange, RangeRequest } from '../../../src/stream-proxy/source/source.ts';
import { VirtualFileCheck, virtualBytes } from '../../support/virtual-file.ts';

// Upstreams without a network, for simulated time. They serve the virtual file.

type Failure = Parameters<BodySink['end']>[0];

/** A body of which a test says how it goes on. */
export class SimulatedBody implements ResponseBody {
  closed = false;
  position: number;
  readonly first: number;
  readonly #last: number;
  #sink: BodySink | undefined;
  #budget = 0;
  #over = false;
  /** How it has ended before anybody took it: told once somebody does. */
  #ended: { readonly failure: Failure } | undefined;

  constructor(first: number, last: number) {
    this.first = first;
    this.position = first;
    this.#last = last;
  }

  /** Whether its connection is still in use. */
  get isOpen(): boolean {
    return !this.closed && !this.#over;
  }

  flow(sink: BodySink): void {
    this.#sink = sink;
    if (this.#ended !== undefined) sink.end(this.#ended.failure);
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
    if (this.#sink === undefined) this.#ended = { failure };
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
export function opened(wish: RangeRequest, size: number): OpenedRange & { readonly body: SimulatedBody } {
  const range = { first: wish.first, last: wish.last ?? size - 1 };
  return { range, size, partial: true, headMs: 0, body: new SimulatedBody(range.first, range.last) };
}

export interface SimulatedFetcher extends Partial<FetcherOptions> {
  readonly source: ByteSource;
  readonly size: number;
}

/** A fetcher with the real policies, of a file in which nothing can be filled. */
export function simulatedFetcher(options: SimulatedFetcher) {
  const journal = new SessionJournal();
  const policies: Policies = options.policies ?? POLICIES;
  const fetcher = new Fetcher({
    mime: 'video/x-matroska',
    pool: new BlockPool(policies.buffer.totalMemory),
    policies,
    decide: decideRetry,
    planFill: () => Promise.resolve({ refused: 'simulated' }),
    journal,
    fills: [],
    lost: [],
    onFill: () => undefined,
    ...options,
  });
  return { fetcher, journal };
}

/** An upstream that answers at once; by default each answer comes as fast as it is taken. */
export class SimulatedUpstream implements ByteSource {
  readonly host = 'nas:8080';
  readonly label = 'The file server (simulated)';
  readonly validators = undefined;
  readonly bodies: SimulatedBody[] = [];
  readonly size: number;
  /** Connections that were in use at the same time, at most. */
  most = 0;
  /** What becomes of a wish, instead of an answer at once. */
  meanwhile: ((wish: RangeRequest) => Promise<void> | undefined) | undefined;
  /** Bytes of a new answer that may come at once. */
  speed = Infinity;

  constructor(size: number) {
    this.size = size;
  }

  get inUse(): readonly SimulatedBody[] {
    return this.bodies.filter(({ isOpen }) => isOpen);
  }

  async open(wish: RangeRequest): Promise<OpenedRange> {
    await this.meanwhile?.(wish);
    const range = opened(wish, this.size);
    this.bodies.push(range.body);
    this.most = Math.max(this.most, this.inUse.length);
    range.body.deliver(this.speed);
    return range;
  }
}

/** A player that reads one range up to where it is told, and checks each byte. */
export class SimulatedPlayer {
  readonly check: VirtualFileCheck;
  readonly bytes: LoanStream;
  /** Why it got no further. */
  failure: unknown;
  /** Milliseconds that it waited for a byte, at most. */
  longest = 0;
  #goal = 0;
  #resume: Deferred<void> = deferred();

  constructor(job: Omit<ReadJob, 'policy' | 'signal'>) {
    this.check = new VirtualFileCheck(job.range.first);
    this.bytes = readRange({ ...job, policy: POLICIES.read, signal: new AbortController().signal });
    this.#run().catch((error: unknown) => {
      this.failure = error;
    });
  }

  /** Reads so many bytes in all. */
  read(count: number): this {
    this.#goal = count;
    this.#resume.resolve();
    return this;
  }

  leave(): void {
    this.bytes.close();
  }

  async #run(): Promise<void> {
    for (;;) {
      while (this.check.count >= this.#goal) {
        this.#resume = deferred();
        await this.#resume.promise;
      }
      const since = performance.now();
      const loan = await this.bytes.next();
      this.longest = Math.max(this.longest, performance.now() - since);
      if (loan === undefined) return;
      this.check.take(loan.bytes);
      loan.release();
    }
  }
}
