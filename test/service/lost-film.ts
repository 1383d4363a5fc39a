import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Backend } from '../../src/backends/backend.ts';
import { type Explanation } from '../../src/errors/index.ts';
import type { PlayerState, ServicePlayer } from '../../src/host/port.ts';
import { localFiles } from '../../src/host/terminal/files.ts';
import { resumeKey } from '../../src/library/index.ts';
import { PendingStream, type ReplacementPlan, resolver } from '../../src/resolver.ts';
import { ActiveReplacement } from '../../src/service/active-replacement.ts';
import { type LostFilm } from '../../src/service/lost-film.ts';
import type { ExpectedFilm } from '../../src/service/playback.ts';
import { replaceFilm } from '../../src/service/replace-film.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { link, release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

export const BACKEND = { name: 'nzbdav', identity: 'webdav http://127.0.0.1:1', via: 'proxy' } as Backend;
export const PLAN: ReplacementPlan = {
  request: { kind: 'movie', title: 'Sintel', ids: {} },
  backend: BACKEND.identity,
  releases: [release({ name: 'a' }), release({ name: 'b', links: [link({ guid: '2' })] })],
};
export const MARK = resumeKey(release({ name: 'lost' }), {
  kind: 'movie',
  title: 'Sintel',
  year: 2010,
  ids: {},
});
export const FILM = {
  url: 'http://127.0.0.1:1/stream/old/Sintel.mkv',
  origin: 'plugin://plugin.video.slipstream/play?type=movie&title=Sintel',
  time: 600,
  mark: JSON.stringify(MARK),
  title: 'Sintel (2010)',
  isStillPlaying: false,
};
/** Milliseconds between two looks whether something else plays. */
export const LOOK = 10;
export const NEW = 'http://127.0.0.1:1/stream/new/Sintel.mkv';

/** A service host with a player, and what became of the stream that was made ready. */
export function stage(resolveFirst: (signal: AbortSignal) => Promise<unknown> = () => Promise.resolve()) {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const notified: Explanation[] = [];
  const played: Parameters<ServicePlayer['play']>[] = [];
  const fate: string[] = [];
  const failed: LostFilm[] = [];
  /** What the monitor is to see begin. */
  const expected = new Set<ExpectedFilm>();
  let state: PlayerState | undefined;
  let refusal: (() => Promise<void>) | undefined;
  const { properties, propertyValues, openProgress, cancel, open } = recordingHost();
  const host = {
    openProgress,
    dataFolder: folder,
    files: localFiles,
    films: {
      of: () => Promise.resolve(undefined),
      restore: () => Promise.reject(new Error('nothing is to be known again')),
      forget: (url: string) => Promise.resolve(void fate.push(`forgotten: ${url}`)),
    },
    properties,
    notify: (message: Explanation) => {
      notified.push(message);
      return Promise.resolve();
    },
    player: {
      state: () => Promise.resolve(state),
      play: async (...call: Parameters<ServicePlayer['play']>) => {
        if (refusal !== undefined) {
          await refusal();
          throw new Error('another film is starting');
        }
        played.push(call);
      },
      replay: () => Promise.reject(new Error('it is not searched for')),
      stop: () => Promise.reject(new Error('nothing is to be stopped')),
      releaseQueue: () => void fate.push('queue given back'),
    },
  };
  const pending = new PendingStream({
    stream: { url: NEW },
    origin: { release: PLAN.releases[1]!, files: [] },
    job: {
      keep: () => Promise.resolve(void fate.push('kept')),
      remove: () => Promise.resolve(void fate.push('removed')),
    },
  });
  const stop = new AbortController();
  const stages = {
    ...resolver,
    resolveFirst: async (...[, , { signal }]: Parameters<typeof resolver.resolveFirst>) => {
      await resolveFirst(signal);
      return pending;
    },
  };
  return {
    notified,
    played,
    fate,
    failed,
    expected,
    pending,
    propertyValues,
    stop,
    cancel,
    open,
    refuse: (first: () => Promise<void> = () => Promise.resolve()) => {
      refusal = first;
    },
    announce: (url: string) => {
      propertyValues.set('svc.stream_url', url).set('svc.active', 'true');
    },
    setUpElsewhere: () => {
      propertyValues.set('svc.active', 'true').set('slipstream.setting-up', String(process.ppid));
    },
    playsElsewhere: () => {
      state = { file: 'other', time: 1, duration: 100, origin: '', mark: '' };
    },
    playsAt: (time: number) => {
      state = { file: FILM.url, time, duration: 6000, origin: '', mark: '' };
    },
    run: (backends: Backend[] = [BACKEND], under = new ActiveReplacement(FILM), limit = 180_000) =>
      replaceFilm(under, PLAN, {
        rule: { attempts: 3, limit },
        poll: LOOK,
        host,
        stages,
        settings: parseSettings({}),
        log: memoryLog(),
        signal: stop.signal,
        backendsOf: () => Promise.resolve(backends),
        expect: (film) => {
          expected.add(film);
          return () => void expected.delete(film);
        },
        failed: (film, { explanation }) => {
          failed.push(film);
          notified.push(explanation);
          return Promise.resolve();
        },
      }),
  };
}

export type Stage = ReturnType<typeof stage>;
