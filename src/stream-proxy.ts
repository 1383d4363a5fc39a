// Façade of the stream proxy: the local HTTP server that the player reads from.
import { mimeOf } from './media/mime.ts';
import { planFill } from './media/plan-fill.ts';
import { decideRetry, POLICIES, type Policies } from './stream-proxy/policy/policies.ts';
import { type ProxyOptions, type RunningProxy, startProxyWith } from './stream-proxy/proxy.ts';
import { parseRange } from './stream-proxy/range.ts';
import { readRange } from './stream-proxy/reader/read-range.ts';
import { authorise } from './stream-proxy/server/authorise.ts';
import { handlePrepare } from './stream-proxy/server/prepare.ts';
import { reopenSession } from './stream-proxy/server/reopen.ts';
import { serveStatus } from './stream-proxy/server/status.ts';
import { serveStream } from './stream-proxy/server/stream.ts';
import { serveSubtitle } from './stream-proxy/server/subtitle.ts';
import { openPlayAddress } from './stream-proxy/source/play-address.ts';
import { openSource } from './stream-proxy/source/source.ts';
import { verifySource } from './stream-proxy/source/verify.ts';
import type { ProxyStages } from './stream-proxy/stages.ts';

export type { ExplainedFailure } from './stream-proxy/policy/failure.ts';
export type { ProxyOptions, RunningProxy } from './stream-proxy/proxy.ts';
export type { PreparedStream } from './stream-proxy/server/prepare.ts';
export type { Decision } from './stream-proxy/session/journal.ts';
export type { SessionReport, SessionTrouble } from './stream-proxy/session/session.ts';
export { isServerAway } from './stream-proxy/session/trouble.ts';
export type {
  ProxyStages,
  ReopenedStream,
  ReopenFailure,
} from './stream-proxy/stages.ts';
export type { Policies };
export {
  authorise,
  decideRetry as decide,
  handlePrepare,
  mimeOf,
  openPlayAddress,
  openSource,
  POLICIES,
  parseRange,
  planFill,
  readRange,
  reopenSession,
  serveStatus,
  serveStream,
  serveSubtitle,
  verifySource,
};

/** The stages that a running proxy uses. Mutable: what is replaced here is what the server then runs. */
export const streamProxy: ProxyStages = {
  authorise,
  handlePrepare,
  reopenSession,
  serveStream,
  serveSubtitle,
  serveStatus,
  openSource,
  openPlayAddress,
  verifySource,
  mimeOf,
  planFill,
  parseRange,
  readRange,
  decide: decideRetry,
};

/** Starts the proxy on 127.0.0.1. @throws SlipstreamError PROXY_ABSENT when it cannot listen. */
export const startProxy = (options: ProxyOptions): Promise<RunningProxy> =>
  startProxyWith(options, streamProxy);
