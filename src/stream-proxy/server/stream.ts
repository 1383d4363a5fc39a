import type { ServerResponse } from 'node:http';
import { CancelledError } from '../../errors/index.ts';
import { type Watchdog, watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { LoanStream } from '../reader/read-range.ts';
import type { Session } from '../session/session.ts';
import type { ProxyContext, StreamExchange } from '../stages.ts';
import { type ChosenRange, chooseRange } from './choose-range.ts';
import { entityTag } from './preconditions.ts';

/** GET and HEAD /stream/<session>/<file name>. */
export async function serveStream(context: ProxyContext, exchange: StreamExchange): Promise<void> {
  const { id, size, mime } = exchange.session.record;
  const part = chooseRange(exchange, { size, mime, etag: entityTag(id) }, context.stages.parseRange);
  if (part !== undefined) await sendBody(context, exchange, part);
}

async function sendBody(
  { stages, log, onStreamRefused }: ProxyContext,
  { response, session }: StreamExchange,
  { range, writeHead }: ChosenRange,
): Promise<void> {
  const gone = new AbortController();
  const ended = session.beginRequest(gone, range.first);
  if (gone.signal.aborted) {
    // Nothing is opened for what the player has let go of.
    response.destroy();
    ended();
    return;
  }
  response.once('close', () => {
    gone.abort(new CancelledError('person'));
  });
  const { fetcher, journal, policies } = session;
  const bytes = stages.readRange({ fetcher, journal, range, policy: policies.read, signal: gone.signal });
  const idle = watchdog(policies.buffer.idlePlayerTimeout, () => {
    bytes.idle = true;
  });
  try {
    await pump({ bytes, response, idle, playerLeft: gone, writeHead, session });
  } catch (error) {
    // A body that cannot be completed must not look complete: the connection ends hard, and the player asks anew.
    response.destroy();
    if (error instanceof SourceFailure) {
      // Without a head it is told as a refusal: a player that is about to open the film gives it up.
      if (!response.headersSent) onStreamRefused();
      session.requestFailed(error);
      log.warning(`${session.record.name}: gave up on ${session.source.host}: ${error.message}`);
    } else if (!(error instanceof CancelledError)) throw error;
  } finally {
    idle.end();
    bytes.close();
    ended();
  }
}

interface Pump {
  readonly bytes: LoanStream;
  readonly response: ServerResponse;
  /** Notices that the player takes nothing. */
  readonly idle: Watchdog;
  /** Aborted when the player has left. */
  readonly playerLeft: AbortController;
  readonly writeHead: () => void;
  readonly session: Session;
}

/**
 * The head waits for the first byte: Kodi gives an answer without head 20 s, but one without data only 10 s, and takes
 * an error for the film's end.
 */
async function pump({ bytes, response, idle, playerLeft: gone, writeHead, session }: Pump): Promise<void> {
  let loan = await bytes.next();
  writeHead();
  while (loan !== undefined) {
    session.bytesReady(gone);
    idle.start();
    try {
      await writeFully(response, loan.bytes, gone.signal);
    } finally {
      idle.stop();
      loan.release();
    }
    bytes.idle = false;
    session.sent(gone, loan.bytes.byteLength);
    loan = await bytes.next();
  }
  response.end();
}

/**
 * Waits, however long the player pauses, until the system has taken all of it: until then the bytes must stay as they
 * are. Rejects when the player leaves.
 */
async function writeFully(response: ServerResponse, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      // Before anything else may be written to the memory that is on its way.
      response.destroy();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    response.write(bytes, (error) => {
      signal.removeEventListener('abort', onAbort);
      // A connection that cannot be written to is the player's leave.
      if (error) reject(new CancelledError('person'));
      else resolve();
    });
  });
}
