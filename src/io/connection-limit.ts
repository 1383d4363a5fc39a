import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections at a time. */
  readonly connections: number;
  /** Requests of one connection that may wait for their answers. */
  readonly pipelined: number;
}

/**
 * Bounds the connections to a server without harm to whoever uses it: the one that has been without a request for
 * longest makes room for the newest, so connections that ask for nothing keep nobody out.
 */
export class ConnectionLimit {
  /** Requests under way by connection; of the unused ones the longest unused comes first. */
  readonly #requests = new Map<Socket, number>();
  readonly #limits: ConnectionLimits;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#requests.set(socket, 0);
      socket.once('close', () => this.#requests.delete(socket));
      if (this.#requests.size > this.#limits.connections) this.#evictIdle(socket);
    });
  }

  /**
   * Counts a request until its answer has ended. False: every connection is in use, and it is to be refused. A
   * connection that asks without waiting for answers is cut.
   */
  admit(socket: Socket, response: ServerResponse): boolean {
    const waiting = this.#requests.get(socket) ?? 0;
    if (waiting >= this.#limits.pipelined) socket.destroy();
    else if (waiting === 0 && this.#inUse() >= this.#limits.connections) return false;
    this.#requests.set(socket, waiting + 1);
    response.once('close', () => {
      this.#ended(socket);
    });
    return true;
  }

  #inUse(): number {
    return [...this.#requests.values()].filter((requests) => requests > 0).length;
  }

  #ended(socket: Socket): void {
    const left = (this.#requests.get(socket) ?? 0) - 1;
    this.#requests.delete(socket);
    if (!socket.destroyed) this.#requests.set(socket, left);
  }

  #evictIdle(newest: Socket): void {
    for (const [socket, requests] of this.#requests) {
      if (requests > 0 || socket === newest) continue;
      this.#requests.delete(socket);
      socket.destroy();
      return;
    }
  }
}
