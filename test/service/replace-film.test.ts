import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { type Explanation, SlipstreamError } from '../../src/errors/index.ts';
import { unlessAborted } from '../../src/io/wait.ts';
import { resumeKey } from '../../src/library/index.ts';
import { serializePlan } from '../../src/resolver/replacement-plan.ts';
import { parsePlan, type ReplacementPlan } from '../../src/resolver.ts';
import { ActiveReplacement } from '../../src/service/active-replacement.ts';
import { nextStepOf, replaceBySearch } from '../../src/service/replace-film.ts';
import { recordingHost } from '../support/recording-host.ts';

import { BACKEND, FILM, LOOK, MARK, NEW, PLAN, type Stage, stage } from './lost-film.ts';

describe('a film whose stream is lost', () => {
  test('goes on with another release a little before where it was, under its own title', async () => {
    const s = stage();
    await s.run();
    // The film that was started, and the release that plays now.
    const mark = JSON.stringify({ ...MARK, release: resumeKey(PLAN.releases[1]!, PLAN.request).release });
    expect(s.played).toEqual([[NEW, 585, { url: FILM.url, mark }]]);
    expect(Object.fromEntries(s.propertyValues)).toEqual({ 'svc.stream_url': NEW, 'svc.active': 'true' });
    expect(s.fate).toEqual(['kept']);
    expect(s.notified.map(({ what }) => what)).toEqual([
      'The film broke off at 10:00 and cannot be read any further.',
    ]);
  });

  test('is told to go on when that has its first picture: until then it may fail', async () => {
    const s = stage();
    await s.run();
    const [film] = s.expected;
    expect(film).toMatchObject({
      url: NEW,
      startMessage: { what: 'Another release of the film plays now.', next: 'It goes on from about 9:45.' },
    });
  });

  test('is expected to go on before the player is told, which may be quicker', async () => {
    const s = stage();
    s.refuse(() => {
      expect([...s.expected].map(({ url }) => url)).toEqual([NEW]);
      return Promise.resolve();
    });
    await s.run();
    expect(s.expected.size).toBe(0);
  });

  test('is told when the player does not begin its other release', async () => {
    const s = stage();
    await s.run();
    await [...s.expected][0]?.onNotStarted();
    expect(s.notified.at(-1)?.what).toBe('Another release of the film is ready, but Kodi did not start it.');
    expect([s.failed, s.fate]).toEqual([[FILM], ['kept', `forgotten: ${NEW}`, 'queue given back']]);
    expect([...s.propertyValues]).toEqual([]);
  });

  test('is not told of that when the person plays something else by then', async () => {
    const s = stage();
    await s.run();
    s.playsElsewhere();
    await [...s.expected][0]?.onNotStarted();
    expect(s.failed).toEqual([]);
  });

  test('is told when no other release can be played', async () => {
    const s = stage(() =>
      Promise.reject(new SlipstreamError('JOB_FAILED', { what: 'It is gone.', next: 'Try another.' })),
    );
    await s.run();
    expect(s.played).toEqual([]);
    expect(s.notified.at(-1)).toEqual({
      what: 'The film broke off at 10:00, and no other release can be played.',
      next: 'It is gone. Try another.',
    });
  });

  test('gives way to what the person plays meanwhile; what was made ready is removed, and nothing told', async () => {
    // Ready in the moment in which it is no longer wanted.
    const s = stage((signal) => {
      s.playsElsewhere();
      return unlessAborted(new Promise(() => undefined), signal).catch(() => undefined);
    });
    await s.run();
    expect(s.played).toEqual([]);
    expect(s.fate).toEqual(['removed']);
    expect(s.notified).toHaveLength(1);
    expect([...s.propertyValues]).toEqual([]);
  });

  test('gives way to what another process sets up, which keeps svc.active', async () => {
    const s = stage((signal) => {
      s.setUpElsewhere();
      return unlessAborted(new Promise(() => undefined), signal);
    });
    await s.run();
    expect([s.played, s.fate]).toEqual([[], []]);
    expect(s.notified).toHaveLength(1);
    expect(s.propertyValues.get('svc.active')).toBe('true');
  });

  test('is not replaced at all while another process sets a stream up', async () => {
    const begun = vi.fn(() => Promise.resolve());
    const s = stage(begun);
    s.setUpElsewhere();
    const before = [...s.propertyValues];
    await s.run();
    expect(begun).not.toHaveBeenCalled();
    expect([...s.propertyValues]).toEqual(before);
  });

  test('has svc.active while its other release is set up, and leaves nothing raised when there is none', async () => {
    const s = stage(() => {
      expect(s.propertyValues.get('svc.active')).toBe('true');
      expect(s.propertyValues.has('svc.stream_url')).toBe(false);
      return Promise.reject(new SlipstreamError('JOB_FAILED', { what: 'It is gone.', next: 'Try another.' }));
    });
    await s.run();
    expect(s.notified.at(-1)?.next).toContain('It is gone.');
    expect([...s.propertyValues]).toEqual([]);
  });

  test('is not replaced once the person has gone back, at once and without a word', async () => {
    const s = stage((signal) => unlessAborted(new Promise(() => undefined), signal));
    const running = s.run();
    await vi.waitFor(() => {
      expect(s.open()).toBe(1);
    });
    s.cancel();
    await running;
    expect([s.open(), s.played, s.fate]).toEqual([0, [], ['queue given back']]);
    expect(s.notified).toHaveLength(1);
  });

  test('is waited for no longer than the person allows', async () => {
    const s = stage((signal) => unlessAborted(new Promise(() => undefined), signal));
    await s.run([BACKEND], undefined, 50);
    expect([s.open(), s.played]).toEqual([0, []]);
    expect(s.notified.at(-1)?.next).toContain('It takes too long.');
  });

  test('has another release when the player alone does not take it', async () => {
    const s = stage();
    s.refuse();
    await s.run();
    expect(s.fate).toEqual(['removed', 'queue given back']);
    expect(s.notified.at(-1)?.what).toBe('Another release of the film is ready, but Kodi did not start it.');
    expect(s.propertyValues.has('svc.stream_url')).toBe(false);
  });

  test('is not taken for what the person plays when the player refuses its other release late', async () => {
    const s = stage();
    s.refuse(() => setTimeout(20 * LOOK));
    await s.run();
    expect(s.fate).toEqual(['removed', 'queue given back']);
    expect(s.notified.at(-1)?.what).toBe('Another release of the film is ready, but Kodi did not start it.');
  });

  test('gives way to the film for which the player has refused its other release', async () => {
    const s = stage();
    s.refuse(() => {
      s.playsElsewhere();
      return Promise.resolve();
    });
    await s.run();
    expect(s.fate).toEqual(['removed']);
    expect(s.notified).toHaveLength(1);
  });

  test('plays, though that cannot be noted', async () => {
    const s = stage();
    s.pending.onCommit(() => Promise.reject(new Error('the disk is full')));
    await s.run();
    expect(s.played).toHaveLength(1);
    expect([s.failed, s.fate]).toEqual([[], ['kept']]);
  });

  test('ends with the service', async () => {
    const s = stage(() => {
      s.stop.abort(new Error('shutdown'));
      return Promise.resolve();
    });
    await expect(s.run()).rejects.toThrow('shutdown');
    expect(s.fate).toEqual(['removed']);
  });
});

