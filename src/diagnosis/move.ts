import { SlipstreamError } from '../errors/index.ts';
import type { Moved } from '../io/moved.ts';
import { Misplaced } from './misplaced.ts';
import type { Sought } from './sought.ts';

/** What was entered leads on to another origin: which address is to be entered instead, and where. */
export function explainMove(error: Moved, { place, typed }: Sought): SlipstreamError {
  const { what } = error.explanation;
  const right = error.addressFor(typed);
  const next = `Enter ${right} as ${place}.`;
  // Another machine is nothing to be taken over at the press of a key: whoever sends there may be anybody.
  return new URL(right).hostname === new URL(typed).hostname
    ? new Misplaced(error, { what, next }, right)
    : new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });
}
