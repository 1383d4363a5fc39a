import { onTestFinished } from 'vitest';
import { type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import type { Logger } from '../../src/log/index.ts';
import { type MediaRequest, type Release, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import type { ReleaseNameParser } from '../../src/release/index.ts';
import { type Cooldowns, openCooldowns } from '../../src/search/run/cooldown.ts';
import type { EarlierResults } from '../../src/search/run/search-state.ts';
import { type RunningSearch, startSearch } from '../../src/search/run/start-search.ts';
import type { SearchTimeouts } from '../../src/search/run/timeouts.ts';
import type { SearchSource, SourceManager } from '../../src/search/sources/source.ts';
import { memoryLog } from '../support/log.ts';
import { newFolder } from './folder.ts';
import { posting } from './posts.ts';
import { answer, type FakeSource, fakeSource, hang } from './sources.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: 'tt1727587' } };
export const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};
/** Far longer than any test, where nothing should be waited for. */
export const LONG = 60_000;
const PATIENCE: Partial<SearchTimeouts> = {
  source: LONG,
  overall: LONG,
  enoughReleases: 5,
  grace: 0,
  graceForFew: LONG,
  querySpacing: 0,
};

/** "Sintel.2010.…" is a film of that title and year, "Caminandes.1.2" an episode. */
export const parseName = (name: string) => {
  const [title = '', number = '', episode = ''] = name.split('.');
  if (title !== 'Caminandes') return { ...UNKNOWN_QUALITY, title, year: Number(number) };
  return { ...UNKNOWN_QUALITY, title, seasons: [Number(number)], episodes: [Number(episode)] };
};
export const loadParser = () => Promise.resolve(parseName);

let number = 0;
/** Ids of sources are process-wide: each test has its own. */
export const newId = () => `s${++number}`;

export async function newRests(): Promise<Cooldowns> {
  return openCooldowns({ folder: await newFolder(), log: memoryLog() });
}

export interface Options {
  readonly request?: MediaRequest;
  readonly patience?: Partial<SearchTimeouts>;
  readonly rests?: Cooldowns;
  readonly signal?: AbortSignal;
  readonly packs?: boolean;
  readonly loadParser?: () => Promise<ReleaseNameParser>;
  readonly isGood?: (release: Release) => boolean;
  readonly log?: Logger;
  readonly known?: EarlierResults;
}

export async function search(
  sources: readonly (SearchSource | SourceManager)[],
  options: Options = {},
): Promise<RunningSearch> {
  const { request = FILM, patience = {}, signal = new AbortController().signal, packs = false } = options;
  const rests = options.rests ?? (await newRests());
  const running = startSearch(request, sources, {
    signal,
    log: options.log ?? memoryLog(),
    cooldowns: rests,
    packs,
    ...(options.isGood && { isGood: options.isGood }),
    ...(options.known && { earlierResults: options.known }),
    loadParser: options.loadParser ?? loadParser,
    timeouts: { ...PATIENCE, ...patience },
  });
  onTestFinished(() => running.close());
  return running;
}

export const films = (source: string, count: number, title = 'Sintel.2010') =>
  Array.from({ length: count }, (_, i) =>
    posting({ source, indexer: source, guid: `${i}`, name: `${title}.${source}.${i}` }),
  );
export const lists = (count: number, title?: string): FakeSource => {
  const id = newId();
  return fakeSource(id, () => answer(films(id, count, title)));
};
export const hangs = () => fakeSource(newId(), hang);
export const failure = (code: ErrorCode, retryAfter?: number) =>
  new SlipstreamError(
    code,
    { what: 'It failed.', next: 'Look.' },
    retryAfter === undefined ? {} : { retryAfter },
  );
export const fails = (code: ErrorCode, retryAfter?: number) =>
  fakeSource(newId(), () => Promise.reject(failure(code, retryAfter)));
export const states = ({ state }: RunningSearch) => state.sources.map((source) => source.state);
