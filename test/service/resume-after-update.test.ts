import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SlipstreamError } from '../../src/errors/index.ts';
import type { PlayerState, ReplayRequest } from '../../src/host/port.ts';
import type { PlayingFilm } from '../../src/service/playback.ts';
import type { EndedFilm } from '../../src/service/report-film-failure.ts';
import { keepPlayback, resumeKeptPlayback, takeKeptPlayback } from '../../src/service/resume-after-update.ts';
import { recordingHost } from '../support/recording-host.ts';
import { MARK, RELEASE } from './monitored.ts';

const FOLDER = '/userdata/addon_data/ours/';
const URL = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
const FILM = { url: URL, origin: 'origin', time: 600, mark: MARK };

function setUp(state?: PlayerState, { refuses = false, stopMs = 100 } = {}) {
  const { properties, propertyValues, notify } = recordingHost();
  const played: [string, ReplayRequest][] = [];
  let holding = state;
  const stop = vi.fn(() => {
    // It takes a moment, as Kodi's does.
    setTimeout(() => (holding = undefined), stopMs);
    return Promise.resolve();
  });
  const player = {
    state: () => Promise.resolve(holding),
    play: () => Promise.reject(new Error('its stream is gone')),
    stop,
    releaseQueue: () => {
      throw new Error('nothing was set aside');
    },
    replay: (...call: [string, ReplayRequest]) => {
      played.push(call);
      return refuses ? Promise.reject(new Error('another film is starting')) : Promise.resolve();
    },
  };
  const forgotten: string[] = [];
  const films = {
    of: (url: string) => Promise.resolve(url === URL ? { ...FILM, title: 'Sintel (2010)' } : undefined),
    restore: () => Promise.reject(new Error('nothing is to be known again')),
    forget: (url: string) => Promise.resolve(void forgotten.push(url)),
  };
  const told: { readonly title: string; readonly what: string }[] = [];
  const failed = ({ title }: EndedFilm, { explanation }: SlipstreamError) =>
    Promise.resolve(void told.push({ title, what: explanation.what }));
  const kept = (film: PlayingFilm = FILM) => keepPlayback(film, { properties, dataFolder: FOLDER });
  const resume = async (dataFolder = FOLDER) => {
    const aborted = new AbortController().signal;
    const host = { properties, player, films, notify, dataFolder, aborted };
    const found = await takeKeptPlayback(host);
    return found && resumeKeptPlayback(found, host, failed);
  };
  return { propertyValues, played, told, stop, forgotten, kept, resume, held: () => holding };
}

const holds = (file: string): PlayerState => ({ file, time: 610, duration: 6000, origin: '', mark: '' });

afterEach(() => {
  vi.useRealTimers();
});

