import { asSlipstreamError, type SlipstreamError } from '../errors/index.ts';
import type { SettingId } from '../settings/index.ts';
import type { Check, Fix } from './check.ts';
import { WrongAddressError } from './wrong-address.ts';

/** One step of a connection test. */
export interface CheckStep {
  /** As Check.what; asked when the step has ended, since it may only then be known who it is that answers. */
  readonly what: () => string;
  /** @returns what was found, for the person to read; or, where it has tried several things, a check of each */
  readonly run: (signal: AbortSignal) => Promise<string | readonly Check[] | undefined>;
  /** The failure in terms of what was entered, and the setting to look at. */
  readonly explain: (error: SlipstreamError, signal: AbortSignal) => Promise<StepFailure> | StepFailure;
}

export interface StepFailure {
  readonly failure: SlipstreamError;
  readonly setting?: SettingId;
  readonly alsoLikely?: readonly SettingId[];
  readonly mend?: Fix;
}

/** Runs the steps one after the other, up to the first that fails. Rejects only when the signal aborts. */
export async function runCheckSteps(
  steps: readonly CheckStep[],
  signal: AbortSignal,
): Promise<readonly Check[]> {
  signal.throwIfAborted();
  const checks: Check[] = [];
  for (const { what, run, explain } of steps) {
    try {
      const found = await run(signal);
      signal.throwIfAborted();
      if (typeof found === 'object') checks.push(...found);
      else checks.push({ what: what(), ...(found !== undefined && { found }) });
    } catch (error) {
      signal.throwIfAborted();
      const explained = await explain(asSlipstreamError(error), signal);
      signal.throwIfAborted();
      checks.push({ what: what(), ...addressOf(explained), ...explained });
      break;
    }
  }
  return checks;
}

/** An address that is secret as a whole is nothing to show on a button. */
const addressOf = ({ failure, setting }: StepFailure): Pick<Check, 'mend'> =>
  failure instanceof WrongAddressError && setting !== undefined && setting !== 'stremio_url'
    ? { mend: { setting, value: failure.rightAddress } }
    : {};
