import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { mimeOf } from '../media/mime.ts';
import type { planFill } from '../media/plan-fill.ts';
import type { RelistOf } from '../play-address/relisted.ts';
import type { decide, Policies } from './policy/policy.ts';
import type { parseRange } from './range.ts';
import type { readRange } from './reader/reader.ts';
import type { authorise } from './server/authorise.ts';
import type { Reopening } from './server/reopening.ts';
import type { EndedSession } from './session/ended.ts';
import type { SessionRecord } from './session/record.ts';
import type { Session } from './session/session.ts';
import type { Sessions } from './session/sessions.ts';
import type { Connections } from './source/http1/connections.ts';
import type { openPlayAddress } from './source/play-address.ts';
import type { proveSource } from './source/prove.ts';
import type { openSource, Source } from './source/source.ts';

/** The proxy's stages. Each reaches the next through this object alone, so what is replaced in it is what runs. */
export interface ProxyStages {
  authorise: typeof authorise;
  /** POST /prepare: server/prepare.ts. */
  handlePrepare: (context: ProxyContext, exchange: Exchange) => Promise<void>;
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
  serveStatus: (context: ProxyContext, exchange: Exchange) => void;
  openSource: typeof openSource;
  openPlayAddress: typeof openPlayAddress;
  proveSource: typeof proveSource;
  mimeOf: typeof mimeOf;
  planFill: typeof planFill;
  parseRange: typeof parseRange;
  readRange: typeof readRange;
  decide: typeof decide;
}

/** A stream that had ended, and that is asked for again. */
export interface AskedAgain {
  /** As it was handed over. */
  readonly url: string;
  /** What the service has noted of it (Proxy.note); undefined: nothing. */
  readonly notes: unknown;
}

/** One that cannot be opened again. */
export interface NotReopened extends AskedAgain {
  readonly why: SlipstreamError;
  /** Its file is not there, or another one is. */
  readonly isGone: boolean;
}

/** Gives the headers that open a file of one of the person's own servers; undefined: it is at none of them. */
export type CredentialsOf = (url: string) => Promise<Readonly<Record<string, string>> | undefined>;

/** What every handler works with. */
export interface ProxyContext {
  readonly stages: ProxyStages;
  readonly sessions: Sessions;
  /** With the memory and the policies that all sessions share. */
  readonly createSession: (record: SessionRecord, sources: readonly [Source, ...Source[]]) => Session;
  readonly connections: Connections;
  /** ProxyOptions.relist; absent: nobody can ask. */
  readonly relist?: RelistOf | undefined;
  readonly onStreamRefused: () => void;
  /** ProxyOptions.credentials; absent: nobody has any. */
  readonly credentials?: CredentialsOf | undefined;
  readonly onReopened: (stream: AskedAgain) => void;
  readonly onNotReopened: (stream: NotReopened) => void;
  /** Called with the address, as it was asked for. */
  readonly onUnknown: (url: string) => void;
  /** Sessions that are being opened again, by their ids. */
  readonly reopening: Map<string, Reopening>;
  /** Aborts when the proxy closes. */
  readonly closing: AbortSignal;
  readonly log: Logger;
  readonly token: string;
  /** For what is opened next. */
  policies: Policies;
  /** Known once the server listens. */
  port: number;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface StreamExchange extends Exchange {
  readonly session: Session;
}
