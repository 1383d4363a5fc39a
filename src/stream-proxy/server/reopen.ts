import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal } from '../../io/wait.ts';
import { explainFailure, type FailureKind, isRefused, SourceFailure } from '../policy/failure.ts';
import type { RetryPolicy } from '../policy/policies.ts';
import { type EndedSession, withHeaders } from '../session/ended-sessions.ts';
import type { SessionRecord } from '../session/record.ts';
import type { Session } from '../session/session.ts';
import { sampleOf } from '../source/relocating-source.ts';
import { serverLabel } from '../source/source.ts';
import { type SourceSpec } from '../source/source-spec.ts';
import type { VerifiedStart } from '../source/verify.ts';
import type { HttpExchange, ProxyContext, ProxyStages } from '../stages.ts';
import { requestPathOf } from './authorise.ts';
import { chooseRange } from './choose-range.ts';
import { NO_SUCH_STREAM } from './error-bodies.ts';
import { entityTag } from './preconditions.ts';
import { Reopening } from './reopening.ts';
import { sendError, sendSlipstreamError } from './responses.ts';

/** Milliseconds: Kodi waits 20 s for the head of an answer. */
const REOPEN_TIMEOUT = 18_000;

/**
 * The session of a stream that had ended, opened again for a GET, once for all who ask meanwhile; undefined: the request
 * has been answered, by a refusal or, for HEAD, from what is known.
 */
export async function waitForReopened(
  context: ProxyContext,
  exchange: HttpExchange,
  id: string,
): Promise<Session | undefined> {
  const { sessions, stages, reopenings: reopening } = context;
  const { request, response } = exchange;
  const ended = sessions.ended.get(id);
  if (ended === undefined) {
    sendError(response, 404, NO_SUCH_STREAM);
    context.onUnknownStream(`http://127.0.0.1:${context.port}${requestPathOf(request).path}`);
    return undefined;
  }
  if (request.method === 'HEAD') {
    const { size, mime } = ended.record;
    chooseRange(exchange, { size, mime, etag: entityTag(id) }, stages.parseRange);
    return undefined;
  }
  const running = reopening.get(id);
  const opening = running?.isWanted === true ? running : startReopening(context, ended);
  try {
    const session = await opening.waitFor(response);
    return response.destroyed ? undefined : session;
  } catch (error) {
    if (!response.destroyed) sendSlipstreamError(response, asSlipstreamError(error));
    return undefined;
  }
}

/** It goes on for as long as anybody waits: a player that has left and comes back has it begun anew. */
function startReopening(context: ProxyContext, ended: EndedSession): Reopening {
  const { reopenings: reopening, closing } = context;
  const { id } = ended.record;
  const opening = new Reopening((left) =>
    reopenAndReport(context, ended, AbortSignal.any([closing, left])).finally(() => {
      if (reopening.get(id) === opening) reopening.delete(id);
    }),
  );
  reopening.set(id, opening);
  return opening;
}

/** The service is told what comes of it, unless nobody waits for it any more. */
async function reopenAndReport(
  context: ProxyContext,
  ended: EndedSession,
  signal: AbortSignal,
): Promise<Session> {
  const { stages, sessions, log, port } = context;
  const { id, name, notes } = ended.record;
  const stream = { url: streamUrl(port, ended.record), notes };
  try {
    const session = await stages.reopenSession(context, ended, signal);
    log.info(`${name} is played once more`);
    context.onReopened(stream);
    return session;
  } catch (error) {
    if (!signal.aborted) {
      const why = asSlipstreamError(error);
      log.warning(`${name} cannot be played once more: ${why.message}`);
      if (why.cause instanceof SourceFailure && isRefused(why.cause.kind)) sessions.ended.noteRefused(id);
      context.onReopenFailed({ ...stream, error: why, isFileGone: isFileGone(why, ended) });
    }
    throw error;
  }
}

/** Whether the file is not there, or another one is. An address that a service has made for one play may just have ended. */
function isFileGone({ cause }: SlipstreamError, { record }: EndedSession): boolean {
  if (!(cause instanceof SourceFailure)) return false;
  const isForOnePlay = record.sources[0].played !== undefined;
  return GONE_KINDS.has(cause.kind) || (isForOnePlay && cause.kind === 'refused');
}

