import type { AheadPolicy } from '../policy/ahead.ts';
import { type LanePolicy, LaneTuner, lanesFor } from '../policy/lanes.ts';
import type { OpenedRange } from '../source/source.ts';
import { BLOCK } from './block-pool.ts';
import { Lane } from './lane.ts';
import type { LanePlace, LaneTask } from './lane-task.ts';

export interface LanesOptions {
  readonly task: LaneTask;
  readonly policy: LanePolicy;
  readonly ahead: Pick<AheadPolicy, 'skip' | 'skipTime'>;
  /** One has ended, with the error that it could not go on from. */
  readonly onEnd: (lane: Lane, error: unknown) => void;
}

/** The connections of one file: how many read at once, and which brings which byte. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #all = new Set<Lane>();
  readonly #tuner: LaneTuner;

  constructor(options: LanesOptions) {
    this.#options = options;
    this.#tuner = new LaneTuner(lanesFor(options.policy, options.task.source.serving));
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

  /** Reads from a position to the limit, exclusive. @param given As Lane. */
  run(position: number, limit: number, given?: OpenedRange): void {
    const lane = new Lane(this.#options.task, position, limit, given);
    if (this.#tuner.width > 1) this.#bound(lane);
    this.#all.add(lane);
    const ended = (error?: unknown) => {
      this.#end(lane);
      this.#options.onEnd(lane, error);
    };
    lane.run().then(() => {
      ended();
    }, ended);
  }

  endWhere(isUnneeded: (lane: Lane) => boolean): void {
    for (const lane of this.#all) if (isUnneeded(lane)) this.#end(lane);
  }

  resumeWhere(mayGoOn: (lane: Lane) => boolean): void {
    for (const lane of this.#all) if (lane.paused && mayGoOn(lane)) lane.resume();
  }

  /** Where several are at work, each is held to its piece. */
  boundAll(): void {
    if (this.#tuner.width > 1) for (const lane of this.#all) this.#bound(lane);
  }

  /** Whether a lane comes to a position soon enough. */
  brings(lane: LanePlace, position: number): boolean {
    const { skip, skipTime } = this.#options.ahead;
    const before = position - lane.position;
    const reach = Math.min(skip, lane.rate.perMillisecond * skipTime);
    return before >= 0 && before <= reach && position < lane.limit;
  }

  /** The same of any of them. */
  bring(position: number): boolean {
    return [...this.#all].some((lane) => this.brings(lane, position));
  }

  /** Where the one ends, exclusive, that is to bring a position, however late; undefined: none is. */
  endAt(position: number): number | undefined {
    return [...this.#all].find((lane) => position >= lane.position && position < lane.limit)?.limit;
  }

  /** The next byte to come behind a position; Infinity where none is to. */
  startAfter(position: number): number {
    return Math.min(
      ...[...this.#all].map((lane) => lane.position).filter((start) => start > position),
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
    for (const lane of this.#all) {
      nearest = Math.min(nearest, lane.position);
      awaited = Math.min(awaited, lane.headAwaitedSince ?? Infinity);
    }
    if (nearest - position <= this.#options.policy.hungry)
      return this.#tuner.received(bytes, performance.now(), awaited);
    this.#tuner.idle(bytes);
    return false;
  }

  /** Ends all at once, with their connections. */
  close(): void {
    this.endWhere(() => true);
  }

  /** One of several fetches a piece at a time, and leaves what follows to the others. */
  #bound(lane: Lane): void {
    lane.shorten(blockEnd(lane.position + this.#options.policy.piece));
  }

  #end(lane: Lane): void {
    this.#all.delete(lane);
    lane.close();
  }
}

/** The end of the block that holds the byte before `position`. */
const blockEnd = (position: number): number => Math.ceil(position / BLOCK) * BLOCK;