describe('what played when the add-on was updated', () => {
  test('is started anew with its release, a little before where it was, and only once', async () => {
    const { propertyValues, kept, played, resume } = setUp();
    await kept();
    expect(await resume()).toBeUndefined();
    expect(await resume()).toBeUndefined();
    expect(played).toEqual([['origin', { release: RELEASE, position: 595 }]]);
    expect(propertyValues.size).toBe(0);
  });

  test('is told when the player does not start it', async () => {
    const { kept, told, resume } = setUp(undefined, { refuses: true });
    await kept();
    expect(await resume()).toBeUndefined();
    expect(told).toEqual([
      { title: 'Sintel (2010)', what: 'The film broke off at 10:00, and Kodi did not start it again.' },
    ]);
  });

  test('gives way without a word to what the person was quicker with', async () => {
    const { propertyValues, kept, told, resume } = setUp(undefined, { refuses: true });
    await kept();
    propertyValues.set('slipstream.setting-up', String(process.ppid));
    expect([await resume(), told]).toEqual([undefined, []]);
  });

  test('is left to the player while it still plays, to be watched', async () => {
    const { kept, played, resume } = setUp(holds(URL));
    await kept();
    expect(await resume()).toMatchObject(FILM);
    expect(played).toEqual([]);
  });

  test('is forgotten when something else plays', async () => {
    const { kept, played, resume } = setUp(holds('http://127.0.0.1/other.mkv'));
    await kept();
    expect([await resume(), played]).toEqual([undefined, []]);
  });

  test('is not started anew when nobody knows how', async () => {
    const { played, kept, resume } = setUp();
    await kept({ ...FILM, origin: '' });
    expect([await resume(), played]).toEqual([undefined, []]);
  });

  test.each([
    ['a minute later', 60_000],
    ['by another clock', -1_000],
  ])('is forgotten %s', async (_what, later) => {
    const { propertyValues, kept, played, resume } = setUp();
    await kept();
    const text = propertyValues.get('slipstream.kept') ?? '';
    const { at, ...film } = JSON.parse(text) as { at: number };
    propertyValues.set('slipstream.kept', JSON.stringify({ ...film, at: at - later }));
    expect([await resume(), played]).toEqual([undefined, []]);
  });

  test.each([-3_600_000, 3_600_000])('is resumed though the system’s clock is set by %i ms', async (step) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { kept, played, resume } = setUp();
    await kept();
    vi.setSystemTime(Date.now() + step);
    await resume();
    expect(played).toHaveLength(1);
  });

  test.each([
    ['a minute later', 60_000],
    ['by a clock that was set back', -1],
  ])('is forgotten %s where an earlier version kept it', async (_what, later) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { propertyValues, kept, played, resume } = setUp();
    await kept();
    const film = JSON.parse(propertyValues.get('slipstream.kept') ?? '') as object;
    propertyValues.set('slipstream.kept', JSON.stringify({ ...film, version: 1, at: Date.now() }));
    vi.setSystemTime(Date.now() + later);
    expect([await resume(), played]).toEqual([undefined, []]);
  });

  test.each([100, 2_500])(
    'is stopped in another profile within %i ms, and started by nobody there',
    async (stopMs) => {
      const { played, stop, forgotten, kept, resume, held } = setUp(holds(URL), { stopMs });
      await kept();
      expect([await resume('/userdata/profiles/Second/addon_data/ours/'), played]).toEqual([undefined, []]);
      expect(stop).toHaveBeenCalledOnce();
      expect(held(), 'it has ended').toBeUndefined();
      expect(forgotten).toEqual([URL]);
    },
  );

  test('is forgotten in another profile also where the player does not stop it', async () => {
    const { stop, forgotten, kept, resume } = setUp(holds(URL));
    stop.mockRejectedValueOnce(new Error('the player is busy'));
    await kept();
    await expect(resume('/userdata/profiles/Second/addon_data/ours/')).rejects.toThrow('the player is busy');
    expect(forgotten).toEqual([URL]);
  });

  test.each([
    ['nothing plays any more', undefined],
    ['something else plays', holds('http://127.0.0.1/other.mkv')],
  ])('is left alone in another profile where %s', async (_what, state) => {
    const { played, stop, forgotten, kept, resume } = setUp(state);
    await kept();
    expect([await resume('/userdata/profiles/Second/addon_data/ours/'), played]).toEqual([undefined, []]);
    expect(stop).not.toHaveBeenCalled();
    expect(forgotten).toEqual([URL]);
  });

  test('is resumed when a version kept it that did not tell its profile', async () => {
    const { propertyValues, played, kept, resume } = setUp();
    await kept();
    const { data: _, ...film } = JSON.parse(propertyValues.get('slipstream.kept') ?? '') as {
      data: string;
    };
    const earlier = { ...film, version: 1, at: Date.now() };
    propertyValues.set('slipstream.kept', JSON.stringify(earlier));
    await resume();
    expect(played).toHaveLength(1);
  });

  test.each(['', 'nonsense', '{}', '{"version":2}', '[]'])('is not read out of %j', async (text) => {
    const { propertyValues, played, resume } = setUp();
    propertyValues.set('slipstream.kept', text);
    expect([await resume(), played]).toEqual([undefined, []]);
  });
});
