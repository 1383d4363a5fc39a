import { type Explanation, SlipstreamError } from '../../errors/index.ts';
import { fetchBounded } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { poll } from '../../io/wait.ts';
import type { IndexerManager } from '../../model/index.ts';

/** The manager of indexers that a link leads through is not there just now: neither would be the other links through it. */
export class ManagerUnavailable extends SlipstreamError {
  readonly manager: IndexerManager;
  /** What can be asked there for nothing. Holds no key. */
  readonly pingAddress: string;

  constructor(
    manager: IndexerManager,
    link: string,
    explanation: Explanation,
    options: { readonly cause?: unknown; readonly detail?: string },
  ) {
    super('UNREACHABLE', explanation, { ...options, transient: true });
    this.manager = manager;
    this.pingAddress = pingAddressOf(manager, link);
  }
}

/** Beside the links, which are base/3/download and base/getnzb/api/1: base/ping, and the front page. */
const PING_PATHS = { Prowlarr: '../ping', NZBHydra2: '../../' };

function pingAddressOf({ software }: IndexerManager, link: string): string {
  const { origin, pathname } = new URL(PING_PATHS[software], link);
  return `${origin}${pathname}`;
}

/**
 * What a reverse proxy answers in the place of a service that is away: 404 when it has lost its way there. With 504 the
 * service is there, and only slower than the proxy is patient.
 */
const PROXY_STATUSES: ReadonlySet<number> = new Set([404, 502, 503]);

export const isProxyStatus = ({ status }: Pick<HttpResponse, 'status'>): boolean =>
  PROXY_STATUSES.has(status);

const POLL_MS = 1_000;
/** Milliseconds for the answer to one look. */
const ANSWER_TIMEOUT_MS = 5_000;

interface WaitOptions {
  readonly signal: AbortSignal;
  /** Milliseconds in all. */
  readonly deadline: number;
  /** Hears before each look how many milliseconds are left. */
  readonly onLook: (left: number) => void;
}

/** Whether it has come back in time: it answers itself, and no longer that it is starting (protocols.md §6.5, §7.1). */
export async function waitUntilAvailable(
  { manager: { who }, pingAddress: url }: ManagerUnavailable,
  { signal, deadline, onLook }: WaitOptions,
): Promise<boolean> {
  const end = performance.now() + deadline;
  const look = async () => {
    onLook(Math.max(0, end - performance.now()));
    const asked = fetchBounded({ url, who, signal, timeout: ANSWER_TIMEOUT_MS, maxRedirects: 0 });
    const answer = await asked.catch(() => undefined);
    signal.throwIfAborted();
    return answer !== undefined && answer.status < 500 && !isProxyStatus(answer) ? true : undefined;
  };
  return (await poll(look, { signal, interval: () => POLL_MS, deadline })) === true;
}
