import { pause } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { RetryDecision } from '../policy/policies.ts';
import type { BodySink, ResponseBody } from '../source/http1/types.ts';
import { splitStart } from '../source/read-bytes.ts';
import type { OpenedRange } from '../source/source.ts';

export interface HedgeTask {
  /** Asks for the position at which the first body is silent. @throws as Source.open */
  readonly open: (signal: AbortSignal) => Promise<OpenedRange>;
  /** Milliseconds that may pass until its first byte. */
  readonly firstByteTimeout: () => number;
  /** What is done after it failed. */
  readonly decide: (failure: SourceFailure) => RetryDecision;
  readonly signal: AbortSignal;
}

/**
 * A second body beside one that went silent: a server that is slow is still at work on the first, while a connection
 * that has died never delivers. It counts once its first byte has come.
 */
export class HedgedRequest {
  readonly #task: HedgeTask;
  readonly #ending = new AbortController();
  /** The body, from its first byte on. @throws SourceFailure when it is given up; the reason of `drop` */
  readonly started: Promise<OpenedRange>;

  constructor(task: HedgeTask) {
    this.#task = task;
    this.started = this.#start(AbortSignal.any([task.signal, this.#ending.signal]));
  }

  /** Ends it, with its connection. */
  drop(): void {
    this.#ending.abort(SUPERSEDED);
  }

  async #start(signal: AbortSignal): Promise<OpenedRange> {
    const { open, firstByteTimeout: patience, decide } = this.#task;
    for (;;) {
      try {
        const opened = await open(signal);
        const { start, rest } = await splitStart(opened, 1, { stallTimeout: patience(), signal });
        return { ...opened, body: new PrefixedBody(start, rest?.body) };
      } catch (error) {
        if (!(error instanceof SourceFailure) || signal.aborted) throw error;
        const verdict = decide(error);
        if (verdict.kind === 'give-up') throw error;
        await pause(verdict.pause, signal);
      }
    }
  }
}

/** A body whose first byte has been read: it gives that first. */
class PrefixedBody implements ResponseBody {
  #start: Buffer | undefined;
  readonly #rest: ResponseBody | undefined;
  #sink: BodySink | undefined;
  #closed = false;

  constructor(start: Buffer, rest: ResponseBody | undefined) {
    this.#start = start;
    this.#rest = rest;
  }

  flow(sink: BodySink): void {
    this.#sink = sink;
    this.#goOn(sink);
  }

  resume(): void {
    if (this.#start === undefined) this.#rest?.resume();
    else if (this.#sink !== undefined) this.#goOn(this.#sink);
  }

  close(): void {
    this.#closed = true;
    this.#rest?.close();
  }

  #goOn(sink: BodySink): void {
    const room = this.#start === undefined ? undefined : sink.room();
    if (this.#start === undefined || room === undefined) return;
    room.set(this.#start);
    const { length } = this.#start;
    this.#start = undefined;
    sink.filled(length);
    this.#flowRest(sink);
  }

  /** The byte may have been all that was wanted. */
  #flowRest(sink: BodySink): void {
    if (this.#closed) return;
    if (this.#rest === undefined) sink.end(undefined);
    else this.#rest.flow(sink);
  }
}

const SUPERSEDED = new Error('the body beside it has been kept');
