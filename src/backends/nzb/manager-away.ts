import { type Explanation, SlipstreamError } from '../../errors/index.ts';
import { fetchBounded } from '../../io/http.ts';
import { type HttpAnswer } from '../../io/http-answer.ts';
import { poll } from '../../io/wait.ts';
import type { IndexerManager } from '../../model/index.ts';

/** The manager of indexers that a link leads through is not there just now: neither would be the other links through it. */
export class ManagerAway extends SlipstreamError {
  readonly manager: IndexerManager;
  /** What can be asked there for nothing. Holds no key. */
  readonly address: string;

  constructor(
    manager: IndexerManager,
    link: string,
    explanation: Explanation,
    options: { readonly cause?: unknown; readonly detail?: string },
  ) {
    super('UNREACHABLE', explanation, { ...options, transient: true });
    this.manager = manager;
    this.address = cheapAddress(manager, link);
  }
}

/** Beside the links, which are base/3/download and base/getnzb/api/1: base/ping, and the front page. */
const CHEAP = { Prowlarr: '../ping', NZBHydra2: '../../' };

function cheapAddress({ software }: IndexerManager, link: string): string {
  const { origin, pathname } = new URL(CHEAP[software], link);
  return `${origin}${pathname}`;
}

/**
 * What a reverse proxy answers in the place of a service that is away: 404 when it has lost its way there. With 504 the
 * service is there, and only slower than the proxy is patient.
 */
const OF_PROXIES: ReadonlySet<number> = new Set([404, 502, 503]);

export const isOfProxy = ({ status }: Pick<HttpAnswer, 'status'>): boolean => OF_PROXIES.has(status);

const LOOK_MS = 1_000;
/** Milliseconds for the answer to one look. */
const ANSWER_MS = 5_000;

interface Waiting {
  readonly signal: AbortSignal;
  /** Milliseconds in all. */
  readonly deadline: number;
  /** Hears before each look how many milliseconds are left. */
  readonly onLook: (left: number) => void;
}

/** Whether it has come back in time: it answers itself, and no longer that it is starting (protocols.md §6.5, §7.1). */
export async function isBack(
  { manager: { who }, address: url }: ManagerAway,
  { signal, deadline, onLook }: Waiting,
): Promise<boolean> {
  const end = performance.now() + deadline;
  const look = async () => {
    onLook(Math.max(0, end - performance.now()));
    const asked = fetchBounded({ url, who, signal, timeout: ANSWER_MS, maxRedirects: 0 });
    const answer = await asked.catch(() => undefined);
    signal.throwIfAborted();
    return answer !== undefined && answer.status < 500 && !isOfProxy(answer) ? true : undefined;
  };
  return (await poll(look, { signal, interval: () => LOOK_MS, deadline })) === true;
}
