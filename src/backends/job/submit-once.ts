import { SlipstreamError } from '../../errors/index.ts';
import { pause, poll } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { Busy, Refused, RefusedForAll } from '../refusals.ts';

/** A job that is to be given to a backend, under its unique name. */
export interface JobSubmission {
  /** What messages call it; which server it is may be found out meanwhile. */
  readonly backend: { readonly name: string };
  /** Sends the NZB. @returns the job's id. @param onSent As HttpRequest.onSent. @throws Refused, Busy */
  readonly send: (signal: AbortSignal, onSent: () => void) => Promise<string>;
  /** @returns the id of the job of that name, wherever it stands */
  readonly find: (signal: AbortSignal) => Promise<string | undefined>;
}

interface Context {
  readonly signal: AbortSignal;
  /** `lostReply`: milliseconds between two looks for a job whose submission was not answered. */
  readonly times: { readonly lostReply: number };
  readonly log: Logger;
}

/** Sending the same NZB more often does not help, and the person waits. */
const ATTEMPTS = 2;
/** How often a job whose submission was not answered is looked for. */
const LOOKUP_ATTEMPTS = 3;
/** Milliseconds: whoever wants to be left alone for longer is as good as away. */
const MAX_RETRY_AFTER_MS = 5_000;

/**
 * Submits the NZB so that there is one job, whatever happens to the answer: one that does not arrive, makes no sense or
 * speaks of a fault (5xx) leaves open whether the job was taken, so it is looked for by its name. An NZB that has left us
 * whole is not sent again even if nothing is found: it may still be on its way, and would become a second job. Only who
 * says that it is busy has taken nothing, and is given it once more.
 * @returns the job's id. @throws as Backend.submit
 */
export async function submitOnce(submission: JobSubmission, context: Context): Promise<string> {
  const { backend } = submission;
  const { signal, times, log } = context;
  for (let attempt = 1; ; attempt++) {
    const upload = { isWhole: false };
    const onSent = () => {
      upload.isWhole = true;
    };
    try {
      return await submission.send(signal, onSent);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SlipstreamError) || isFinal(error)) throw asRefusal(backend.name, error);
      log.warning(
        `${backend.name}: submission ${attempt} of ${ATTEMPTS} has no good answer: ${error.message}`,
      );
      if (error instanceof Busy) await pause(error.retryAfter ?? times.lostReply, signal);
      const id = await findSubmitted(submission, context, error);
      if (id !== undefined) {
        log.info(`${backend.name}: had taken the job all the same`);
        return id;
      }
      if (upload.isWhole && !(error instanceof Busy)) throw unconfirmedError(backend.name, error);
      if (attempt >= ATTEMPTS) throw asRefusal(backend.name, error);
    }
  }
}

const isFinal = (error: SlipstreamError) =>
  error instanceof Refused || error.code === 'AUTH_FAILED' || (error.retryAfter ?? 0) > MAX_RETRY_AFTER_MS;

/** @returns undefined when the job is not there by now; throws `unreachable` when that cannot be found out. */
async function findSubmitted(
  { find }: JobSubmission,
  { signal, times }: Context,
  unreachable: SlipstreamError,
): Promise<string | undefined> {
  let looks = 0;
  let answered = false;
  const look = async (): Promise<{ readonly id: string | undefined } | undefined> => {
    looks++;
    try {
      const id = await find(signal);
      answered = true;
      if (id !== undefined) return { id };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SlipstreamError && error.transient)) throw unreachable;
    }
    if (looks < LOOKUP_ATTEMPTS) return undefined;
    if (!answered) throw unreachable;
    return { id: undefined };
  };
  const found = await poll(look, { signal, interval: () => times.lostReply });
  return found?.id;
}

/** What the server says no to, and a fault that stays a fault, mean for the person that it does not take this NZB. */
export function asRefusal(name: string, error: unknown): unknown {
  if (!(error instanceof SlipstreamError) || error.code !== 'SERVICE_ERROR') return error;
  if (error instanceof RefusedForAll) return error;
  const what = error instanceof Refused ? error.explanation.what : `${name} did not take the release.`;
  return notAcceptedError(name, what, error, error.transient);
}

/** It may yet turn up: a gateway's 504 says nothing about what the server behind it goes on doing. */
const unconfirmedError = (name: string, error: SlipstreamError) =>
  notAcceptedError(name, `${name} did not say whether it took the release.`, error, true);

const notAcceptedError = (name: string, what: string, cause: SlipstreamError, transient: boolean) =>
  new SlipstreamError(
    'SUBMIT_REFUSED',
    { what, next: `Try another release; if none is taken, look at the log of ${name}.` },
    { cause, detail: cause.message, transient },
  );
