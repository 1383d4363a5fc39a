import { SlipstreamError } from '../errors/index.ts';
import type { CrossOriginRedirect } from '../io/cross-origin-redirect.ts';
import type { ProbeTarget } from './probe-target.ts';
import { WrongAddressError } from './wrong-address.ts';

/** What was entered leads on to another origin: which address is to be entered instead, and where. */
export function explainRedirect(
  error: CrossOriginRedirect,
  { settingLabel: place, enteredUrl: typed }: ProbeTarget,
): SlipstreamError {
  const { what } = error.explanation;
  const right = error.addressFor(typed);
  const next = `Enter ${right} as ${place}.`;
  // Another machine is nothing to be taken over at the press of a key: whoever sends there may be anybody.
  return new URL(right).hostname === new URL(typed).hostname
    ? new WrongAddressError(error, { what, next }, right)
    : new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });
}
