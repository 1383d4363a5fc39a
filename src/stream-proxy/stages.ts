import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { mimeOf } from '../media/mime.ts';
import type { planFill } from '../media/plan-fill.ts';
import type { RelistOf } from '../play-address/open-or-relist.ts';
import type { decideRetry, Policies } from './policy/policies.ts';
import type { parseRange } from './range.ts';
import type { readRange } from './reader/read-range.ts';
import type { authorise } from './server/authorise.ts';
import type { Reopening } from './server/reopening.ts';
import type { EndedSession } from './session/ended-sessions.ts';
import type { SessionRecord } from './session/record.ts';
import type { Session } from './session/session.ts';
import type { Sessions } from './session/sessions.ts';
import type { ConnectionPool } from './source/http1/connections.ts';
import type { openPlayAddress } from './source/play-address.ts';
import type { ByteSource, openSource } from './source/source.ts';
import type { verifySource } from './source/verify.ts';

/** The proxy's stages. Each reaches the next through this object alone, so what is replaced in it is what runs. */
export interface ProxyStages {
  authorise: typeof authorise;
  /** POST /prepare: server/prepare.ts. */
  handlePrepare: (context: ProxyContext, exchange: HttpExchange) => Promise<void>;
  /** Opens a stream that has ended anew: server/reopen.ts. */
  reopenSession: (context: ProxyContext, ended: EndedSession, signal: AbortSignal) => Promise<Session>;
  /** GET and HEAD of a stream: server/stream.ts. */
  serveStream: (context: ProxyContext, exchange: StreamExchange) => Promise<void>;
  /** GET of a subtitle: server/subtitle.ts. */
  serveSubtitle: (
    context: ProxyContext,
    exchange: StreamExchange,
    wanted: { readonly group: number; readonly name: string },
  ) => Promise<void>;
  /** GET /status: server/status.ts. */
  serveStatus: (context: ProxyContext, exchange: HttpExchange) => void;
  openSource: typeof openSource;
  openPlayAddress: typeof openPlayAddress;
  verifySource: typeof verifySource;
  mimeOf: typeof mimeOf;
  planFill: typeof planFill;
  parseRange: typeof parseRange;
  readRange: typeof readRange;
  decide: typeof decideRetry;
}

/** A stream that had ended, and that is asked for again. */
export interface ReopenedStream {
  /** As it was handed over. */
  readonly url: string;
  /** What the service has noted of it (RunningProxy.setNotes); undefined: nothing. */
  readonly notes: unknown;
}

/** One that cannot be opened again. */
export interface ReopenFailure extends ReopenedStream {
  readonly error: SlipstreamError;
  /** Its file is not there, or another one is. */
  readonly isFileGone: boolean;
}

/** Gives the headers that open a file of one of the person's own servers; undefined: it is at none of them. */
export type CredentialsLookup = (url: string) => Promise<Readonly<Record<string, string>> | undefined>;

/** What every handler works with. */
export interface ProxyContext {
  readonly stages: ProxyStages;
  readonly sessions: Sessions;
  /** With the memory and the policies that all sessions share. */
  readonly createSession: (record: SessionRecord, sources: readonly [ByteSource, ...ByteSource[]]) => Session;
  readonly connections: ConnectionPool;
  /** ProxyOptions.relist; absent: nobody can ask. */
  readonly relist?: RelistOf | undefined;
  readonly onStreamRefused: () => void;
  /** ProxyOptions.credentials; absent: nobody has any. */
  readonly credentials?: CredentialsLookup | undefined;
  readonly onReopened: (stream: ReopenedStream) => void;
  readonly onReopenFailed: (stream: ReopenFailure) => void;
  /** Called with the address, as it was asked for. */
  readonly onUnknownStream: (url: string) => void;
  /** Sessions that are being opened again, by their ids. */
  readonly reopenings: Map<string, Reopening>;
  /** Aborts when the proxy closes. */
  readonly closing: AbortSignal;
  readonly log: Logger;
  readonly token: string;
  /** For what is opened next. */
  policies: Policies;
  /** Known once the server listens. */
  port: number;
}

export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface StreamExchange extends HttpExchange {
  readonly session: Session;
}
