import { CancelledError } from '../../errors/index.ts';

/**
 * Ctrl-C means what the person looks at: it goes back from a list, else cancels the progress, else ends the command.
 * The display that was opened last answers first, and each answers once, so that a second Ctrl-C goes one further.
 */
export interface Interrupts {
  /** Ctrl-C (SIGINT). */
  readonly interrupt: () => void;
  /** Somebody wants the command to end (SIGTERM, SIGHUP). */
  readonly terminate: () => void;
  /** Aborts, with a CancelledError, when the command has to end. */
  readonly aborted: AbortSignal;
  /** Lets an open display answer the next interrupt; call the result when it closes. */
  claim(answer: () => void): () => void;
  /** Displays that would answer now. */
  claimCount(): number;
}

export function createInterrupts(): Interrupts {
  const controller = new AbortController();
  let claims: readonly (() => void)[] = [];
  const terminate = () => {
    controller.abort(new CancelledError('shutdown'));
  };
  return {
    interrupt: () => {
      const answer = claims.at(-1) ?? terminate;
      claims = claims.slice(0, -1);
      answer();
    },
    terminate,
    aborted: controller.signal,
    claim: (answer) => {
      // Wrapped, so that two claims with the same function stay two.
      const claim = () => {
        answer();
      };
      claims = [...claims, claim];
      return () => {
        claims = claims.filter((other) => other !== claim);
      };
    },
    claimCount: () => claims.length,
  };
}
