/** Where a body ends, and which of its connection's bytes are its own (RFC 9112 §6.3). */
export interface Framing {
  /** So many of the next bytes are the body's; 0: none, or none before `parse` has taken in more. */
  readonly run: number;
  /** The body is complete. */
  readonly isDone: boolean;
  /** So many of the run were delivered. */
  take(bytes: number): void;
  /**
   * Takes in what stands around the body's bytes; to be called while there is no run. Gives how many bytes it has taken
   * from the beginning; 0: it must see more.
   *
   * @throws SourceFailure wrong-answer
   */
  parse(bytes: Buffer): number;
  /** What is missing if the connection ends here; undefined: nothing, it is complete. */
  missing(): string | undefined;
}
