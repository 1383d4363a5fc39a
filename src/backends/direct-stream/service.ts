import type { Check } from '../../diagnosis/check.ts';
import type { ProbeTarget } from '../../diagnosis/index.ts';
import type { SlipstreamError } from '../../errors/index.ts';
import type { DirectService, MediaRequest } from '../../model/index.ts';
import type { JobToRemove, Nzb, Removal } from '../backend.ts';
import type { Stream } from './streams.ts';

/** What is given to a service: an NZB, and what is wanted of it. */
export interface Order {
  readonly nzb: Nzb;
  readonly jobName: string;
  readonly category: string;
  readonly request: MediaRequest;
}

/** What a service makes of an order. */
export type OrderReply =
  | { readonly kind: 'streams'; readonly streams: readonly Stream[] }
  /** It is at work, or busy, and wants to be asked for the same again, in so many milliseconds where it says so. */
  | { readonly kind: 'later'; readonly after: number | undefined };

export interface SendOptions {
  readonly signal: AbortSignal;
  /** The order has left us whole. */
  readonly onSent?: () => void;
}

/** A service that takes an NZB and answers with streams (protocols.md §8). */
export interface StreamService {
  readonly name: string;
  readonly kind: DirectService;
  /** Without path, user and slash at its end. */
  readonly origin: string;
  readonly base: string;
  /** Its streams can be played as soon as it names them; else the stream itself blocks until then. */
  readonly namesWhenReady: boolean;
  /**
   * Sends the order. The same one may be sent again: it is known by its job's name, or leaves nothing behind.
   * @throws AUTH_FAILED, SUBMIT_REFUSED, JOB_FAILED, and BAD_ANSWER where there is no such service, which are final;
   *   UNREACHABLE, TIMEOUT, SERVICE_ERROR and other BAD_ANSWERs, after which it may be sent again
   */
  send(order: Order, asking: SendOptions): Promise<OrderReply>;
  /** Sends an order without an NZB, which changes nothing: resolves when that alone is what the service objects to. @throws as `ask` */
  testOrder(signal: AbortSignal): Promise<void>;
  /**
   * Why orders wait, where a person has brought that about: as JobProgress.stallReason. Absent: it cannot be asked.
   * @throws NoApi and AUTH_FAILED where it never tells; what passes
   */
  stallReason?(signal: AbortSignal): Promise<string | undefined>;
  /** Tries what is set up beside the streaming, and makes no play fail. Rejects only when the signal aborts. */
  testExtras?(signal: AbortSignal): Promise<readonly Check[]>;
  /** Where it mostly listens. */
  readonly usualPort: string;
  /** As ProbeTarget.isAt. */
  readonly isAt: ProbeTarget['isAt'];
  /**
   * The failure to open a stream, with the reason in the service's own words where it keeps such a record. Transient: the
   * same release may be had at a second try. Rejects only when the signal aborts.
   */
  explain?(failure: SlipstreamError, stream: Stream, signal: AbortSignal): Promise<SlipstreamError>;
  /** As Backend.remove, for what the service itself keeps. */
  remove(job: JobToRemove, signal: AbortSignal): Promise<Removal>;
}
