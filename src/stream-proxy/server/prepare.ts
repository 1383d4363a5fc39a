import type { ServerResponse } from 'node:http';
import { asSlipstreamError, CancelledError } from '../../errors/index.ts';
import type { LocalStream } from '../../model/index.ts';
import type { SessionRecord } from '../session/record.ts';
import type { Session } from '../session/session.ts';
import type { HttpExchange, ProxyContext } from '../stages.ts';
import { readJsonBody } from './json-body.ts';
import { type OpenedSession, openSession, UnplayableFile } from './open-session.ts';
import { Unseekable } from './open-verified.ts';
import { PrepareRequest } from './prepare-request.ts';
import { streamUrl } from './reopen.ts';
import { sendJson, sendSlipstreamError } from './responses.ts';

/** What /prepare answers. */
export interface PreparedStream extends LocalStream {
  /** The session's. */
  readonly id: string;
}

/** POST /prepare: hands over a URL once the source has proven that it can be played. */
export async function handlePrepare(
  context: ProxyContext,
  { request, response }: HttpExchange,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort(new CancelledError('person'));
  });
  try {
    const wanted = await readJsonBody(request, PrepareRequest);
    const opened = await openSession(context, wanted, gone.signal);
    const { session } = opened;
    if (gone.signal.aborted) {
      session.end();
      return;
    }
    context.sessions.add(session);
    endIfUndelivered(context, session, response);
    sendJson(response, 200, preparedStreamOf(opened, context.port));
  } catch (error) {
    if (gone.signal.aborted) return;
    if (error instanceof Unseekable) {
      context.log.warning(`prepare: ${error.message}; the player is given its own address`);
      sendJson(response, 200, { ...error.stream, unseekable: true });
      return;
    }
    const told = error instanceof UnplayableFile ? error.declaredName : undefined;
    const failure = asSlipstreamError(error instanceof UnplayableFile ? error.failure : error);
    context.log.error('prepare failed', failure);
    sendSlipstreamError(response, failure, told);
  }
}

function preparedStreamOf({ session, declaredName: told }: OpenedSession, port: number): PreparedStream {
  const { id, name, size, mime, subtitles = [] }: SessionRecord = session.record;
  const base = `http://127.0.0.1:${port}/stream/${id}`;
  const urls = subtitles.map((file) => `${base}/sub/${file.group}/${encodeURIComponent(file.name)}`);
  return {
    url: streamUrl(port, { id, name }),
    size,
    mime,
    id,
    ...(urls.length > 0 && { subtitles: urls }),
    ...(told !== undefined && { name: told }),
  };
}

/** Nobody knows the URL of a session whose answer did not arrive. */
function endIfUndelivered({ sessions }: ProxyContext, session: Session, response: ServerResponse): void {
  response.once('close', () => {
    if (!response.writableFinished) sessions.drop(session.record.id);
  });
}
