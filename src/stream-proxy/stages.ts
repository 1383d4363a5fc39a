import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../log/index.ts';
import type { mimeOf } from '../media/mime.ts';
import type { authorise } from './authorise.ts';
import type { decide, Policies } from './policy.ts';
import type { handlePrepare } from './prepare.ts';
import type { proveSource } from './prove.ts';
import type { parseRange } from './range.ts';
import type { readRange } from './reader.ts';
import type { Session, Sessions } from './session.ts';
import type { openSource } from './source.ts';
import type { serveStatus } from './status.ts';
import type { serveStream } from './stream.ts';
import type { Connections } from './upstream.ts';

/** The proxy's stages. Each reaches the next through this object alone, so what is replaced in it is what runs. */
export interface ProxyStages {
  authorise: typeof authorise;
  handlePrepare: typeof handlePrepare;
  serveStream: typeof serveStream;
  serveStatus: typeof serveStatus;
  openSource: typeof openSource;
  proveSource: typeof proveSource;
  mimeOf: typeof mimeOf;
  parseRange: typeof parseRange;
  readRange: typeof readRange;
  decide: typeof decide;
}

/** What every handler works with. */
export interface ProxyContext {
  readonly stages: ProxyStages;
  readonly sessions: Sessions;
  readonly connections: Connections;
  readonly log: Logger;
  readonly token: string;
  readonly policies: Policies;
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
