import type { RecordedRequest } from './types.ts';

/** How a service misbehaves on the wire, whatever it was asked. */
export type TransportFault = (
  | { /** Accepts the connection and never answers. */ readonly kind: 'hang' }
  | { /** Breaks the connection off before an answer. */ readonly kind: 'reset' }
  | {
      /** Does what was asked and never tells: the connection breaks off, or nothing comes. */
      readonly kind: 'answer-lost';
      readonly how: 'reset' | 'hang';
    }
  | { /** Does what was asked and answers later. */ readonly kind: 'slow'; readonly milliseconds: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string; readonly body?: string }
  | { /** A login page with status 200. */ readonly kind: 'html' }
  | { /** The first half of the right answer, as if it were whole. */ readonly kind: 'truncated' }
  | { /** XML that grows beyond measure when its entities are expanded. */ readonly kind: 'entity-bomb' }
  | { /** A body of 2 GB (or as many bytes as given). */ readonly kind: 'endless'; readonly bytes?: number }
  | { /** Well-formed, of another shape than documented. */ readonly kind: 'wrong-shape' }
  | { /** As if the person's key or password were wrong. */ readonly kind: 'wrong-key' }
  | { /** Any other answer. */ readonly kind: 'body'; readonly body: string; readonly type?: string }
  | {
      /** The body ends after `after` bytes of this answer, in one of the ways connections end. */
      readonly kind: 'cut';
      readonly after: number;
      /** reset: at once; fin: nothing for `delay` milliseconds (default 0), then the end; hang: nothing more. */
      readonly how: 'reset' | 'fin' | 'hang';
      readonly delay?: number;
    }
  | { /** The body comes at this speed. */ readonly kind: 'throttle'; readonly bytesPerSecond: number }
) & {
  /** Which requests are hit; absent: all of the service's. */
  readonly when?: (request: RecordedRequest) => boolean;
  /** How many of them; absent: all. */
  readonly times?: number;
};

/** A condition for `when`: the query has this value. `asks('mode', 'addfile')`, `asks('t', 'get')`. */
export function whenQuery(key: string, value: string): (request: RecordedRequest) => boolean {
  return (request) => request.query[key] === value;
}

/** A condition for `when`: the method. */
export function whenMethod(name: string): (request: RecordedRequest) => boolean {
  return (request) => request.method === name;
}

/** Picks the first fault that hits a request, and counts down those that hit only so often. */
export function faultPicker(): (
  faults: readonly TransportFault[],
  request: RecordedRequest,
) => TransportFault | undefined {
  const used = new WeakMap<TransportFault, number>();
  return (faults, request) => {
    const fault = faults.find(
      (each) => (used.get(each) ?? 0) < (each.times ?? Infinity) && (each.when?.(request) ?? true),
    );
    if (fault !== undefined) used.set(fault, (used.get(fault) ?? 0) + 1);
    return fault;
  };
}
