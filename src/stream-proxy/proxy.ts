import type { Server } from 'node:http';
import { SlipstreamError } from '../errors/index.ts';
import { repeatEvery } from '../io/wait.ts';
import { type Logger, registerSecret } from '../log/index.ts';
import type { Relist, RelistOf } from '../play-address/open-or-relist.ts';
import type { ExplainedFailure } from './policy/failure.ts';
import { POLICIES, type Policies } from './policy/policies.ts';
import { BlockPool } from './reader/block-pool.ts';
import { createProxyServer, SERVER_LIMITS, type ServerLimits } from './server/server.ts';
import { newSessionId, type SessionRecord } from './session/record.ts';
import { Session, type SessionReport } from './session/session.ts';
import { SESSION_TIMES, Sessions, type SessionTimes } from './session/sessions.ts';
import { parseSnapshot, type RestoredSnapshot, type Snapshot, snapshotOf } from './session/snapshot.ts';
import { ConnectionPool } from './source/http1/connections.ts';
import type { ByteSource } from './source/source.ts';
import type { SourceSpec } from './source/source-spec.ts';
import type {
  CredentialsLookup,
  ProxyContext,
  ProxyStages,
  ReopenedStream,
  ReopenFailure,
} from './stages.ts';

export interface ProxyOptions {
  /** A listening socket that was inherited, or a port of 127.0.0.1 to take (0: any). */
  readonly listen: { readonly fd: number } | { readonly port: number };
  readonly log: Logger;
  /** What the engine before this one left; anything unfit is ignored. */
  readonly snapshot?: unknown;
  /** Called at the start and after each change with what a replacement would need. Secret: keep it in memory. */
  readonly onSnapshot?: (snapshot: Snapshot) => void;
  /** Called when a player was refused a stream, for whatever reason: it gives up, in its own words. */
  readonly onStreamRefused?: () => void;
  readonly limits?: Partial<ServerLimits>;
  readonly policies?: Partial<Policies>;
  /** Finds an address anew in the list that it came from. */
  readonly relist?: RelistOf;
  /** What opens a share of the settings; without it no stream from one is opened again once it has ended. */
  readonly credentials?: CredentialsLookup;
  /** A stream that had ended is opened again; called before its first byte is given. */
  readonly onReopened?: (stream: ReopenedStream) => void;
  /** A stream that had ended was asked for and cannot be opened again: the player, which still waits, is refused. */
  readonly onReopenFailed?: (stream: ReopenFailure) => void;
  /** The player asked for a stream that this proxy has never had, or has forgotten, and was refused. */
  readonly onUnknownStream?: (url: string) => void;
  /** Whether what is decided about a stream goes into the log. */
  readonly logsDecisions?: boolean;
  readonly times?: Partial<SessionTimes>;
}

export interface RunningProxy {
  readonly port: number;
  readonly token: string;
  snapshot(): Snapshot;
  sessions(): SessionReport[];
  /** What came with the session's /prepare for the service, once; undefined when nothing did, or the session is gone. */
  takePlan(id: string): unknown;
  /** What is to be known of a stream when it is asked for after its end; no secret. An unknown id is fine. */
  setNotes(id: string, notes: unknown): void;
  /**
   * Why the server of a session's file does not answer, asked once; undefined: it does, or the session is gone. Rejects
   * only when the session ends meanwhile.
   */
  checkServer(id: string): Promise<ExplainedFailure | undefined>;
  /** For the streams that are opened from now on; the log, and the memory that all share, at once. */
  configure(choices: { readonly policies: Policies; readonly logsDecisions: boolean }): void;
  /** A session's film is on the screen; an unknown id is fine. */
  firstFrameShown(id: string): void;
  /** Whether the player waits for bytes of a session that have not come for a while; false for an unknown one. */
  hasStalledRequests(id: string): boolean;
  /** The player was stopped, and waits only for what it has asked for: what does not come is broken off. An unknown one is fine. */
  abortStalledRequests(id: string): void;
  /** The player begins to play a session's film, and what it asks for counts again; an unknown id is fine. */
  playbackStarted(id: string): void;
  /** Breaks off a session's streams; an unknown id is fine. It is opened again when the player asks for it. */
  endSession(id: string): void;
  /** Stops listening and ends every connection, to the player and to the upstreams. */
  close(): Promise<void>;
}

