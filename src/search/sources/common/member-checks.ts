import type { Check } from '../../../diagnosis/check.ts';
import { asSlipstreamError, SlipstreamError } from '../../../errors/index.ts';
import { openSemaphore } from '../../../io/semaphore.ts';
import type { Logger } from '../../../log/index.ts';
import { cooldownText } from '../../run/cooldown-text.ts';
import { type MemberSource, sourceName } from '../source.ts';
import type { Unavailability } from '../unavailability.ts';

/** Members whose state is asked for at the same time. */
const MAX_CONCURRENT = 12;

/** For a connection test: a line for each source behind a manager. None of them is asked. */
export async function memberChecks(
  members: readonly MemberSource[],
  log: Logger,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const slots = openSemaphore(MAX_CONCURRENT);
  return await Promise.all(
    members.map((member) => slots.run(signal, () => checkMember(member, log, signal))),
  );
}

async function checkMember(member: MemberSource, log: Logger, signal: AbortSignal): Promise<Check> {
  const line = { what: sourceName(member), isOneOfMany: true } as const;
  try {
    const standing = member.unavailability ?? (await member.checkAvailability(signal));
    return standing === undefined ? line : { ...line, failure: failureIn(standing, member) };
  } catch (error) {
    signal.throwIfAborted();
    log.info(`${line.what}: its state is not known: ${String(error)}`);
    return { ...line, failure: asSlipstreamError(error) };
  }
}

function failureIn(standing: Unavailability, { name, manager }: MemberSource): SlipstreamError {
  if (standing.kind === 'failed') return standing.failure;
  const { rest } = standing;
  return new SlipstreamError(
    rest.reason === 'limit' ? 'RATE_LIMITED' : 'SERVICE_ERROR',
    {
      what: `${cooldownText(sourceName({ name, manager }), rest)}.`,
      next: `Test the indexer in ${manager.name} if you want it back earlier.`,
    },
    { transient: true },
  );
}
