import type { Server } from 'node:http';
import { SlipstreamError } from '../errors/index.ts';
import { type Logger, registerSecret } from '../log/index.ts';
import { POLICIES, type Policies } from './policy/policy.ts';
import { createProxyServer, SERVER_LIMITS, type ServerLimits } from './server/server.ts';
import { newId, Session, type SessionReport, Sessions } from './session/session.ts';
import { parseSnapshot, type Snapshot } from './session/snapshot.ts';
import { Connections } from './source/upstream.ts';
import type { ProxyContext, ProxyStages } from './stages.ts';

export interface ProxyOptions {
  /** A listening socket that was inherited, or a port of 127.0.0.1 to take (0: any). */
  readonly listen: { readonly fd: number } | { readonly port: number };
  readonly log: Logger;
  /** What the engine before this one left; anything unfit is ignored. */
  readonly snapshot?: unknown;
  /** Called at the start and after each change with what a replacement would need. Secret: keep it in memory. */
  readonly onSnapshot?: (snapshot: Snapshot) => void;
  readonly limits?: Partial<ServerLimits>;
  readonly policies?: Partial<Policies>;
}

export interface Proxy {
  readonly port: number;
  readonly token: string;
  snapshot(): Snapshot;
  sessions(): SessionReport[];
  /** Breaks off a session's streams and forgets it; an unknown id is fine. */
  endSession(id: string): void;
  /** Stops listening and ends every connection, to the player and to the upstreams. */
  close(): Promise<void>;
}

/** Starts the proxy with the given stages. @throws SlipstreamError PROXY_ABSENT when it cannot listen. */
export async function startProxyWith(options: ProxyOptions, stages: ProxyStages): Promise<Proxy> {
  const { log } = options;
  const policies = { ...POLICIES, ...options.policies };
  const before = restore(options);
  const token = before?.token ?? newId();
  registerSecret(token);
  const connections = new Connections();
  const sessions = new Sessions(() => options.onSnapshot?.(snapshot()));
  const snapshot = (): Snapshot => ({
    version: 1,
    token,
    sessions: sessions.list().map((session) => session.record),
  });
  for (const record of before?.sessions ?? [])
    sessions.add(new Session(record, stages.openSource(record.source, connections)));
  const context: ProxyContext = { stages, sessions, connections, log, token, policies, port: 0 };
  const server = createProxyServer(context, { ...SERVER_LIMITS, ...options.limits });
  context.port = await listen(server, options.listen);
  options.onSnapshot?.(snapshot());
  return {
    port: context.port,
    token,
    snapshot,
    sessions: () => sessions.list().map((session) => session.report()),
    endSession: (id) => {
      sessions.end(id);
    },
    close: async () => {
      for (const session of sessions.list()) session.end();
      await closeServer(server);
      connections.close();
    },
  };
}

function restore({ snapshot, log }: ProxyOptions): Snapshot | undefined {
  if (snapshot === undefined || snapshot === null) return undefined;
  const parsed = parseSnapshot(snapshot, () => {
    log.warning('a session of the engine before cannot be used: its film must be started again');
  });
  if (parsed === undefined) log.warning('the snapshot of the engine before cannot be used: starting anew');
  return parsed;
}

const LOOPBACK = '127.0.0.1';

async function listen(server: Server, where: ProxyOptions['listen']): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', (cause) => {
      reject(cannotListen(cause.message, cause));
    });
    server.listen('fd' in where ? { fd: where.fd } : { port: where.port, host: LOOPBACK }, resolve);
  });
  const address = server.address();
  if (typeof address === 'object' && address?.address === LOOPBACK) return address.port;
  await closeServer(server);
  throw cannotListen('the inherited socket is not bound to 127.0.0.1');
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

const cannotListen = (detail: string, cause?: unknown) =>
  new SlipstreamError(
    'PROXY_ABSENT',
    { what: 'The local proxy cannot listen on 127.0.0.1.', next: 'Restart the media centre.' },
    { detail, cause },
  );
