import type { Backend } from '../backends/backend.ts';
import type { AbandonedJob } from '../backends/ledger.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';

/** How long one removal may take; a backend that is away is tried again on the next round. */
const REMOVAL_TIMEOUT_MS = 15_000;
/**
 * How long after its submission began a job may still appear: two attempts of a minute each, and the server goes on
 * reading an NZB that its sender has broken off. Until then an absent job is looked for again.
 */
export const MAY_APPEAR_MS = 5 * 60_000;

/**
 * Has those jobs swept that it is time for: at once what nobody has tried to remove yet, for somebody may have cancelled it
 * a moment ago, and each again after `round` milliseconds.
 */
export function sweepWhenDue(
  round: number,
  work: (due: readonly AbandonedJob[]) => Promise<void>,
): (abandoned: readonly AbandonedJob[]) => Promise<void> {
  let tried = new Map<string, number>();
  return async (abandoned) => {
    const before = performance.now() - round;
    const due = abandoned.filter(({ name }) => (tried.get(name) ?? before) <= before);
    if (due.length === 0) return;
    await work(due).finally(() => {
      const now = performance.now();
      const others = abandoned.map(({ name }) => [name, tried.get(name) ?? now] as const);
      tried = new Map([...others, ...due.map(({ name }) => [name, now] as const)]);
    });
  };
}

/** What the service knows of streams, as they are announced. */
export interface StreamHistory {
  /** The one that is announced now; empty: none. */
  readonly announced: () => Promise<string>;
  /** It has begun to play, now or before. */
  readonly hasBegun: (stream: string) => boolean;
}

/**
 * Of the jobs whose process is gone those that nobody plays. A process may die between the hand-over and its note of it:
 * what has begun to play was handed over, and its job stays; what is announced may yet begin.
 */
export async function unplayedJobs(
  abandoned: readonly AbandonedJob[],
  { announced, hasBegun }: StreamHistory,
): Promise<AbandonedJob[]> {
  if (abandoned.every(({ stream }) => stream === undefined)) return [...abandoned];
  const next = await announced();
  const left: AbandonedJob[] = [];
  for (const job of abandoned) {
    const { stream } = job;
    if (stream !== undefined && hasBegun(stream)) await job.removeFromLedger();
    else if (stream === undefined || stream !== next) left.push(job);
  }
  return left;
}

type Remover = Pick<Backend, 'name' | 'identity' | 'remove'>;

/**
 * Removes from the backend what killed or given-up plays left there, and strikes it from the ledger. Jobs of other
 * backends wait until theirs is set up again. @throws when aborted
 */
export async function sweepJobs(
  abandoned: readonly AbandonedJob[],
  backend: Remover,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  for (const job of abandoned.filter(({ backend: identity }) => identity === backend.identity)) {
    signal.throwIfAborted();
    try {
      await removeJob(job, backend, signal, log);
    } catch (error) {
      if (signal.aborted) return;
      log.warning(
        `an abandoned job is still at ${backend.name}: ${error instanceof Error ? error.message : 'unknown'}`,
      );
      if (!isJobRefusal(error)) return;
    }
  }
}

async function removeJob(
  job: AbandonedJob,
  backend: Remover,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  const removal = await backend.remove(
    job,
    AbortSignal.any([signal, AbortSignal.timeout(REMOVAL_TIMEOUT_MS)]),
  );
  if (removal === 'absent' && mayAppear(job)) return;
  await job.removeFromLedger();
  if (removal === 'removed') log.info(`removed an abandoned job from ${backend.name}`);
}

/** An age below zero is that of a clock which was set back. */
function mayAppear({ entered }: AbandonedJob): boolean {
  const age = Date.now() - entered;
  return age >= 0 && age < MAY_APPEAR_MS;
}

/** The backend refused this one; any other failure would meet the next job as well. */
const isJobRefusal = (error: unknown) =>
  error instanceof SlipstreamError && error.code === 'SERVICE_ERROR' && !error.transient;
