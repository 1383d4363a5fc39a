import { type Watchdog, watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import { onSilence, type RetryPolicy } from '../policy/policy.ts';
import type { OpenedRange } from '../source/source.ts';
import type { AnswerTimes } from './answer-times.ts';
import { Beside, type BesideTask } from './beside.ts';
import type { Waiting } from './opener.ts';

/** Milliseconds between two looks at a silent body. */
const LOOK_AGAIN = 250;

export interface ListeningTask {
  readonly policy: RetryPolicy;
  /** For how long this server's bodies are silent, their beginnings among it. */
  readonly silences: AnswerTimes;
  /** Whether a request costs the server much. */
  readonly isDear: boolean;
  /** The wait that the body is to end. */
  readonly waiting: () => Waiting | undefined;
  /** A second body for the next byte; undefined: none may follow what has come. */
  readonly second: () => BesideTask | undefined;
  /** The second one has begun first, and takes the body's place. */
  readonly onBegun: (opened: OpenedRange) => void;
  /** It has been silent for so long that this tells of trouble. */
  readonly onStall: (failure: SourceFailure) => void;
  /** Nothing comes any more, from either. */
  readonly onOver: (failure: SourceFailure) => void;
}

/** Listens to one body: what is done while it is silent, and which of two is kept. */
export class Listening {
  readonly #task: ListeningTask;
  readonly #watchdog: Watchdog;
  #silentSince = performance.now();
  #held = false;
  #hasStalled = false;
  #second: Beside | undefined;
  /** One for each silence. */
  #isSecondSpent = false;
  /** What the first one failed of while the second was waited for. */
  #failure: SourceFailure | undefined;

  constructor(task: ListeningTask) {
    this.#task = task;
    this.#watchdog = watchdog(LOOK_AGAIN, () => {
      this.#look();
    });
    // Chunks ask for room only once one has come.
    this.#watchdog.start();
  }

  /** Its bytes are taken. */
  take(): void {
    if (this.#held) this.#silentSince = performance.now();
    this.#held = false;
    this.#watchdog.start();
  }

  /** Its bytes are not taken now: that they do not come is no silence. */
  hold(): void {
    this.#held = true;
    this.#watchdog.stop();
    this.#dropSecond();
  }

  /** A byte of it has come. */
  heard(): void {
    const now = performance.now();
    const silent = now - this.#silentSince;
    this.#silentSince = now;
    if (silent < LOOK_AGAIN) return;
    this.#task.silences.add(silent);
    this.#hasStalled = false;
    this.#isSecondSpent = false;
    this.#dropSecond();
  }

  /** It has ended. Gives whether the second one is waited for, which may go on in its place. */
  ended(failure: SourceFailure): boolean {
    if (this.#second === undefined) return false;
    this.#failure = failure;
    return true;
  }

  /** Ends all of it. */
  close(): void {
    this.#watchdog.end();
    this.#dropSecond();
  }

  #look(): void {
    const { policy, silences, isDear, waiting, onStall, onOver } = this.#task;
    const silent = performance.now() - this.#silentSince;
    if (silent >= policy.stall && !this.#hasStalled) {
      this.#hasStalled = true;
      onStall(silence());
    }
    const next = onSilence(policy, { silent, usual: silences.usual, isDear, wait: waiting() });
    if (next === 'over') {
      onOver(this.#failure ?? silence());
      return;
    }
    if (next === 'beside' && !this.#isSecondSpent) this.#askBeside();
    this.#watchdog.start();
  }

  #askBeside(): void {
    this.#isSecondSpent = true;
    const task = this.#task.second();
    if (task === undefined) return;
    const second = new Beside(task);
    this.#second = second;
    second.started.then(
      (opened) => {
        if (this.#second === second) this.#begun(opened);
        else opened.body.close();
      },
      (error: unknown) => {
        if (this.#second === second) this.#gaveUp(error);
      },
    );
  }

  #begun(opened: OpenedRange): void {
    this.#second = undefined;
    this.#task.onBegun(opened);
  }

  /** The first one is listened to further, if it has not ended; what a second one says of the byte itself counts at once. */
  #gaveUp(error: unknown): void {
    this.#second = undefined;
    if (this.#failure !== undefined) this.#task.onOver(this.#failure);
    else if (error instanceof SourceFailure && !this.#task.policy.passing.includes(error.kind))
      this.#task.onOver(error);
  }

  #dropSecond(): void {
    this.#second?.drop();
    this.#second = undefined;
  }
}

const silence = (): SourceFailure => new SourceFailure('stalled', 'the body went silent');
