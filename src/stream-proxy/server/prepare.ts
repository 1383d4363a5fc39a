import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { asSlipstreamError, CancelledError, SlipstreamError } from '../../errors/index.ts';
import type { LocalStream } from '../../model/index.ts';
import type { SessionRecord } from '../session/record.ts';
import type { Session } from '../session/session.ts';
import { issueText } from '../source/spec.ts';
import type { Exchange, ProxyContext } from '../stages.ts';
import { refuseWith, sendJson } from './answer.ts';
import { type OpenedSession, openSession, PrepareRequest, Unseekable } from './open-session.ts';

/** Of a /prepare body. */
const MAX_BODY = 256 * 1024;

/** What /prepare answers. */
export interface PreparedStream extends LocalStream {
  /** The session's. */
  readonly id: string;
}

/** POST /prepare: hands over a URL once the source has proven that it can be played. */
export async function handlePrepare(context: ProxyContext, { request, response }: Exchange): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort(new CancelledError('person'));
  });
  try {
    const wanted = parseBody(await readBody(request));
    const opened = await openSession(context, wanted, gone.signal);
    const { session } = opened;
    if (gone.signal.aborted) {
      session.end();
      return;
    }
    context.sessions.add(session);
    endIfUnheard(context, session, response);
    sendJson(response, 200, describe(opened, context.port));
  } catch (error) {
    if (gone.signal.aborted) return;
    if (error instanceof Unseekable) {
      context.log.warning(`prepare: ${error.message}; the player is given its own address`);
      sendJson(response, 200, { ...error.stream, unseekable: true });
      return;
    }
    const failure = asSlipstreamError(error);
    context.log.error('prepare failed', failure);
    refuseWith(response, failure);
  }
}

function describe({ session, told }: OpenedSession, port: number): PreparedStream {
  const { id, name, size, mime, subtitles = [] }: SessionRecord = session.record;
  const base = `http://127.0.0.1:${port}/stream/${id}`;
  const urls = subtitles.map((file) => `${base}/sub/${file.group}/${encodeURIComponent(file.name)}`);
  return {
    ...{ url: `${base}/${encodeURIComponent(name)}`, size, mime, id },
    ...(urls.length > 0 && { subtitles: urls }),
    ...(told !== undefined && { name: told }),
  };
}

/** Nobody knows the URL of a session whose answer did not arrive. */
function endIfUnheard({ sessions }: ProxyContext, session: Session, response: ServerResponse): void {
  response.once('close', () => {
    if (!response.writableFinished) sessions.end(session.record.id);
  });
}

/** Reads the body by hand: leaving an async iteration early would destroy the socket before the answer. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > MAX_BODY) {
        request.pause();
        reject(invalid('TOO_LARGE', `a body of more than ${MAX_BODY} bytes`));
      } else chunks.push(chunk);
    });
    request.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    request.once('error', reject);
  });
}

function parseBody(body: Buffer): PrepareRequest {
  const result = v.safeParse(PrepareRequest, parseJson(body));
  if (result.success) return result.output;
  throw invalid('INVALID_REQUEST', issueText(result.issues[0]));
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw invalid('INVALID_REQUEST', 'no JSON');
  }
}

const invalid = (code: 'INVALID_REQUEST' | 'TOO_LARGE', detail: string) =>
  new SlipstreamError(
    code,
    {
      what: `The request to prepare a stream makes no sense: ${detail}.`,
      next: 'Report it with the log.',
    },
    { detail },
  );