describe('a film of which parts are missing further on', () => {
  const PLAYING = { ...FILM, isStillPlaying: true };

  test('and that comes to them shows from then on what is made ready, and Back ends it', async () => {
    const under = new ActiveReplacement(PLAYING);
    const s = stage((signal) => unlessAborted(new Promise(() => undefined), signal));
    const running = s.run([BACKEND], under);
    await vi.waitFor(() => {
      expect(s.propertyValues.get('svc.active')).toBe('true');
    });
    expect(s.open()).toBe(0);
    under.continueAfterEnd({ ...FILM, time: 720 });
    under.filmEnded();
    await vi.waitFor(() => {
      expect(s.open()).toBe(1);
    });
    expect(s.notified.at(-1)?.what).toBe('The film broke off at 12:00 and cannot be read any further.');
    s.cancel();
    await running;
    expect([s.open(), s.played, s.fate]).toEqual([0, [], ['queue given back']]);
    expect(s.notified).toHaveLength(2);
  });

  test('and that has come to them goes on from there, or is told as ended', async () => {
    for (const fails of [false, true]) {
      const under = new ActiveReplacement(PLAYING);
      const s = stage(() => {
        under.continueAfterEnd({ ...FILM, time: 720 });
        if (!fails) return Promise.resolve();
        return Promise.reject(
          new SlipstreamError('JOB_FAILED', { what: 'It is gone.', next: 'Try another.' }),
        );
      });
      await s.run([BACKEND], under);
      expect(s.open()).toBe(0);
      expect(s.played.map(([, position]) => position)).toEqual(fails ? [] : [705]);
      expect(s.failed).toEqual(fails ? [{ ...FILM, time: 720 }] : []);
    }
  });

  test('is replaced where it has come to meanwhile', async () => {
    const s = stage();
    s.playsAt(660);
    await s.run([BACKEND], new ActiveReplacement(PLAYING));
    expect(s.played.map(([url, position]) => [url, position])).toEqual([[NEW, 645]]);
    expect(s.notified[0]?.what).toBe('Parts of this release are missing further on.');
  });

  test('is not replaced once the person has stopped it', async () => {
    const under = new ActiveReplacement(PLAYING);
    const s = stage((signal) => unlessAborted(new Promise(() => undefined), signal));
    const running = s.run([BACKEND], under);
    under.filmEnded();
    await running;
    expect(s.played).toEqual([]);
    expect(s.notified).toHaveLength(1);
  });

  test('is announced still when the player does not take its other release', async () => {
    const s = stage();
    s.announce(FILM.url);
    s.playsAt(660);
    s.refuse();
    await s.run([BACKEND], new ActiveReplacement(PLAYING));
    expect(s.notified.at(-1)?.what).toContain('is ready, but Kodi did not start it');
    expect(Object.fromEntries(s.propertyValues)).toEqual({
      'svc.stream_url': FILM.url,
      'svc.active': 'true',
    });
  });

  test.each([
    ['once it has ended', () => undefined, undefined],
    [
      'once something else is announced',
      (s: Stage) => {
        s.announce('other');
      },
      'other',
    ],
  ])('is no longer announced %s while the player refuses its other release', async (_, meanwhile, left) => {
    const s = stage();
    s.announce(FILM.url);
    s.refuse(() => {
      meanwhile(s);
      return Promise.resolve();
    });
    await s.run([BACKEND], new ActiveReplacement(PLAYING));
    expect(s.propertyValues.get('svc.stream_url')).toBe(left);
    expect(s.propertyValues.get('svc.active')).toBe(left && 'true');
  });

  test('that has broken off meanwhile is replaced all the same, unless that has come to nothing', () => {
    const under = new ActiveReplacement(PLAYING);
    expect(under.continueAfterEnd(FILM)).toBe(true);
    under.filmEnded();
    expect(under.stopped.aborted).toBe(false);
    under.isOver = true;
    expect(under.continueAfterEnd(FILM)).toBe(false);
    const stopped = new ActiveReplacement(PLAYING);
    stopped.filmEnded();
    expect(stopped.stopped.aborted).toBe(true);
  });

  test('plays on when no other release can be played, which is told', async () => {
    const s = stage(() =>
      Promise.reject(new SlipstreamError('JOB_FAILED', { what: 'It is gone.', next: 'Try another.' })),
    );
    await s.run([BACKEND], new ActiveReplacement(PLAYING));
    expect(s.played).toEqual([]);
    expect(s.notified.at(-1)?.what).toBe(
      'Parts of this release are missing further on, and no other release can be played.',
    );
  });
});

