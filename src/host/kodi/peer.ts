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

export function createPeer(input: Readable, output: Writable, log: Logger): BridgePeer {
  const pending = new Map<number, PendingCall>();
  const handlers = new Map<string, (params: unknown) => unknown>();
  // The host speaks before we have set up who listens: `start` and an `abort` may come in one chunk.
  const unheard: { readonly method: string; readonly params: unknown }[] = [];
  const closed = new AbortController();
  let lastId = 0;

  /** @throws TypeError, RangeError for what no line can hold; the host would skip it and never answer. */
  const send = (message: object) => {
    const line = JSON.stringify({ jsonrpc: '2.0', ...message });
    if (Buffer.byteLength(line) > MAX_LINE) throw new RangeError('a message is longer than a line may be');
    if (!closed.signal.aborted) output.write(`${line}\n`);
  };
  const settle = ({ id, result, error }: v.InferOutput<typeof Incoming>) => {
    const call = typeof id === 'number' ? pending.get(id) : undefined;
    if (typeof id !== 'number' || call === undefined) return;
    pending.delete(id);
    if (error === undefined || error === null) call.resolve(result);
    else
      call.reject(
        hostFailed(call.method, v.is(ErrorShape, error) ? error.message : 'refused without a reason'),
      );
  };
  const answer = async (id: number | string | null | undefined, method: string, params: unknown) => {
    const handler = handlers.get(method);
    if (handler === undefined && id === undefined) {
      unheard.push({ method, params });
      if (unheard.length > MAX_QUEUED) unheard.shift();
      return;
    }
    try {
      const result = await handler?.(params);
      if (id === undefined) return;
      if (handler === undefined)
        send({ id, error: { code: METHOD_NOT_FOUND, message: `no method ${method}` } });
      else send({ id, result: result ?? null });
    } catch (error) {
      log.error(`the host's ${method} failed`, error);
      if (id !== undefined) send({ id, error: { code: INTERNAL_ERROR, message: 'failed' } });
    }
  };
  const receive = async (line: string) => {
    const message = parseLine(line);
    if (message === undefined)
      log.warning(`the bridge skipped a line of ${line.length} characters that is no message`);
    else if (message.method === undefined) settle(message);
    else await answer(message.id, message.method, message.params);
  };
  const onEnd = () => {
    closed.abort();
    for (const call of pending.values()) call.reject(hostFailed(call.method, 'the bridge is closed'));
    pending.clear();
  };

  const stopReading = readLines(input, MAX_LINE, {
    // receive() never rejects: each handler's failure is answered and logged.
    onLine: (line) => {
      receive(line).catch((error: unknown) => {
        log.error('the bridge failed on a line', error);
      });
    },
    onTooLong: () => {
      log.warning(`the bridge skipped a line of more than ${MAX_LINE} bytes`);
    },
    onEnd,
  });
  // A host that is gone is noticed by the end of the input; a failed write says nothing more.
  output.on('error', () => undefined);

  return {
    notify: (method, params) => {
      send({ method, params });
    },
    call: (method, params) =>
      new Promise((resolve, reject) => {
        if (closed.signal.aborted) {
          reject(hostFailed(method, 'the bridge is closed'));
          return;
        }
        const id = ++lastId;
        pending.set(id, { method, resolve, reject });
        try {
          send({ id, method, params });
        } catch (error) {
          pending.delete(id);
          reject(hostFailed(method, error instanceof Error ? error.message : 'not sent'));
        }
      }),
    handle: (method, handler) => {
      handlers.set(method, handler);
      const waiting = unheard.filter((notification) => notification.method === method);
      for (const notification of waiting) {
        unheard.splice(unheard.indexOf(notification), 1);
        // answer() never rejects, as in receive().
        answer(undefined, method, notification.params).catch(() => undefined);
      }
    },
    closed: closed.signal,
    close: () => {
      stopReading();
      input.destroy();
    },
  };
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
