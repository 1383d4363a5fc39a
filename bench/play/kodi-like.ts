import { setTimeout as sleep } from 'node:timers/promises';
import { type ReadNext, read } from '../client.ts';
import { PlaybackModel } from './playback-model.ts';

/** Bytes per millisecond of a film of 8 Mbit/s. */
export const FILM_RATE = 1000;
/** What Kodi's file cache reads ahead of the picture, in bytes. */
const READ_AHEAD = 20e6;
/** So much of the film is there before a picture runs: a second. */
const START_BUFFER = FILM_RATE * 1000;
/** What Kodi reads at once. */
const AT_ONCE = 64 * 1024;
/** Milliseconds after which Kodi asks again where a connection has ended. */
const AGAIN = 2000;

/** So often before the film is given up. */
const MOST_BROKEN = 30;

export interface WatchResult {
  /** In milliseconds of performance.now(). */
  readonly began: number;
  /** Milliseconds from the beginning to the first picture. */
  readonly firstPicture: number;
  /** Milliseconds of standing still in so many milliseconds after the first picture. */
  stoodStill(within: number): number;
  /** Bytes that the player has read. */
  readonly read: number;
  /** How often its connection has ended before it left. */
  readonly broken: number;
}

/** Plays a film of 8 Mbit/s as Kodi does, until its first picture is so many milliseconds past. */
export async function watch(url: string, milliseconds: number): Promise<WatchResult> {
  const began = performance.now();
  const screen = new PlaybackModel(FILM_RATE, START_BUFFER, began);
  let position = 0;
  let broken = 0;
  const isOver = () => performance.now() - screen.firstPicture >= milliseconds;
  const onBytes = (count: number): ReadNext => {
    position += count;
    screen.arrive(count, performance.now());
    return isOver() ? 'leave' : Math.max(0, (screen.buffered - READ_AHEAD) / FILM_RATE);
  };
  while (!isOver()) {
    try {
      await read(url, { first: position, atOnce: AT_ONCE, onBytes });
    } catch (error) {
      if (++broken > MOST_BROKEN) throw error;
      await sleep(AGAIN);
    }
  }
  screen.advance(performance.now());
  return {
    began,
    firstPicture: screen.firstPicture - began,
    stoodStill: (within) => screen.stoodStill(within),
    read: position,
    broken,
  };
}
