import type { MediaRequest, Release } from '../model/index.ts';

/** One place that is searched. Every implementation passes test/contracts/source.ts. */
export interface SearchSource {
  /** The name the person gave it. */
  readonly name: string;
  /**
   * Everything it has for the request; an empty list when it has nothing.
   * @throws SlipstreamError AUTH_FAILED, RATE_LIMITED, UNREACHABLE, TIMEOUT, BAD_ANSWER, TOO_LARGE, SERVICE_ERROR
   */
  search(request: MediaRequest, signal: AbortSignal): Promise<Release[]>;
}
