// A client of Kodi's JSON-RPC over TCP, which also carries its notifications.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { JsonSplitter } from './json-stream.ts';

/** Kodi's answers come within milliseconds; a person's dialog never stands behind one. */
const ANSWER_MS = 30_000;

export interface Notification {
  readonly method: string;
  readonly data: unknown;
}

export interface WaitOptions {
  /** Only notifications that came after this mark count; by default all since the start do. */
  readonly since?: number;
  readonly where?: (data: unknown) => boolean;
  readonly ms?: number;
}

/** What Kodi told since it started, in order. */
export class Notifications {
  readonly all: Notification[] = [];
  private readonly watchers = new Set<() => void>();

  /** A point in the stream, to be given to `wait` as `since`. */
  mark(): number {
    return this.all.length;
  }

  /** The first notification of this kind; rejects when none comes within `ms` (20 s). */
  wait(
    method: string,
    { since = 0, where = () => true, ms = 20_000 }: WaitOptions = {},
  ): Promise<Notification> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.all.slice(since).find((one) => one.method === method && where(one.data));
        if (!found) return;
        settle();
        resolve(found);
      };
      const timer = setTimeout(() => {
        settle();
        const seen = this.all.slice(since).map((one) => one.method);
        reject(
          new Error(`No ${method} from Kodi within ${ms} ms; there were: ${seen.join(', ') || 'none'}.`),
        );
      }, ms);
      const settle = () => {
        clearTimeout(timer);
        this.watchers.delete(look);
      };
      this.watchers.add(look);
      look();
    });
  }

  add(notification: Notification): void {
    this.all.push(notification);
    for (const look of this.watchers) look();
  }
}

interface Message {
  id?: number;
  result?: unknown;
  error?: { message?: string };
  method?: string;
  params?: { data?: unknown };
}

interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Rpc {
  readonly notifications = new Notifications();
  /** Resolves when the connection has ended, by whomever. */
  readonly closed: Promise<void>;
  private readonly calls = new Map<number, Call>();
  private readonly socket: Socket;
  private lastId = 0;

  static async connect(port: number): Promise<Rpc> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Rpc(socket);
  }

  private constructor(socket: Socket) {
    this.socket = socket;
    const splitter = new JsonSplitter();
    socket.on('data', (chunk: Buffer) => {
      for (const value of splitter.push(chunk)) this.receive(value as Message);
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
    socket.on('close', () => {
      for (const { reject } of this.calls.values()) reject(new Error('Kodi closed its JSON-RPC connection.'));
      this.calls.clear();
    });
  }

  /** The result of one call; rejects with Kodi's words when it answers with an error, and after so many milliseconds. */
  async call(method: string, params: unknown = {}, { patience = ANSWER_MS } = {}): Promise<unknown> {
    if (this.socket.destroyed) throw new Error(`${method}: Kodi is gone.`);
    const id = ++this.lastId;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.calls.set(id, { resolve, reject });
        timer = setTimeout(() => {
          reject(new Error(`${method}: no answer within ${patience} ms.`));
        }, patience);
        this.socket.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
    } catch (error) {
      throw new Error(`${method}: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(timer);
      this.calls.delete(id);
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private receive({ id, result, error, method, params }: Message): void {
    if (method !== undefined) this.notifications.add({ method, data: params?.data });
    if (id === undefined) return;
    const call = this.calls.get(id);
    if (error) call?.reject(new Error(error.message ?? JSON.stringify(error)));
    else call?.resolve(result);
  }
}
