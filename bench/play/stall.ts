import { ALTMOUNT, type Dialect, NZBDAV } from '../../sandbox/index.ts';
import type { Figure, Measurement } from '../figure.ts';
import { FILM_RATE, type WatchResult, watch } from './kodi-like.ts';
import { type Started, withStarted } from './start-film.ts';

const MEGABITS = 20;
/** Milliseconds. */
const TWO_MINUTES = 120_000;
const BEGINNING = 25_000;
/** Articles fetched for each different one, and different ones that the player has no use for. */
const REPEATED_LIMIT = 1.1;
const UNREAD_LIMIT = 40;

/** A film of 8 Mbit/s on a line of 20: for how long its picture stands still in two minutes. */
export const stallFigures: readonly Figure[] = [
  standstill('play.standstill', NZBDAV),
  standstill('play.standstill-altmount', ALTMOUNT),
];

function standstill(name: string, dialect: Dialect): Figure {
  return {
    name,
    unit: 's',
    target: `0, ≤ ${REPEATED_LIMIT} articles for each different one, ≤ ${UNREAD_LIMIT} not read`,
    measure: () =>
      withStarted(dialect, MEGABITS, async (started) =>
        verdict(await watch(started.url, TWO_MINUTES), started),
      ),
  };
}

function verdict(watched: WatchResult, { sandbox, requests, ready }: Started): Measurement {
  const provider = sandbox.provider!;
  const { asked, different } = provider.articles();
  // What it goes on to read in the next two minutes.
  const unread = provider.articlesBehind(provider.gets[0]!.file, watched.read + TWO_MINUTES * FILM_RATE);
  const cut = provider.gets.filter(({ isCut }) => isCut === true).length;
  const value = watched.stoodStill(TWO_MINUTES) / 1000;
  const repeated = asked / different;
  const notes = [
    `${(watched.stoodStill(BEGINNING) / 1000).toFixed(1)} s of it in the first 25`,
    `first picture ${((watched.began + watched.firstPicture - ready) / 1000).toFixed(1)} s after the job was ready`,
    `${asked} articles for ${different} different ones, ${unread} not read two minutes later`,
    `${requests().length} requests, ${cut} bodies cut, ${watched.broken} times broken off`,
  ];
  const isFrugal = repeated <= REPEATED_LIMIT && unread <= UNREAD_LIMIT;
  return { value, met: value === 0 && isFrugal && cut === 0, note: notes.join('; ') };
}
