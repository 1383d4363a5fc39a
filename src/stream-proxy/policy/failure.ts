import { type ErrorCode, type Explanation, SlipstreamError } from '../../errors/index.ts';

/** The ways in which one read from an upstream can fail. What each is worth is said in policies.ts. */
export type FailureKind =
  /** No connection, or it was lost before the answer's head. */
  | 'unreachable'
  /** Connected, but no byte came for too long. */
  | 'stalled'
  /** The body ended before its promised length. */
  | 'broken'
  /** 401 or 403. */
  | 'refused'
  /** 404 or 410; nzbdav also says so when an article is gone (protocols.md §2.5). */
  | 'missing'
  /** 404 at the file's first byte too, which had been read: it was deleted, or its server has withdrawn it. */
  | 'gone'
  /** The server has withdrawn the file, and says that it lacks articles. */
  | 'withdrawn'
  /** 408, 429 or 5xx, but those of the next. */
  | 'unavailable'
  /** 502, 503 or 504: what stands before the server answers in its place. */
  | 'away'
  /** The answer contradicts the request or itself. */
  | 'wrong-answer'
  /** A range was asked for and the whole file came. */
  | 'no-ranges'
  /** The file's size is no longer what it was. */
  | 'changed'
  /** A service gives another file, or a notice, at the address by which it gave this one. */
  | 'another';

/** Whether the server itself has not answered at all, and that was clear at once. */
export const isRefused = (kind: FailureKind): boolean => kind === 'unreachable' || kind === 'away';

/** Whether the server itself has not answered: at once, as when it does not run, or in time, as when its machine is off. */
export const isUnanswered = (kind: FailureKind): boolean => isRefused(kind) || kind === 'stalled';

export class SourceFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'SourceFailure';
    this.kind = kind;
  }
}

/** A failure in the person's words. */
export interface ExplainedFailure extends Explanation {
  readonly code: ErrorCode;
}

interface FailureText {
  readonly code: ErrorCode;
  /** Continues "The file server (host) ...", or the name of a service. */
  readonly what: string;
  readonly next: string;
}

const CHOOSE_ANOTHER = 'Choose another release.';

const FAILURE_TEXTS: Readonly<Record<FailureKind, FailureText>> = {
  unreachable: {
    code: 'UNREACHABLE',
    what: 'cannot be reached',
    next: 'Check that it is running and that its address and port are right.',
  },
  stalled: {
    code: 'TIMEOUT',
    what: 'did not answer in time',
    next: 'Check that it is running and not overloaded, then try again.',
  },
  broken: {
    code: 'PREPARE_FAILED',
    what: 'broke off while sending the file',
    next: 'Try again, or choose another release: parts of this one may be missing.',
  },
  refused: {
    code: 'AUTH_FAILED',
    what: 'refused the user or password',
    next: 'Check the WebDAV user and password in the settings of Slipstream (Backends); the password is not the API key.',
  },
  missing: {
    code: 'PREPARE_FAILED',
    what: 'does not have the file, or parts of it are missing',
    next: CHOOSE_ANOTHER,
  },
  gone: {
    code: 'PREPARE_FAILED',
    what: 'no longer has the file: it was there and is gone',
    next: 'Choose another release, or have this one fetched again.',
  },
  withdrawn: {
    code: 'DAMAGED',
    what: 'no longer has the file, for parts of it are missing',
    next: CHOOSE_ANOTHER,
  },
  unavailable: {
    code: 'SERVICE_ERROR',
    what: 'answered with an error of its own',
    next: 'Look at its log, then try again.',
  },
  away: {
    code: 'SERVICE_ERROR',
    what: 'does not answer: what stands before it answers in its place',
    next: 'Check that it is running, then try again.',
  },
  'wrong-answer': {
    code: 'BAD_ANSWER',
    what: 'sent an answer that makes no sense',
    next: 'Check that the address belongs to the right service.',
  },
  'no-ranges': {
    code: 'PREPARE_FAILED',
    what: 'cannot send parts of a file, so seeking is impossible',
    next: 'Use a server, or a reverse proxy before it, that supports range requests.',
  },
  changed: {
    code: 'BAD_ANSWER',
    what: 'changed the file while it was read',
    next: 'Wait until the file is complete, then try again.',
  },
  another: {
    code: 'PREPARE_FAILED',
    what: 'sends something else in the place of the film',
    next: CHOOSE_ANOTHER,
  },
};

/** The failure in the person's words. @param who As ByteSource.label */
export function explainFailure(failure: SourceFailure, who: string): SlipstreamError {
  const { code, what, next } = FAILURE_TEXTS[failure.kind];
  return new SlipstreamError(
    code,
    { what: `${who} ${what}.`, next },
    { cause: failure, detail: failure.message },
  );
}
