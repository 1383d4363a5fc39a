import type { SourceFailure } from '../../policy/failure.ts';

/**
 * Where a body's bytes go. The connection asks for room before it reads, so that the kernel writes each byte to its
 * final place; when there is none, it stops reading, and the server stops sending.
 */
export interface BodySink {
  /** Where the next bytes shall be put, at least one; undefined: nowhere now, read on after `resume`. */
  room(): Uint8Array | undefined;
  /** So many bytes, at least one, now stand at the beginning of the last room. */
  filled(bytes: number): void;
  /** Nothing more comes: the body is complete, or why it is not. Called once, never after `close`. */
  end(failure: SourceFailure | undefined): void;
}

/** The body of an answer. Nothing is read before `flow`. */
export interface ResponseBody {
  /** Begins delivery. Called again once the sink has said that it has no room, another one takes what follows. */
  flow(sink: BodySink): void;
  /** There is room again. */
  resume(): void;
  /**
   * Frees everything behind it, at once; may be called at any time and more than once. A body that was delivered
   * completely has given its connection back before; any other takes its connection with it.
   */
  close(): void;
}

/** An answer whose head has come. */
export interface UpstreamResponse {
  readonly status: number;
  /** By lower-case names; a repeated field's values are joined by ", " (RFC 9110 §5.2). */
  readonly headers: ReadonlyMap<string, string>;
  /** Framed by Content-Length, by chunks, or by the connection's end (RFC 9112 §6.3). */
  readonly body: ResponseBody;
}