describe('a film without another release in its plan, as a pack that needed no search', () => {
  const NONE: ReplacementPlan = { ...PLAN, releases: [], unsearched: true };

  test('is played from its search on, a little before where it was', async () => {
    const played: unknown[] = [];
    const notified: Explanation[] = [];
    const player = {
      state: () => Promise.resolve(undefined),
      play: () => Promise.reject(new Error('its stream is lost')),
      replay: (...call: unknown[]) => Promise.resolve(void played.push(call)),
      stop: () => Promise.reject(new Error('nothing is to be stopped')),
      releaseQueue: () => {
        throw new Error('it is followed still');
      },
    };
    const { properties } = recordingHost();
    const notify = (message: Explanation) => Promise.resolve(void notified.push(message));
    await replaceBySearch(FILM, { host: { player, properties, notify }, failed: () => Promise.resolve() });
    expect(played).toEqual([[FILM.origin, { release: MARK.release, position: 585 }]]);
    expect(notified[0]?.next).toBe('Another release is being made ready.');
  });

  test.each([
    ['that proved broken', NONE, FILM, { attempts: 3, isBroken: true }, 'anew'],
    // The search would choose it again.
    ['whose server was away', NONE, FILM, { attempts: 3, isBroken: false }, 'over'],
    [
      'of which nobody knows what starts it',
      NONE,
      { ...FILM, origin: '' },
      { attempts: 3, isBroken: true },
      'over',
    ],
    ['that is not to be replaced', NONE, FILM, { attempts: 0, isBroken: true }, 'over'],
    // All others have failed: the search would begin again and again.
    ['that was searched for', { ...PLAN, releases: [] }, FILM, { attempts: 3, isBroken: true }, 'over'],
    ['that has a plan', PLAN, FILM, { attempts: 3, isBroken: true }, 'replaced'],
  ] as const)('goes on as it can: one %s', (_, plan, film, circumstances, way) => {
    expect(nextStepOf(plan, film, circumstances)).toBe(way);
  });
});

describe('the plan that goes along with /prepare', () => {
  test('is read as it was written, but for what nobody needs', () => {
    const read = parsePlan(JSON.parse(JSON.stringify(serializePlan(PLAN))));
    expect(read?.releases.map(({ name, links }) => [name, links])).toEqual(
      PLAN.releases.map(({ name, links }) => [name, links]),
    );
    expect(read?.request).toEqual(PLAN.request);
  });

  test.each([undefined, null, 'x', {}, { request: {}, backend: 'b', releases: [] }])(
    'is none: %j',
    (value) => {
      expect(parsePlan(value)).toBeUndefined();
    },
  );
});
