import { describe, expect, it } from 'vitest';
import { PlaybackModel } from '../../bench/play/playback-model.ts';

/** A film of 1 byte per millisecond whose picture needs 100 bytes to run; times count from 1000. */
const screen = () => new PlaybackModel(1, 100, 1000);

describe('the picture of a film', () => {
  it('runs once there is enough for it', () => {
    const film = screen();
    film.arrive(99, 1500);
    expect(film.firstPicture).toBeNaN();
    film.arrive(1, 2000);
    expect(film.firstPicture).toBe(2000);
    film.advance(2040);
    expect([film.played, film.buffered]).toEqual([40, 60]);
  });

  it('stands still from where its bytes end until there is enough again', () => {
    const film = screen();
    film.arrive(100, 2000);
    film.arrive(50, 2300);
    film.arrive(50, 2500);
    film.advance(2510);
    expect(film.played).toBe(110);
    expect(film.stoodStill(10_000)).toBe(400);
  });

  it('counts what lies within a time after the first picture, and a stop that lasts', () => {
    const film = screen();
    film.arrive(100, 2000);
    film.advance(2600);
    expect(film.stoodStill(10_000)).toBe(500);
    expect(film.stoodStill(300)).toBe(200);
    film.arrive(200, 3000);
    expect(film.stoodStill(10_000)).toBe(900);
    expect(film.stoodStill(300)).toBe(200);
  });
});
