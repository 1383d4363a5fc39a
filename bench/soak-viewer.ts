import { setTimeout as sleep } from 'node:timers/promises';
import { pacer, type ReadNext, read } from './client.ts';

const AT_ONCE = 64 * 1024;
/** Seconds. */
const PLAYS = [1, 8] as const;
const PAUSES = [2, 15] as const;
const SMALL_SEEK = 20;
/** The most that is played from one position, pauses excluded: no play reaches the film's end. */
const LONGEST_PLAY = 60;
/** Parts of all plays and of all seeks. */
const PAUSED = 0.25;
const SMALL = 0.5;

/** A restless person before a player: plays, pauses, and seeks near and far, forwards and back. */
export class Viewer {
  seeks = 0;
  pauses = 0;
  bytes = 0;
  readonly #url: string;
  readonly #size: number;
  readonly #rate: number;

  /** @param rate bytes per second of the film */
  constructor(url: string, size: number, rate: number) {
    this.#url = url;
    this.#size = size;
    this.#rate = rate;
  }

  /** @throws Error when the server ends a connection. */
  async watch(ms: number): Promise<void> {
    const until = performance.now() + ms;
    let playing = this.#play(0);
    await playing.begun;
    while (performance.now() < until) {
      await Promise.race([this.#enjoy(playing), playing.done]);
      // As Kodi does: the connection of a seek is opened before the old one is closed.
      const next = this.#play(this.#target(playing.position()));
      await next.begun;
      playing.leave();
      await playing.done;
      playing = next;
      this.seeks++;
    }
    playing.leave();
    await playing.done;
  }

  async #enjoy(playing: Playing): Promise<void> {
    await sleep(between(PLAYS) * 1000);
    if (Math.random() >= PAUSED) return;
    const pause = between(PAUSES) * 1000;
    playing.pause(pause);
    this.pauses++;
    await sleep(pause + between(PLAYS) * 1000);
  }

  #target(position: number): number {
    const last = this.#size - LONGEST_PLAY * this.#rate;
    if (Math.random() >= SMALL) return Math.floor(Math.random() * last);
    const near = position + between([-SMALL_SEEK, SMALL_SEEK]) * this.#rate;
    return Math.floor(Math.min(last, Math.max(0, near)));
  }

  #play(first: number): Playing {
    const pace = pacer(this.#rate);
    let position = first;
    let pausedUntil = 0;
    let left = false;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const onBytes = (count: number): ReadNext => {
      begin();
      position += count;
      this.bytes += count;
      return left ? 'leave' : Math.max(pace(count), pausedUntil - performance.now());
    };
    const done = read(this.#url, { first, atOnce: AT_ONCE, onBytes });
    return {
      begun: Promise.race([begun, done]),
      done,
      position: () => position,
      pause: (ms) => (pausedUntil = performance.now() + ms),
      leave: () => (left = true),
    };
  }
}

/** One connection, from a position on. */
interface Playing {
  /** Resolves with the first byte. */
  readonly begun: Promise<void>;
  /** Resolves once the viewer has left. */
  readonly done: Promise<void>;
  position(): number;
  /** Reads nothing for so many milliseconds. */
  pause(ms: number): void;
  leave(): void;
}

const between = ([low, high]: readonly [number, number]): number => low + Math.random() * (high - low);
