import type { Readable, Writable } from 'node:stream';
import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import { readLines } from './lines.ts';

/**
 * Our end of the bridge: newline-delimited JSON-RPC 2.0 (docs/bridge.md). Calls go out, and calls come in to the
 * handlers; a line that is no JSON-RPC object is logged and skipped. Closed when the input ends.
 */
export interface BridgePeer {
  /** Calls a method of the host. @throws SlipstreamError HOST_FAILED when the host refuses or the bridge is closed. */
  call(method: string, params: object): Promise<unknown>;
  /** Tells the host something that it does not answer. What cannot be told any more is not. */
  notify(method: string, params: object): void;
  /** Sets what answers a method (or takes a notification) from the host; notifications that came before are given to it. */
  handle(method: string, handler: (params: unknown) => unknown): void;
  /** Aborts when the host's end is closed. */
  readonly closed: AbortSignal;
  /** Stops reading, so that the process can end. */
  close(): void;
}

const Incoming = v.looseObject({
  id: v.optional(v.union([v.number(), v.string(), v.null()])),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  /** Null and absent mean none; whatever else stands here, the call has failed. */
  error: v.optional(v.unknown()),
});
const ErrorShape = v.looseObject({ message: v.string() });

/** Bytes of a line, in both directions (docs/bridge.md). */
const MAX_LINE = 8 * 1024 * 1024;

/** Notifications that are kept for a handler that is set later. */
const MAX_QUEUED = 100;

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

interface PendingCall {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export const createPeer = (input: Readable, output: Writable, log: Logger): BridgePeer =>
  new LinePeer(input, output, log);

class LinePeer implements BridgePeer {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #log: Logger;
  readonly #pending = new Map<number, PendingCall>();
  readonly #handlers = new Map<string, (params: unknown) => unknown>();
  // The host speaks before the handlers are set: `start` and an `abort` may come in one chunk.
  readonly #unhandled: { readonly method: string; readonly params: unknown }[] = [];
  readonly #closed = new AbortController();
  readonly #stopReading: () => void;
  #lastId = 0;

  constructor(input: Readable, output: Writable, log: Logger) {
    this.#input = input;
    this.#output = output;
    this.#log = log;
    this.#stopReading = readLines(input, MAX_LINE, {
      // #receive() never rejects: each handler's failure is answered and logged.
      onLine: (line) => {
        this.#receive(line).catch((error: unknown) => {
          log.error('the bridge failed on a line', error);
        });
      },
      onTooLong: () => {
        log.warning(`the bridge skipped a line of more than ${MAX_LINE} bytes`);
      },
      onEnd: () => {
        this.#onEnd();
      },
    });
    // A host that is gone is noticed by the end of the input; a failed write says nothing more.
    output.on('error', () => undefined);
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  call(method: string, params: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed.signal.aborted) {
        reject(hostFailed(method, 'the bridge is closed'));
        return;
      }
      const id = ++this.#lastId;
      this.#pending.set(id, { method, resolve, reject });
      try {
        this.#send({ id, method, params });
      } catch (error) {
        this.#pending.delete(id);
        reject(hostFailed(method, error instanceof Error ? error.message : 'not sent'));
      }
    });
  }

  handle(method: string, handler: (params: unknown) => unknown): void {
    this.#handlers.set(method, handler);
    const waiting = this.#unhandled.filter((notification) => notification.method === method);
    for (const notification of waiting) {
      this.#unhandled.splice(this.#unhandled.indexOf(notification), 1);
      // #answer() never rejects, as in #receive().
      this.#answer(undefined, method, notification.params).catch(() => undefined);
    }
  }

  close(): void {
    this.#stopReading();
    this.#input.destroy();
  }

  /** @throws TypeError, RangeError for what no line can hold; the host would skip it and never answer. */
  #send(message: object): void {
    const line = JSON.stringify({ jsonrpc: '2.0', ...message });
    if (Buffer.byteLength(line) > MAX_LINE) throw new RangeError('a message is longer than a line may be');
    if (!this.#closed.signal.aborted) this.#output.write(`${line}\n`);
  }

  async #receive(line: string): Promise<void> {
    const message = parseLine(line);
    if (message === undefined)
      this.#log.warning(`the bridge skipped a line of ${line.length} characters that is no message`);
    else if (message.method === undefined) this.#settle(message);
    else await this.#answer(message.id, message.method, message.params);
  }

  #settle({ id, result, error }: v.InferOutput<typeof Incoming>): void {
    const call = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (typeof id !== 'number' || call === undefined) return;
    this.#pending.delete(id);
    if (error === undefined || error === null) call.resolve(result);
    else
      call.reject(
        hostFailed(call.method, v.is(ErrorShape, error) ? error.message : 'refused without a reason'),
      );
  }

  async #answer(id: number | string | null | undefined, method: string, params: unknown): Promise<void> {
    const handler = this.#handlers.get(method);
    if (handler === undefined && id === undefined) {
      this.#unhandled.push({ method, params });
      if (this.#unhandled.length > MAX_QUEUED) this.#unhandled.shift();
      return;
    }
    try {
      const result = await handler?.(params);
      if (id === undefined) return;
      if (handler === undefined)
        this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `no method ${method}` } });
      else this.#send({ id, result: result ?? null });
    } catch (error) {
      this.#log.error(`the host's ${method} failed`, error);
      if (id !== undefined) this.#send({ id, error: { code: INTERNAL_ERROR, message: 'failed' } });
    }
  }

  #onEnd(): void {
    this.#closed.abort();
    for (const call of this.#pending.values()) call.reject(hostFailed(call.method, 'the bridge is closed'));
    this.#pending.clear();
  }
}

function parseLine(line: string): v.InferOutput<typeof Incoming> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const result = v.safeParse(Incoming, value);
    return result.success && !Array.isArray(value) ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** The host did not do what was asked, or answered something else. */
export function hostFailed(method: string, detail: string): SlipstreamError {
  return new SlipstreamError(
    'HOST_FAILED',
    { what: 'Kodi did not do what Slipstream asked for.', next: 'Try again; if it stays, restart Kodi.' },
    { detail: `${method}: ${detail}` },
  );
}
