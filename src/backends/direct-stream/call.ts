import { deferred } from '../../io/deferred.ts';
import { pause } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { isFinal } from './replies.ts';
import type { Order, Service } from './service.ts';
import type { Stream } from './streams.ts';
import type { Times } from './times.ts';

/** An order under way. It is asked again while the service wants that, and after faults that pass. */
export interface Call {
  /** Resolves when it was not refused for a moment, or is answered. Rejects with what keeps it from being taken. */
  readonly taken: Promise<unknown>;
  /** Rejects with the order's failure, or with what it was broken off for. */
  readonly streams: Promise<readonly Stream[]>;
  breakOff(reason: Error): void;
}

/** Faults before anything was taken, after which the person waits for nothing. */
const ATTEMPTS = 2;

export function startCall(
  service: Service,
  order: Order,
  { times, log }: { times: Times; log: Logger },
): Call {
  const controller = new AbortController();
  const { signal } = controller;
  const settled = deferred<undefined>();
  let isTaken = false;
  const take = () => {
    isTaken = true;
    settled.resolve(undefined);
  };

  /** One request; who has it whole and is silent about it for a moment has taken it. */
  const request = async () => {
    const answered = new AbortController();
    const onSent = () => {
      pause(times.settle, AbortSignal.any([signal, answered.signal])).then(take, () => undefined);
    };
    try {
      return await service.ask(order, { signal, onSent });
    } finally {
      answered.abort();
    }
  };
  const keepAsking = async (): Promise<readonly Stream[]> => {
    const faults = openFaults(times);
    for (;;) {
      try {
        const reply = await request();
        take();
        if (reply.kind === 'streams') return reply.streams;
        faults.forget();
        await pause(Math.min(reply.after ?? times.again, times.longestRest), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (isFinal(error) || faults.areTooMany(isTaken)) throw error;
        log.warning(`${service.name} is given the release again: ${String(error)}`);
        await pause(times.again, signal);
      }
    }
  };
  const streams = keepAsking();
  const taken = Promise.race([settled.promise, streams]);
  // Whoever waits for them hears of it; a call that nobody waits for any more was broken off.
  streams.catch(() => undefined);
  taken.catch(() => undefined);
  return {
    taken,
    streams,
    breakOff: (reason) => {
      controller.abort(reason);
    },
  };
}

/** Counts faults in a row. A service that has taken the order may be away for a while, as when it is restarted. */
function openFaults({ silence }: Times) {
  let count = 0;
  let since = 0;
  return {
    forget: () => {
      count = 0;
    },
    areTooMany: (isTaken: boolean): boolean => {
      if (++count === 1) since = performance.now();
      return count >= ATTEMPTS && (!isTaken || performance.now() - since > silence);
    },
  };
}
