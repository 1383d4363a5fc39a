import { pause } from '../../io/wait.ts';
import type { BufferPolicy } from '../policy/buffer.ts';

/**
 * The rest after a read ahead that failed: nobody waited for it, or whoever did will ask again. It grows while no byte
 * comes, for a film may be paused all night.
 */
export class ReadAheadCooldown {
  readonly #policy: BufferPolicy;
  readonly #signal: AbortSignal;
  readonly #onOver: () => void;
  /** Ends the rest that is on; undefined: none is. */
  #ending: AbortController | undefined;
  /** How often there was one, without a byte in between. */
  #count = 0;

  /** @param onOver Called when a rest has passed. */
  constructor(policy: BufferPolicy, signal: AbortSignal, onOver: () => void) {
    this.#policy = policy;
    this.#signal = signal;
    this.#onOver = onOver;
  }

  get isActive(): boolean {
    return this.#ending !== undefined;
  }

  start(): void {
    if (this.#ending !== undefined) return;
    const ending = new AbortController();
    this.#ending = ending;
    const { cooldown: rest, maxCooldown: longestRest } = this.#policy;
    pause(
      Math.min(rest * 2 ** this.#count++, longestRest),
      AbortSignal.any([this.#signal, ending.signal]),
    ).then(
      () => {
        this.#ending = undefined;
        this.#onOver();
      },
      () => undefined,
    );
  }

  /** What failed has been dealt with. */
  end(): void {
    this.#ending?.abort(COOLDOWN_OVER);
    this.#ending = undefined;
  }

  /** Bytes have come. */
  reset(): void {
    this.#count = 0;
  }
}

const COOLDOWN_OVER = new Error('the rest is over');
