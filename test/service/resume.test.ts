import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PlayerState } from '../../src/host/port.ts';
import { keep, resumeKept } from '../../src/service/resume.ts';
import { recordingHost } from '../support/recording-host.ts';

const URL = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
const FILM = { url: URL, origin: 'origin', time: 600 };

function setUp(state?: PlayerState) {
  const { properties, propertyValues, notify } = recordingHost();
  const played: [string, number][] = [];
  const player = {
    state: () => Promise.resolve(state),
    play: (url: string, position: number) => {
      played.push([url, position]);
      return Promise.resolve();
    },
  };
  return { properties, propertyValues, played, resume: () => resumeKept({ properties, player, notify }) };
}

const holds = (file: string): PlayerState => ({ file, time: 610, duration: 6000, origin: '', mark: '' });

afterEach(() => {
  vi.useRealTimers();
});

describe('what played when the add-on was updated', () => {
  test('is started anew, a little before where it was, and only once', async () => {
    const { properties, propertyValues, played, resume } = setUp();
    await keep(FILM, properties);
    expect(await resume()).toBeUndefined();
    expect(await resume()).toBeUndefined();
    expect(played).toEqual([['origin', 595]]);
    expect(propertyValues.size).toBe(0);
  });

  test('is left to the player while it still plays, to be watched', async () => {
    const { properties, played, resume } = setUp(holds(URL));
    await keep(FILM, properties);
    expect(await resume()).toMatchObject(FILM);
    expect(played).toEqual([]);
  });

  test('is forgotten when something else plays', async () => {
    const { properties, played, resume } = setUp(holds('http://127.0.0.1/other.mkv'));
    await keep(FILM, properties);
    expect([await resume(), played]).toEqual([undefined, []]);
  });

  test('is not kept when it cannot be started anew', async () => {
    const { properties, propertyValues } = setUp();
    await keep({ ...FILM, origin: '' }, properties);
    expect(propertyValues.size).toBe(0);
  });

  test.each([
    ['a minute later', 60_000],
    ['by a clock that was set back', -1],
  ])('is forgotten %s', async (_what, later) => {
    vi.useFakeTimers();
    const { properties, played, resume } = setUp();
    await keep(FILM, properties);
    vi.setSystemTime(Date.now() + later);
    expect([await resume(), played]).toEqual([undefined, []]);
  });

  test.each(['', 'nonsense', '{}', '{"version":2}', '[]'])('is not read out of %j', async (text) => {
    const { propertyValues, played, resume } = setUp();
    propertyValues.set('slipstream.kept', text);
    expect([await resume(), played]).toEqual([undefined, []]);
  });
});
