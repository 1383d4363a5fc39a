import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../log/index.ts';
import type { mimeOf } from '../media/mime.ts';
import type { planFill } from '../media/plan-fill.ts';
import type { decide, Policies } from './policy/policy.ts';
import type { parseRange } from './range.ts';
import type { readRange } from './reader/reader.ts';
import type { authorise } from './server/authorise.ts';
import type { handlePrepare } from './server/prepare.ts';
import type { serveStatus } from './server/status.ts';
import type { serveStream } from './server/stream.ts';
import type { serveSubtitle } from './server/subtitle.ts';
import type { SessionRecord } from './session/record.ts';
import type { Session } from './session/session.ts';
import type { Sessions } from './session/sessions.ts';
import type { Connections } from './source/http1/connections.ts';
import type { openPlayAddress } from './source/play-address.ts';
import type { proveSource } from './source/prove.ts';
import type { RelistOf } from './source/same-file.ts';
import type { openSource, Source } from './source/source.ts';

/** The proxy's stages. Each reaches the next through this object alone, so what is replaced in it is what runs. */
export interface ProxyStages {
  authorise: typeof authorise;
  handlePrepare: typeof handlePrepare;
  serveStream: typeof serveStream;
  serveSubtitle: typeof serveSubtitle;
  serveStatus: typeof serveStatus;
  openSource: typeof openSource;
  openPlayAddress: typeof openPlayAddress;
  proveSource: typeof proveSource;
  mimeOf: typeof mimeOf;
  planFill: typeof planFill;
  parseRange: typeof parseRange;
  readRange: typeof readRange;
  decide: typeof decide;
}

/** What every handler works with. */
export interface ProxyContext {
  readonly stages: ProxyStages;
  readonly sessions: Sessions;
  /** With the memory and the policies that all sessions share. */
  readonly createSession: (record: SessionRecord, sources: readonly [Source, ...Source[]]) => Session;
  readonly connections: Connections;
  /** ProxyOptions.relist; absent: nobody can ask. */
  readonly relist?: RelistOf | undefined;
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
