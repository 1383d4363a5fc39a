import type { BufferPolicy } from '../policy/buffer.ts';
import { type ConcurrencyPolicy, ConcurrencyTuner, concurrencyFor } from '../policy/concurrency.ts';
import type { OpenedRange } from '../source/source.ts';
import { BLOCK_SIZE } from './block-pool.ts';
import { Transfer } from './transfer.ts';
import type { TransferState, TransferTask } from './transfer-task.ts';

export interface TransfersOptions {
  readonly task: TransferTask;
  readonly policy: ConcurrencyPolicy;
  readonly buffer: Pick<BufferPolicy, 'skipBytes' | 'skipTime'>;
  /** One has ended, with the error that it could not go on from. */
  readonly onEnd: (transfer: Transfer, error: unknown) => void;
}

/** The connections of one file: how many read at once, and which brings which byte. */
export class Transfers {
  readonly #options: TransfersOptions;
  readonly #all = new Set<Transfer>();
  readonly #tuner: ConcurrencyTuner;

  constructor(options: TransfersOptions) {
    this.#options = options;
    this.#tuner = new ConcurrencyTuner(concurrencyFor(options.policy, options.task.source.serving));
  }

  /** Those at work now. */
  get count(): number {
    return this.#all.size;
  }

  /** Whether as many are at work as it takes. */
  get isFull(): boolean {
    return this.#all.size >= this.#tuner.width;
  }

  /** Another request is served by them: what was measured tells nothing of it. */
  reset(): void {
    this.#tuner.reset();
  }

  /** Reads from a position to the limit, exclusive. @param given As Transfer. */
  run(position: number, limit: number, given?: OpenedRange): void {
    const transfer = new Transfer(this.#options.task, position, limit, given);
    if (this.#tuner.width > 1) this.#limitToChunk(transfer);
    this.#all.add(transfer);
    const ended = (error?: unknown) => {
      this.#end(transfer);
      this.#options.onEnd(transfer, error);
    };
    transfer.run().then(() => {
      ended();
    }, ended);
  }

  endWhere(isUnneeded: (transfer: Transfer) => boolean): void {
    for (const transfer of this.#all) if (isUnneeded(transfer)) this.#end(transfer);
  }

  resumeWhere(mayGoOn: (transfer: Transfer) => boolean): void {
    for (const transfer of this.#all) if (transfer.paused && mayGoOn(transfer)) transfer.resume();
  }

  /** Where several are at work, each is held to its piece. */
  limitToChunks(): void {
    if (this.#tuner.width > 1) for (const transfer of this.#all) this.#limitToChunk(transfer);
  }

  /** Whether a transfer comes to a position soon enough. */
  willDeliver(transfer: TransferState, position: number): boolean {
    const { skipBytes: skip, skipTime } = this.#options.buffer;
    const before = position - transfer.position;
    const reach = Math.min(skip, transfer.rate.perMillisecond * skipTime);
    return before >= 0 && before <= reach && position < transfer.limit;
  }

  /** The same of any of them. */
  anyWillDeliver(position: number): boolean {
    return [...this.#all].some((transfer) => this.willDeliver(transfer, position));
  }

  /** Where the one ends, exclusive, that is to bring a position, however late; undefined: none is. */
  endAt(position: number): number | undefined {
    return [...this.#all].find((transfer) => position >= transfer.position && position < transfer.limit)
      ?.limit;
  }

  /** The next byte to come behind a position; Infinity where none is to. */
  startAfter(position: number): number {
    return Math.min(
      ...[...this.#all].map((transfer) => transfer.position).filter((start) => start > position),
      Infinity,
    );
  }

  /**
   * Bytes have come while a request stands at `position`: whether more connections are worth it is measured while it is
   * hungry. Gives whether there are now to be more, or fewer.
   */
  measure(bytes: number, position: number): boolean {
    let nearest = Infinity;
    let awaited = Infinity;
    for (const transfer of this.#all) {
      nearest = Math.min(nearest, transfer.position);
      awaited = Math.min(awaited, transfer.headAwaitedSince ?? Infinity);
    }
    if (nearest - position <= this.#options.policy.starvedBelow)
      return this.#tuner.received(bytes, performance.now(), awaited);
    this.#tuner.idle(bytes);
    return false;
  }

  /** Ends all at once, with their connections. */
  close(): void {
    this.endWhere(() => true);
  }

  /** One of several fetches a piece at a time, and leaves what follows to the others. */
  #limitToChunk(transfer: Transfer): void {
    transfer.shorten(blockEnd(transfer.position + this.#options.policy.chunkBytes));
  }

  #end(transfer: Transfer): void {
    this.#all.delete(transfer);
    transfer.close();
  }
}

/** The end of the block that holds the byte before `position`. */
const blockEnd = (position: number): number => Math.ceil(position / BLOCK_SIZE) * BLOCK_SIZE;
