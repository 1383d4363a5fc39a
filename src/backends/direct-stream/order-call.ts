import { deferred } from '../../io/deferred.ts';
import { pause } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { isFinalFailure } from './replies.ts';
import type { Order, StreamService } from './service.ts';
import type { Stream } from './streams.ts';
import type { DirectStreamTimings } from './timings.ts';

/** An order under way. It is asked again while the service wants that, and after faults that pass. */
export interface OrderCall {
  /** Resolves when it was not refused for a moment, or is answered. Rejects with what keeps it from being taken. */
  readonly accepted: Promise<unknown>;
  /** Rejects with the order's failure, or with what it was broken off for. */
  readonly streams: Promise<readonly Stream[]>;
  abort(reason: Error): void;
}

/** Faults before anything was taken, after which the person waits for nothing. */
const ATTEMPTS = 2;

export function startOrderCall(
  service: StreamService,
  order: Order,
  { times, log }: { times: DirectStreamTimings; log: Logger },
): OrderCall {
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
      return await service.send(order, { signal, onSent });
    } finally {
      answered.abort();
    }
  };
  const keepAsking = async (): Promise<readonly Stream[]> => {
    const faults = faultCounter(times);
    for (;;) {
      try {
        const reply = await request();
        take();
        if (reply.kind === 'streams') return reply.streams;
        faults.forget();
        await pause(Math.min(reply.after ?? times.retryInterval, times.maxRetryAfter), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (isFinalFailure(error) || faults.areTooMany(isTaken)) throw error;
        log.warning(`${service.name} is given the release again: ${String(error)}`);
        await pause(times.retryInterval, signal);
      }
    }
  };
  const streams = keepAsking();
  const taken = Promise.race([settled.promise, streams]);
  // Whoever waits for them hears of it; a call that nobody waits for any more was broken off.
  streams.catch(() => undefined);
  taken.catch(() => undefined);
  return {
    accepted: taken,
    streams,
    abort: (reason) => {
      controller.abort(reason);
    },
  };
}

/** Counts faults in a row. A service that has taken the order may be away for a while, as when it is restarted. */
function faultCounter({ maxSilence: silence }: DirectStreamTimings) {
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