const GONE_KINDS: ReadonlySet<FailureKind> = new Set([
  ...(['missing', 'gone', 'withdrawn'] as const),
  ...(['changed', 'another'] as const),
]);

/** Where the player finds a session's film. */
export const streamUrl = (port: number, { id, name }: Pick<SessionRecord, 'id' | 'name'>): string =>
  `http://127.0.0.1:${port}/stream/${id}/${encodeURIComponent(name)}`;

/**
 * Opens an ended session again once its file has proven to be the same: its size, its version and its first bytes.
 * @throws as verifySource; BAD_ANSWER for another file; TIMEOUT; BUSY; the signal's reason when it aborts
 */
export async function reopenSession(
  context: ProxyContext,
  ended: EndedSession,
  signal: AbortSignal,
): Promise<Session> {
  const { record, wantsCredentials } = ended;
  const { sessions, stages, connections, createSession } = context;
  const arrived = sessions.throttleOthers();
  const [spec] = record.sources;
  const limit = deadlineSignal(signal, REOPEN_TIMEOUT, () => tooLateError(spec));
  let session: Session | undefined;
  try {
    const headers = wantsCredentials ? await context.credentials?.(spec.url) : undefined;
    const known = headers === undefined ? record : withHeaders(record, headers);
    const source = stages.openSource(known.sources[0], connections, known.validators);
    session = createSession(known, [source]);
    session.start(await verifySame(context, session, retryDeciderFor(context, ended), limit.signal), arrived);
    signal.throwIfAborted();
    sessions.add(session);
    return session;
  } catch (error) {
    session?.end();
    arrived();
    throw error;
  } finally {
    limit.done();
  }
}

/**
 * The one request of the proof goes on as the stream. What a service gave is looked for anew where it is no longer; what
 * its proof failed of is told where the time for that is up.
 */
async function verifySame(
  { stages, policies }: ProxyContext,
  { source, record }: Session,
  decide: ProxyStages['decide'],
  signal: AbortSignal,
): Promise<VerifiedStart> {
  const options = { signal, size: record.size, decide, policy: policies.prepare };
  const prove = () => stages.verifySource(source, options);
  const proof = await prove().catch(async (error: unknown) => {
    signal.throwIfAborted();
    try {
      if ((await source.relocate?.(signal)) === true) return await prove();
    } catch (later) {
      throw signal.aborted ? error : later;
    }
    throw error;
  });
  if (isSameFile(record, proof)) return proof;
  proof.remainder?.body.close();
  throw explainFailure(new SourceFailure('changed', 'the file is another one than before'), source.label);
}

/**
 * How long a server that refuses is asked: it, or the network, may just be coming back. One that has refused lately had its
 * time, and a player that is kept waiting in silence does not hear its person's Stop.
 */
function retryDeciderFor(
  { stages, policies }: ProxyContext,
  { refusedAt = -Infinity }: EndedSession,
): ProxyStages['decide'] {
  const { refusedTimeout: refused, refusalMemory: known } = policies.reopen;
  const patience = performance.now() - refusedAt < known ? 0 : refused;
  let refusals = 0;
  return (policy, attempts) => {
    if (!isRefused(attempts.kind))
      return stages.decide(policy, { ...attempts, alike: attempts.alike - refusals });
    refusals++;
    return stages.decide(whileRefused(policy, patience), attempts);
  };
}

const whileRefused = (policy: RetryPolicy, patience: number): RetryPolicy => ({
  ...policy,
  transientKinds: ['unreachable', 'away'],
  firstByteTimeout: Math.min(patience, policy.firstByteTimeout),
});

function isSameFile({ size, start }: SessionRecord, proof: VerifiedStart): boolean {
  if (proof.size !== size) return false;
  return start === undefined || sampleOf(0, proof.head.subarray(0, start.last + 1)).digest === start.digest;
}

const tooLateError = (spec: SourceSpec) =>
  explainFailure(
    new SourceFailure('stalled', `not open within ${REOPEN_TIMEOUT / 1000} s`),
    serverLabel(spec),
  );
