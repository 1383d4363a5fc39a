import { type Watchdog, watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import { decideOnSilence, type RetryPolicy } from '../policy/policies.ts';
import type { OpenedRange } from '../source/source.ts';
import type { AnswerTimes } from './answer-times.ts';
import { HedgedRequest, type HedgeTask } from './hedged-request.ts';
import type { WaitState } from './range-opener.ts';

/** Milliseconds between two looks at a silent body. */
const CHECK_INTERVAL = 250;

export interface BodyWatchTask {
  readonly policy: RetryPolicy;
  /** For how long this server's bodies are silent, their beginnings among it. */
  readonly silences: AnswerTimes;
  /** Whether a request costs the server much. */
  readonly isCostly: boolean;
  /** The wait that the body is to end. */
  readonly waiting: () => WaitState | undefined;
  /** A second body for the next byte; undefined: none may follow what has come. */
  readonly hedge: () => HedgeTask | undefined;
  /** The second one has begun first, and takes the body's place. */
  readonly onHedgeWon: (opened: OpenedRange) => void;
  /** It has been silent for so long that this tells of trouble. */
  readonly onStall: (failure: SourceFailure) => void;
  /** Nothing comes any more, from either. */
  readonly onGiveUp: (failure: SourceFailure) => void;
}

/** Listens to one body: what is done while it is silent, and which of two is kept. */
export class BodyWatch {
  readonly #task: BodyWatchTask;
  readonly #watchdog: Watchdog;
  #silentSince = performance.now();
  #isPaused = false;
  #hasStalled = false;
  #hedge: HedgedRequest | undefined;
  /** One for each silence. */
  #hasHedged = false;
  /** What the first one failed of while the second was waited for. */
  #failure: SourceFailure | undefined;

  constructor(task: BodyWatchTask) {
    this.#task = task;
    this.#watchdog = watchdog(CHECK_INTERVAL, () => {
      this.#check();
    });
    // Chunks ask for room only once one has come.
    this.#watchdog.start();
  }

  /** Its bytes are taken. */
  resume(): void {
    if (this.#isPaused) this.#silentSince = performance.now();
    this.#isPaused = false;
    this.#watchdog.start();
  }

  /** Its bytes are not taken now: that they do not come is no silence. */
  pause(): void {
    this.#isPaused = true;
    this.#watchdog.stop();
    this.#dropHedge();
  }

  /** A byte of it has come. */
  bytesReceived(): void {
    const now = performance.now();
    const silent = now - this.#silentSince;
    this.#silentSince = now;
    if (silent < CHECK_INTERVAL) return;
    this.#task.silences.add(silent);
    this.#hasStalled = false;
    this.#hasHedged = false;
    this.#dropHedge();
  }

  /** It has ended. Gives whether the second one is waited for, which may go on in its place. */
  ended(failure: SourceFailure): boolean {
    if (this.#hedge === undefined) return false;
    this.#failure = failure;
    return true;
  }

  /** Ends all of it. */
  close(): void {
    this.#watchdog.end();
    this.#dropHedge();
  }

  #check(): void {
    const { policy, silences, isCostly: isDear, waiting, onStall, onGiveUp: onOver } = this.#task;
    const silent = performance.now() - this.#silentSince;
    if (silent >= policy.stallTimeout && !this.#hasStalled) {
      this.#hasStalled = true;
      onStall(silenceFailure());
    }
    const next = decideOnSilence(policy, {
      silent,
      usual: silences.usual,
      isCostly: isDear,
      wait: waiting(),
    });
    if (next === 'over') {
      onOver(this.#failure ?? silenceFailure());
      return;
    }
    if (next === 'hedge' && !this.#hasHedged) this.#startHedge();
    this.#watchdog.start();
  }

  #startHedge(): void {
    this.#hasHedged = true;
    const task = this.#task.hedge();
    if (task === undefined) return;
    const second = new HedgedRequest(task);
    this.#hedge = second;
    second.started.then(
      (opened) => {
        if (this.#hedge === second) this.#hedgeWon(opened);
        else opened.body.close();
      },
      (error: unknown) => {
        if (this.#hedge === second) this.#hedgeFailed(error);
      },
    );
  }

  #hedgeWon(opened: OpenedRange): void {
    this.#hedge = undefined;
    this.#task.onHedgeWon(opened);
  }

  /** The first one is listened to further, if it has not ended; what a second one says of the byte itself counts at once. */
  #hedgeFailed(error: unknown): void {
    this.#hedge = undefined;
    if (this.#failure !== undefined) this.#task.onGiveUp(this.#failure);
    else if (error instanceof SourceFailure && !this.#task.policy.transientKinds.includes(error.kind))
      this.#task.onGiveUp(error);
  }

  #dropHedge(): void {
    this.#hedge?.drop();
    this.#hedge = undefined;
  }
}

const silenceFailure = (): SourceFailure => new SourceFailure('stalled', 'the body went silent');
