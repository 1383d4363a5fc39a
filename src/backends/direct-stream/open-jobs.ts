import type { OrderCall } from './order-call.ts';
import type { Order } from './service.ts';

/** A job of this process: its order, and the call that is under way for it. */
export interface OpenJob {
  readonly order: Order;
  /** The call under way; a new one when it was broken off. */
  call(): OrderCall;
  abort(reason?: Error): void;
}

/** The jobs that this process has submitted and that are neither ready nor removed. */
export interface OpenJobs {
  /** Takes the place of another one of that name. */
  open(order: Order): OpenJob;
  get(name: string): OpenJob | undefined;
  /** Breaks its call off; false: there is none of that name. */
  close(name: string, reason?: Error): boolean;
}

export function openJobs(start: (order: Order) => OrderCall): OpenJobs {
  const jobs = new Map<string, OpenJob>();
  const close = (name: string, reason?: Error) => {
    jobs.get(name)?.abort(reason);
    return jobs.delete(name);
  };
  return {
    open: (order) => {
      close(order.jobName);
      const job = jobFor(order, start);
      jobs.set(order.jobName, job);
      return job;
    },
    get: (name) => jobs.get(name),
    close,
  };
}

function jobFor(order: Order, start: (order: Order) => OrderCall): OpenJob {
  let call: OrderCall | undefined;
  return {
    order,
    call: () => (call ??= start(order)),
    abort: (reason = new Error('nobody waits for the stream any more')) => {
      call?.abort(reason);
      call = undefined;
    },
  };
}
