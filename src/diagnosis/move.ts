import { SlipstreamError } from '../errors/index.ts';
import type { Moved } from '../io/moved.ts';
import type { Sought } from './sought.ts';

/** What was entered leads on to another origin: which address is to be entered instead, and where. */
export function explainMove(error: Moved, { place, typed }: Sought): SlipstreamError {
  const { what } = error.explanation;
  const next = `Enter ${error.addressFor(typed)} as ${place}.`;
  return new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });
}
