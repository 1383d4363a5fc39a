import { validateHeaderName, validateHeaderValue } from 'node:http';
import { SourceFailure } from '../../policy/failure.ts';
import { type ConnectionReader, UpstreamConnection } from './connection.ts';
import { exchangeHead, NoResponse } from './exchange.ts';
import type { UpstreamResponse } from './types.ts';

export interface IdleLimits {
  /** Unused connections that are kept for each origin. */
  readonly idlePerOrigin: number;
  /** Milliseconds that an unused connection is kept for the next seek; many servers end it themselves after 5 s. */
  readonly idleTimeout: number;
}

const LIMITS: IdleLimits = { idlePerOrigin: 4, idleTimeout: 4_500 };

/** Origins whose TLS session is remembered. */
const MAX_SESSIONS = 100;

/** The HTTP/1.1 connections to all upstreams of one proxy. */
export class ConnectionPool {
  readonly #limits: IdleLimits;
  readonly #all = new Set<UpstreamConnection>();
  /** By origin; the one used last stands last. */
  readonly #idle = new Map<string, UpstreamConnection[]>();
  readonly #sessions = new Map<string, Buffer>();
  #closed = false;

  constructor(options: Partial<IdleLimits> = {}) {
    this.#limits = { ...LIMITS, ...options };
  }

  /**
   * Sends a GET with these headers and Host, and resolves with the answer's head. Redirects are not followed, and
   * nothing limits the time but the signal, which ends the wait for the head; after that the body's `close` does.
   *
   * @throws SourceFailure unreachable or wrong-answer; the signal's reason when it aborts before the head is there;
   *   TypeError for a header that cannot be sent.
   */
  async get(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<UpstreamResponse> {
    signal.throwIfAborted();
    if (this.#closed) throw new SourceFailure('unreachable', 'the connections are closed');
    const request = requestHead(url, headers);
    const idle = this.#takeIdle(url.origin);
    if (idle !== undefined) {
      try {
        return await this.#exchange(idle, url, request, signal);
      } catch (error) {
        // The server may end an idle connection at any time, just now too (RFC 9112 §9.3.1).
        if (!(error instanceof NoResponse)) throw error;
        signal.throwIfAborted();
      }
    }
    return this.#exchange(this.#connect(url), url, request, signal);
  }

  /** Has a connection open for the next request to this origin: a seek then need not wait for its making. */
  preconnect(url: URL): void {
    if (!this.#closed && !this.#idle.has(url.origin)) this.#keep(url.origin, this.#connect(url));
  }

  /** Ends what is kept for a next request: after a sleep of the machine nothing is at its other end. */
  closeIdle(): void {
    for (const connection of [...this.#idle.values()].flat()) connection.destroy();
    this.#idle.clear();
  }

  /** Ends everything, idle or not; what still waits for bytes hears of it. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#all) connection.destroy(new Error('the connections are closed'));
  }

  async #exchange(
    connection: UpstreamConnection,
    url: URL,
    request: string,
    signal: AbortSignal,
  ): Promise<UpstreamResponse> {
    try {
      return await exchangeHead(connection, request, signal, () => {
        this.#keep(url.origin, connection);
      });
    } catch (error) {
      // Perhaps the server cannot make anything of its old session: the next handshake shall not depend on it.
      if (error instanceof NoResponse) this.#sessions.delete(url.origin);
      throw error;
    }
  }

  #connect(url: URL): UpstreamConnection {
    if (this.#closed) throw new SourceFailure('unreachable', 'the connections are closed');
    const { origin } = url;
    const memory = {
      session: this.#sessions.get(origin),
      remember: (session: Buffer) => {
        this.#remember(origin, session);
      },
    };
    const connection = new UpstreamConnection(url, memory, NO_READER);
    this.#all.add(connection);
    connection.onClose(() => this.#all.delete(connection));
    return connection;
  }

  #remember(origin: string, session: Buffer): void {
    this.#sessions.delete(origin);
    this.#sessions.set(origin, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  #takeIdle(origin: string): UpstreamConnection | undefined {
    const connection = this.#idle.get(origin)?.at(-1);
    if (connection === undefined) return undefined;
    this.#drop(origin, connection);
    connection.stopIdling();
    return connection;
  }

  #keep(origin: string, connection: UpstreamConnection): void {
    const idle = this.#idle.get(origin) ?? [];
    if (idle.length >= this.#limits.idlePerOrigin) {
      connection.destroy();
      return;
    }
    this.#idle.set(origin, [...idle, connection]);
    const end = () => {
      this.#drop(origin, connection);
      connection.destroy();
    };
    // Whatever comes now, bytes or the end, nobody has asked for it.
    connection.handTo({ arrived: end, filled: end, ended: end });
    connection.idleFor(this.#limits.idleTimeout, end);
  }

  #drop(origin: string, connection: UpstreamConnection): void {
    const rest = (this.#idle.get(origin) ?? []).filter((other) => other !== connection);
    if (rest.length > 0) this.#idle.set(origin, rest);
    else this.#idle.delete(origin);
  }
}

/** Until the request is sent nothing is expected. */
const NO_READER: ConnectionReader = { arrived: ignore, filled: ignore, ended: ignore };

function ignore(): void {
  // On purpose.
}

/** @throws TypeError for a header that would end, or hide another one in, the request; it does not tell the value. */
function requestHead(url: URL, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return `${name}: ${value}\r\n`;
  });
  return `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${fields.join('')}\r\n`;
}
