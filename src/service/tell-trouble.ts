import type { Message } from '../host/port.ts';
import type { Film } from './film.ts';
import type { Sources } from './sources.ts';
import { serverAway, serverInTrouble, serverWaitOver } from './words.ts';

/** Tells once of the trouble that a film's server is in while the film may still play from memory, and once of its end. */
export async function tellTrouble(
  film: Film,
  sources: Sources,
  notify: (message: Message) => Promise<void>,
): Promise<void> {
  const found = sources.of(film)?.trouble;
  const { trouble } = film;
  if (found !== undefined && found.kind !== 'failing') {
    if (trouble?.since === found.since) return;
    film.trouble = { since: found.since, isOver: false };
    await notify(found.why === undefined ? serverInTrouble : serverAway(found.why));
    return;
  }
  // Why it was given up, if it was, may be known a moment later.
  if (trouble?.isOver === false) trouble.isOver = true;
  else if (trouble !== undefined) {
    film.trouble = undefined;
    if (sources.lostOf(film) === undefined) await notify(serverWaitOver);
  }
}