/** Starts the proxy with the given stages. @throws SlipstreamError PROXY_ABSENT when it cannot listen. */
export async function startProxyWith(options: ProxyOptions, stages: ProxyStages): Promise<RunningProxy> {
  const { log } = options;
  const policies = { ...POLICIES, ...options.policies };
  const before = restore(options);
  const token = before?.token ?? newSessionId();
  registerSecret(token);
  const connections = new ConnectionPool();
  const sessions = new Sessions(() => {
    if (sessions.list().length === 0) connections.closeIdle();
    publish();
  });
  const snapshot = () =>
    snapshotOf(
      token,
      sessions.list().map(({ record }) => record),
      sessions.ended.list(),
    );
  const publish = () => options.onSnapshot?.(snapshot());
  const pool = new BlockPool(policies.buffer.totalMemory);
  const late: Pick<ProxyStages, 'decide' | 'planFill'> & { readonly read: ProxyStages['readRange'] } = {
    read: (job) => stages.readRange(job),
    decide: (...about) => stages.decide(...about),
    planFill: (...about) => stages.planFill(...about),
  };
  let logsDecisions = options.logsDecisions ?? false;
  const { relist, credentials } = options;
  const { onReopened = () => undefined, onReopenFailed: onNotReopened = () => undefined } = options;
  const { onStreamRefused = () => undefined, onUnknownStream: onUnknown = () => undefined } = options;
  const closing = new AbortController();
  const relistOf = ({ listed }: SessionRecord): { readonly relist?: Relist } =>
    listed === undefined || relist === undefined ? {} : { relist: (signal) => relist(listed, signal) };
  const createSession = (record: SessionRecord, sources: readonly [ByteSource, ...ByteSource[]]) =>
    new Session(record, {
      sources,
      pool,
      ...late,
      ...relistOf(record),
      open: (spec, known) => stages.openSource(spec, connections, known),
      policies: context.policies,
      onChange: publish,
      onDecision: (what) => {
        if (logsDecisions) log.info(`${record.name}: ${what}`);
      },
    });
  const context: ProxyContext = {
    stages,
    sessions,
    createSession,
    connections,
    relist,
    credentials,
    log,
    token,
    policies,
    onStreamRefused,
    onReopened,
    onReopenFailed: onNotReopened,
    onUnknownStream: onUnknown,
    reopenings: new Map(),
    closing: closing.signal,
    port: 0,
  };
  for (const ended of before?.ended ?? []) sessions.ended.keep(ended);
  for (const record of before?.sessions ?? []) {
    const open = (spec: SourceSpec) => stages.openSource(spec, connections, record.validators);
    const [first, ...more] = record.sources;
    const session = createSession(record, [open(first), ...more.map(open)]);
    sessions.restore(session);
    session.resume();
  }
  const server = createProxyServer(context, { ...SERVER_LIMITS, ...options.limits });
  context.port = await listenOnAnyPort(server, options.listen, log);
  publish();
  const sessionOf = (id: string) => sessions.list().find(({ record }) => record.id === id);
  const sweeping = repeatEvery(SWEEP_INTERVAL, closing.signal, () => {
    sessions.sweep({ ...SESSION_TIMES, ...options.times });
  });
  return {
    port: context.port,
    token,
    snapshot,
    sessions: () => sessions.list().map((session) => session.report()),
    takePlan: (id) => sessionOf(id)?.takePlan(),
    setNotes: (id, notes) => {
      sessionOf(id)?.setNotes(notes);
    },
    checkServer: (id) => sessionOf(id)?.checkServer() ?? Promise.resolve(undefined),
    configure: (choices) => {
      context.policies = choices.policies;
      pool.resize(choices.policies.buffer.totalMemory);
      ({ logsDecisions } = choices);
    },
    firstFrameShown: (id) => {
      sessionOf(id)?.firstFrameShown();
    },
    hasStalledRequests: (id) => sessionOf(id)?.hasStalledRequests ?? false,
    abortStalledRequests: (id) => {
      sessionOf(id)?.abortStalledRequests();
    },
    playbackStarted: (id) => {
      sessionOf(id)?.playbackStarted();
    },
    endSession: (id) => {
      sessions.end(id);
    },
    close: async () => {
      closing.abort();
      await sweeping;
      for (const session of sessions.list()) session.end();
      await closeServer(server);
      connections.close();
    },
  };
}

function restore({ snapshot, log }: ProxyOptions): RestoredSnapshot | undefined {
  if (snapshot === undefined || snapshot === null) return undefined;
  const parsed = parseSnapshot(snapshot, () => {
    log.warning('a session of the engine before cannot be used: its film must be started again');
  });
  if (parsed === undefined) log.warning('the snapshot of the engine before cannot be used: starting anew');
  return parsed;
}

/** Milliseconds between two looks for what is unused. */
const SWEEP_INTERVAL = 10_000;

const LOOPBACK = '127.0.0.1';

/** Another program's, or on Windows one that the system has reserved. */
const PORT_TAKEN_CODES: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EACCES']);

/** Without the port that a film's address has, that film has to be started anew; without any there would be no film at all. */
async function listenOnAnyPort(server: Server, where: ProxyOptions['listen'], log: Logger): Promise<number> {
  return await listen(server, where).catch(async (error: unknown) => {
    const cause =
      error instanceof SlipstreamError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
    if ('fd' in where || where.port === 0 || !PORT_TAKEN_CODES.has(cause?.code)) throw error;
    log.warning(`port ${where.port} is taken (${cause?.code}): what plays has to be started anew`);
    return await listen(server, { port: 0 });
  });
}

async function listen(server: Server, where: ProxyOptions['listen']): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', (cause) => {
      reject(cannotListenError(cause.message, cause));
    });
    server.listen('fd' in where ? { fd: where.fd } : { port: where.port, host: LOOPBACK }, resolve);
  });
  const address = server.address();
  if (typeof address === 'object' && address?.address === LOOPBACK) return address.port;
  await closeServer(server);
  throw cannotListenError('the inherited socket is not bound to 127.0.0.1');
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeAllConnections();
  await closed;
}

const cannotListenError = (detail: string, cause?: unknown) =>
  new SlipstreamError(
    'PROXY_ABSENT',
    { what: 'The local proxy cannot listen on 127.0.0.1.', next: 'Restart the media centre.' },
    { detail, cause },
  );
