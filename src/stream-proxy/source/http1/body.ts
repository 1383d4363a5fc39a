import { SourceFailure } from '../../policy/failure.ts';
import type { Framing } from './body-framing.ts';
import type { ConnectionReader, UpstreamConnection } from './connection.ts';
import type { BodySink, ResponseBody } from './types.ts';

/**
 * Bytes. A shorter run goes through the scratch, together with what follows it: one read where a straight one would
 * need two.
 */
const MIN_DIRECT_READ = 16 * 1024;

/** Carries one body from its connection into a sink. */
export class MessageBody implements ResponseBody, ConnectionReader {
  readonly #connection: UpstreamConnection;
  readonly #framing: Framing;
  readonly #release: () => void;
  #sink: BodySink | undefined;
  /** The sink's room that nothing has been put into yet. */
  #room: Uint8Array | undefined;
  #waiting = false;
  #isOver = false;
  #pumping = false;
  /** How often `resume` was called: it may be while the sink is being asked. */
  #resumes = 0;

  /** `release` gives the connection to whoever wants it next, or ends it. */
  constructor(connection: UpstreamConnection, framing: Framing, release: () => void) {
    this.#connection = connection;
    this.#framing = framing;
    this.#release = release;
  }

  flow(sink: BodySink): void {
    this.#sink = sink;
    this.#waiting = false;
    this.#pump();
  }

  resume(): void {
    this.#resumes++;
    this.#waiting = false;
    this.#pump();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#room = undefined;
    this.#connection.destroy();
  }

  arrived(): void {
    this.#pump();
  }

  filled(bytes: number): void {
    this.#pump(bytes);
  }

  ended(): void {
    this.#pump();
  }

  /** Moves on until more must be read or the sink has no room. `straight` bytes already stand in the room. */
  #pump(straight = 0): void {
    const sink = this.#sink;
    // The sink may call back from inside each of its functions.
    if (sink === undefined || this.#pumping) return;
    this.#pumping = true;
    try {
      if (straight > 0) this.#deliver(sink, straight);
      while (!this.#isOver && !this.#waiting && this.#step(sink));
    } finally {
      this.#pumping = false;
    }
  }

  /** Gives whether there is more to do now. */
  #step(sink: BodySink): boolean {
    const framing = this.#framing;
    if (framing.isDone) {
      this.#finish(sink, undefined);
      return false;
    }
    if (framing.run === 0) return this.#parse(sink);
    const room = this.#askForRoom(sink);
    if (room === undefined) return true;
    const bytes = this.#connection.moveInto(room, framing.run);
    if (bytes === 0) return this.#readOn(sink, room);
    this.#deliver(sink, bytes);
    return true;
  }

  #parse(sink: BodySink): boolean {
    let taken = 0;
    try {
      taken = this.#framing.parse(this.#connection.backlog);
    } catch (error) {
      this.#finish(sink, error as SourceFailure);
      return false;
    }
    this.#connection.skip(taken);
    return taken > 0 || this.#readOn(sink, undefined);
  }

  #askForRoom(sink: BodySink): Uint8Array | undefined {
    const resumes = this.#resumes;
    this.#room ??= sink.room();
    if (this.#isOver) return undefined;
    if (this.#room === undefined && this.#resumes === resumes) {
      this.#waiting = true;
      this.#connection.pause();
    }
    return this.#room;
  }

  #deliver(sink: BodySink, bytes: number): void {
    this.#room = undefined;
    this.#framing.take(bytes);
    sink.filled(bytes);
  }

  #readOn(sink: BodySink, room: Uint8Array | undefined): false {
    const { over } = this.#connection;
    const { run } = this.#framing;
    if (over !== undefined) this.#finish(sink, this.#cutShort(over.cause));
    else if (room === undefined || run < MIN_DIRECT_READ) this.#connection.read(undefined);
    else this.#connection.read(run < room.length ? room.subarray(0, run) : room);
    return false;
  }

  #cutShort(cause: Error | undefined): SourceFailure | undefined {
    if (cause !== undefined) return new SourceFailure('broken', cause.message, cause);
    const missing = this.#framing.missing();
    return missing === undefined ? undefined : new SourceFailure('broken', missing);
  }

  #finish(sink: BodySink, failure: SourceFailure | undefined): void {
    this.#isOver = true;
    this.#room = undefined;
    if (failure === undefined) this.#release();
    else this.#connection.destroy();
    sink.end(failure);
  }
}
