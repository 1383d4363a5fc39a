import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Check } from '../../settings/index.ts';
import { openSlots } from '../slots.ts';
import { type MemberSource, sourceName } from '../source.ts';
import type { Standing } from '../standing.ts';
import { restWords } from '../words.ts';

/** Members whose state is asked for at the same time. */
const MOST_AT_ONCE = 12;

/** For a connection test: a line for each source behind a manager. None of them is asked. */
export async function memberChecks(
  members: readonly MemberSource[],
  log: Logger,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const slots = openSlots(MOST_AT_ONCE);
  return await Promise.all(members.map((member) => slots.take(signal, () => checkOf(member, log, signal))));
}

async function checkOf(member: MemberSource, log: Logger, signal: AbortSignal): Promise<Check> {
  const line = { what: sourceName(member), isOneOfMany: true } as const;
  try {
    const standing = member.standing ?? (await member.look(signal));
    return standing === undefined ? line : { ...line, failure: failureIn(standing, member) };
  } catch (error) {
    signal.throwIfAborted();
    log.info(`${line.what}: its state is not known: ${String(error)}`);
    return { ...line, failure: asSlipstreamError(error) };
  }
}

function failureIn(standing: Standing, { name, manager }: MemberSource): SlipstreamError {
  if (standing.kind === 'failed') return standing.failure;
  const { rest } = standing;
  return new SlipstreamError(
    rest.reason === 'limit' ? 'RATE_LIMITED' : 'SERVICE_ERROR',
    {
      what: `${restWords(sourceName({ name, manager }), rest)}.`,
      next: `Test the indexer in ${manager.name} if you want it back earlier.`,
    },
    { transient: true },
  );
}
