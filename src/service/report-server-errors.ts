import type { Message } from '../host/port.ts';
import type { Film } from './film.ts';
import { serverAway, serverFailing, serverRecovered } from './messages.ts';
import type { StreamSources } from './stream-sources.ts';

/** Tells once of the trouble that a film's server is in while the film may still play from memory, and once of its end. */
export async function reportServerErrors(
  film: Film,
  sources: StreamSources,
  notify: (message: Message) => Promise<void>,
): Promise<void> {
  const found = sources.of(film)?.trouble;
  const { reportedError: trouble } = film;
  if (found !== undefined && found.kind !== 'failing') {
    if (trouble?.since === found.since) return;
    film.reportedError = { since: found.since, isOver: false };
    await notify(found.why === undefined ? serverFailing : serverAway(found.why));
    return;
  }
  // Why it was given up, if it was, may be known a moment later.
  if (trouble?.isOver === false) trouble.isOver = true;
  else if (trouble !== undefined) {
    film.reportedError = undefined;
    if (sources.lossOf(film) === undefined) await notify(serverRecovered);
  }
}
