import { expect, test } from 'vitest';
import type { SlipstreamError } from '../../src/errors/index.ts';
import type { PlayerState, ReplayRequest } from '../../src/host/port.ts';
import { openResumePoints, resumeKey } from '../../src/library/index.ts';
import { parseNotes, replayRefused } from '../../src/service/replay-refused.ts';
import type { EndedFilm } from '../../src/service/report-film-failure.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const URL = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
const KEY = resumeKey(release({ name: 'Sintel.2010.1080p-INV' }), {
  kind: 'movie',
  title: 'Sintel',
  year: 2010,
  ids: {},
});
const FILM = { origin: 'origin', mark: JSON.stringify(KEY), title: 'Sintel (2010)' };
const TIMES = { settle: 1, look: 1, limit: 5_000, cooldown: 1 };

function setUp({ refusals = 0 }: { refusals?: number } = {}) {
  const host = recordingHost();
  const log = memoryLog();
  const played: [string, number][] = [];
  const world: { state: PlayerState | undefined; refusals: number } = { state: undefined, refusals };
  const player = {
    state: () => Promise.resolve(world.state),
    stop: () => Promise.reject(new Error('nothing is to be stopped')),
    releaseQueue: () => undefined,
    play: () => Promise.reject(new Error('nothing of the stream is left')),
    replay: (url: string, { position }: ReplayRequest) => {
      if (world.refusals-- > 0) return Promise.reject(new Error('the failure box is up'));
      played.push([url, position]);
      return Promise.resolve();
    },
  };
  const told: { readonly title: string; readonly what: string }[] = [];
  const failed = ({ title }: EndedFilm, { explanation }: SlipstreamError) =>
    Promise.resolve(void told.push({ title, what: explanation.what }));
  const run = (times = TIMES) =>
    replayRefused(URL, FILM, {
      host: { ...host, player },
      signal: new AbortController().signal,
      log,
      reportFailure: failed,
      times,
    });
  return { host, log, played, told, world, run };
}

const holds = (file: string): PlayerState => ({ file, time: 0, duration: 0, origin: '', mark: '' });

test('a film whose stream is gone is played from its search on, where this release was left', async () => {
  const { host, log, played, run } = setUp();
  await openResumePoints({ folder: host.dataFolder, log }).save(KEY, { position: 600, duration: 6000 });
  await run();
  expect(played).toEqual([['origin', 600]]);
});

test('it waits for as long as the failure box is up', async () => {
  const { played, world, run } = setUp({ refusals: 3 });
  // The player has not put away yet what was refused.
  world.state = holds(URL);
  await run();
  expect(played).toEqual([['origin', 0]]);
});

test('it is told when the media centre does not start it as long as that is waited for', async () => {
  const { played, told, run } = setUp({ refusals: Infinity });
  await run({ ...TIMES, limit: 20 });
  expect(played).toEqual([]);
  expect(told).toEqual([
    {
      title: 'Sintel (2010)',
      what: 'The film is no longer at the server that it was played from, and Kodi did not start it anew.',
    },
  ]);
});

test('it gives way to another film that plays', async () => {
  const { played, told, world, run } = setUp();
  world.state = holds('http://127.0.0.1:1/stream/b/Spring.mkv');
  await run();
  expect([played, told]).toEqual([[], []]);
});

test('it gives way to another film that is being set up', async () => {
  const { host, played, run } = setUp();
  host.propertyValues.set('svc.active', 'true');
  await run();
  expect(played).toEqual([]);
});

test.each([undefined, {}, { origin: '', mark: '' }, 'origin'])('nothing is started by %j', (notes) => {
  expect(parseNotes(notes)).toBeUndefined();
});
