import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Backend } from '../../src/backends/backend.ts';
import { type Explanation, SlipstreamError } from '../../src/errors/index.ts';
import type { PlayerState, ServicePlayer } from '../../src/host/port.ts';
import { localFiles } from '../../src/host/terminal/files.ts';
import { unlessAborted } from '../../src/io/wait.ts';
import { resumeKey } from '../../src/library/index.ts';
import { writePlan } from '../../src/resolver/plan.ts';
import { type PendingStream, type Plan, readPlan, resolver, type StreamOrigin } from '../../src/resolver.ts';
import { playAnew, replace, wayOn } from '../../src/service/replacement.ts';
import { Replacement } from '../../src/service/replacement-under-way.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { link, release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const BACKEND = { name: 'nzbdav', identity: 'webdav http://127.0.0.1:1', via: 'proxy' } as Backend;
const PLAN: Plan = {
  request: { kind: 'movie', title: 'Sintel', ids: {} },
  backend: BACKEND.identity,
  releases: [release({ name: 'a' }), release({ name: 'b', links: [link({ guid: '2' })] })],
};
const MARK = resumeKey(release({ name: 'lost' }), { kind: 'movie', title: 'Sintel', year: 2010, ids: {} });
const FILM = {
  url: 'http://127.0.0.1:1/stream/old/Sintel.mkv',
  origin: 'plugin://plugin.video.slipstream/play?type=movie&title=Sintel',
  time: 600,
  mark: JSON.stringify(MARK),
  playsStill: false,
};
const NEW = 'http://127.0.0.1:1/stream/new/Sintel.mkv';

/** A service host with a player, and what became of the stream that was made ready. */
function stage(resolveFirst: (signal: AbortSignal) => Promise<unknown> = () => Promise.resolve()) {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const notified: Explanation[] = [];
  const played: Parameters<ServicePlayer['play']>[] = [];
  const fate: string[] = [];
  let state: PlayerState | undefined;
  const { properties, propertyValues } = recordingHost();
  const host = {
    dataFolder: folder,
    files: localFiles,
    properties,
    notify: (message: Explanation) => {
      notified.push(message);
      return Promise.resolve();
    },
    player: {
      state: () => Promise.resolve(state),
      play: (...call: Parameters<ServicePlayer['play']>) => {
        played.push(call);
        return Promise.resolve();
      },
    },
  };
  const pending: PendingStream = {
    stream: { url: NEW },
    from: { release: PLAN.releases[1]! } as StreamOrigin,
    commit: () => Promise.resolve(void fate.push('kept')),
    discard: () => Promise.resolve(void fate.push('removed')),
  };
  const stop = new AbortController();
  const stages = {
    ...resolver,
    resolveFirst: async (...[, , { signal }]: Parameters<typeof resolver.resolveFirst>) => {
      await resolveFirst(signal);
      return pending;
    },
  };
  return {
    ...{ notified, played, fate, propertyValues, stop },
    playsElsewhere: () => {
      state = { file: 'other', time: 1, duration: 100, origin: '', mark: '' };
    },
    playsAt: (time: number) => {
      state = { file: FILM.url, time, duration: 6000, origin: '', mark: '' };
    },
    run: (backends: Backend[] = [BACKEND], film = FILM, stopped?: AbortSignal) =>
      replace(film, PLAN, {
        ...(stopped !== undefined && { stopped }),
        ...{ host, stages, settings: parseSettings({}), log: memoryLog(), signal: stop.signal },
        backendsOf: () => Promise.resolve(backends),
      }),
  };
}

describe('a film whose stream is lost', () => {
  test('goes on with another release a little before where it was, under its own title', async () => {
    const s = stage();
    await s.run();
    // The film that was started, and the release that plays now.
    const mark = JSON.stringify({ ...resumeKey(PLAN.releases[1]!, PLAN.request), film: MARK.film });
    expect(s.played).toEqual([[NEW, 585, { url: FILM.url, mark }]]);
    expect(s.propertyValues.get('svc.stream_url')).toBe(NEW);
    expect(s.fate).toEqual(['kept']);
    expect(s.notified.map(({ what }) => what)).toEqual([
      'The film broke off at 10:00 and cannot be read any further.',
      'Another release of the film plays now.',
    ]);
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
    const s = stage((signal) => unlessAborted(new Promise(() => undefined), signal).catch(() => undefined));
    const running = s.run();
    s.playsElsewhere();
    await running;
    expect(s.played).toEqual([]);
    expect(s.fate).toEqual(['removed']);
    expect(s.notified).toHaveLength(1);
    expect(s.propertyValues.has('svc.stream_url')).toBe(false);
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
  test('is replaced where it has come to meanwhile', async () => {
    const s = stage();
    s.playsAt(660);
    await s.run([BACKEND], { ...FILM, playsStill: true });
    expect(s.played.map(([url, position]) => [url, position])).toEqual([[NEW, 645]]);
    expect(s.notified[0]?.what).toBe('Parts of this release are missing further on.');
  });

  test('is not replaced once the person has stopped it', async () => {
    const stop = new AbortController();
    const s = stage((signal) => unlessAborted(new Promise(() => undefined), signal));
    const running = s.run([BACKEND], { ...FILM, playsStill: true }, stop.signal);
    stop.abort(new Error('stopped'));
    await running;
    expect(s.played).toEqual([]);
    expect(s.notified).toHaveLength(1);
  });

  test('that has broken off meanwhile is replaced all the same, unless that has come to nothing', () => {
    const under = new Replacement();
    expect(under.goesOn()).toBe(true);
    under.filmEnded();
    expect(under.stopped.aborted).toBe(false);
    under.isOver = true;
    expect(under.goesOn()).toBe(false);
    const stopped = new Replacement();
    stopped.filmEnded();
    expect(stopped.stopped.aborted).toBe(true);
  });

  test('plays on when no other release can be played, which is told', async () => {
    const s = stage(() =>
      Promise.reject(new SlipstreamError('JOB_FAILED', { what: 'It is gone.', next: 'Try another.' })),
    );
    await s.run([BACKEND], { ...FILM, playsStill: true });
    expect(s.played).toEqual([]);
    expect(s.notified.at(-1)?.what).toBe(
      'Parts of this release are missing further on, and no other release can be played.',
    );
  });
});

describe('a film without another release in its plan, as a pack that needed no search', () => {
  const NONE: Plan = { ...PLAN, releases: [], unsearched: true };

  test('is played from its search on, a little before where it was', async () => {
    const played: unknown[] = [];
    const notified: Explanation[] = [];
    const player = {
      state: () => Promise.resolve(undefined),
      play: (...call: unknown[]) => Promise.resolve(void played.push(call)),
    };
    await playAnew(FILM, { player, notify: (message) => Promise.resolve(void notified.push(message)) });
    expect(played).toEqual([[FILM.origin, 585]]);
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
    expect(wayOn(plan, film, circumstances)).toBe(way);
  });
});

describe('the plan that goes along with /prepare', () => {
  test('is read as it was written, but for what nobody needs', () => {
    const read = readPlan(JSON.parse(JSON.stringify(writePlan(PLAN))));
    expect(read?.releases.map(({ name, links }) => [name, links])).toEqual(
      PLAN.releases.map(({ name, links }) => [name, links]),
    );
    expect(read?.request).toEqual(PLAN.request);
  });

  test.each([undefined, null, 'x', {}, { request: {}, backend: 'b', releases: [] }])(
    'is none: %j',
    (value) => {
      expect(readPlan(value)).toBeUndefined();
    },
  );
});
