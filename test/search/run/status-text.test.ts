import { describe, expect, it } from 'vitest';
import { type ErrorCode, SlipstreamError } from '../../../src/errors/index.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import type { SearchState, SourceStatus } from '../../../src/search/run/search-state.ts';
import { searchFailure, sourceWithRefusedKey, statusLine } from '../../../src/search/run/status-text.ts';
import { release } from '../../release/candidates.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};
const NOW = Date.UTC(2024, 0, 1);
/** The clock on the wall, so many minutes from then. */
const clock = (minutes: number) => new Date(NOW + minutes * 60_000).toTimeString().slice(0, 5);

const source = (name: string, fields: Partial<SourceStatus> = {}): SourceStatus => ({
  id: name,
  name,
  state: 'answered',
  found: 0,
  fitting: 0,
  partial: [],
  ...fields,
});
const failure = (code: ErrorCode, what = 'It failed.') => new SlipstreamError(code, { what, next: 'Look.' });
const failed = (name: string, code: ErrorCode) =>
  source(name, { state: 'failed', failure: failure(code, `${name} failed.`) });
const state = (sources: SourceStatus[], fields: Partial<SearchState> = {}): SearchState => ({
  releases: [],
  rejected: [],
  sources,
  finished: true,
  ...fields,
});
const line = (sources: SourceStatus[], fields: Partial<SearchState> = {}) =>
  statusLine(state(sources, fields), NOW);

describe('statusLine', () => {
  it('says nothing when all have answered', () => {
    expect(line([source('A'), source('B')])).toBe('');
  });

  it('says who still answers, and of many how many', () => {
    const asked = source('A', { state: 'asked' });
    const waiting = source('B', { state: 'waiting' });
    const third = source('C', { state: 'asked' });
    expect(line([asked, waiting, third, source('D')], { finished: false })).toBe(
      'waiting for 3 of 4 sources',
    );
    expect(line([asked, waiting, source('C')], { finished: false })).toBe('waiting for A and B');
    expect(line([asked, source('C')], { finished: false })).toBe('waiting for A');
    expect(line([asked], { finished: false })).toBe('waiting for A');
    expect(line([asked], { finished: true })).toBe('');
  });

  it.each([
    [20_000, 0, 'found less than a minute ago · B: wrong key'],
    [200_000, 0, 'found 3 min ago · B: wrong key'],
    [200_000, 1, 'found 3 min ago · 1 link of it not kept · B: wrong key'],
    [200_000, 12, 'found 3 min ago · 12 links of it not kept · B: wrong key'],
  ])('says of what was found %i ms ago how old it is, and that %i links are lost', (age, lost, expected) => {
    const earlier = { searched: NOW - age, lost };
    expect(line([source('A'), failed('B', 'AUTH_FAILED')], { earlier })).toBe(expected);
  });

  it('says who failed and why', () => {
    expect(line([failed('A', 'AUTH_FAILED'), failed('B', 'TIMEOUT'), failed('C', 'INTERNAL')])).toBe(
      'A: wrong key · B: no answer in time · C: failed',
    );
  });

  it('says of a source that is asked by ids only that it is, also behind a manager', () => {
    const manager = { id: 'm', name: 'Prowlarr' };
    const byIds = failed('InfiniDysk', 'NO_RESULTS');
    expect(line([byIds, source('B')])).toBe('InfiniDysk: asked by ids only');
    expect(line([{ ...byIds, manager }])).toBe('InfiniDysk by Prowlarr: asked by ids only');
  });

  it('says who rests, why, and until when, to the full minute', () => {
    const rests = (minutes: number, reason: 'limit' | 'failures') =>
      source('A', { state: 'resting', rest: { until: NOW + minutes * 60_000, reason } });
    expect(line([rests(12, 'limit')])).toBe(`A rests until ${clock(12)} because its limit is used up`);
    expect(line([rests(299.1, 'failures')])).toBe(`A rests until ${clock(300)} because it failed repeatedly`);
  });

  it('tells what the person has written wrongly as it is', () => {
    const wrong = source('sources.json', {
      state: 'failed',
      failure: failure('NOT_CONFIGURED', 'Entry 2 of sources.json is left out: its "url" is missing.'),
    });
    expect(line([wrong, source('A')])).toBe('Entry 2 of sources.json is left out: its "url" is missing');
  });

  it('says which indexers behind a manager failed', () => {
    const partial = ['One failed.', 'One failed.', 'Two failed.', 'Three failed.', 'Four failed.'].map(
      (what) => failure('TIMEOUT', what),
    );
    expect(line([source('A', { partial })])).toBe('One failed · Two failed · Three failed');
  });
});

describe('failureOf', () => {
  it('is none while there is a list, whoever failed', () => {
    expect(searchFailure(state([failed('A', 'TIMEOUT')], { releases: [release()] }), FILM)).toBeUndefined();
  });

  it('is the failure of all, a refused key before others', () => {
    expect(searchFailure(state([failed('A', 'TIMEOUT'), failed('B', 'AUTH_FAILED')]), FILM)).toMatchObject({
      code: 'AUTH_FAILED',
      explanation: { what: 'B failed.' },
    });
  });

  it('says that nothing was found, and for what', () => {
    const explanation = (request: MediaRequest, fields: Partial<SearchState> = {}) =>
      searchFailure(state([source('A')], fields), request)?.explanation;
    expect(explanation(FILM)).toEqual({
      what: 'Nothing was found for Sintel (2010).',
      next: 'Try again later, or with another indexer.',
    });
    expect(explanation(EPISODE, { rejected: [{ release: release(), reason: 'x' }] })?.what).toBe(
      'Of 1 found, no release is Caminandes S01E02.',
    );
  });

  it('says that an id is wanted, where nothing else is of use to all that searches', () => {
    const addon = (name: string) => source(name, { isIdOnly: true });
    const nameless = { ...FILM, ids: {} };
    expect(searchFailure(state([addon('A'), addon('B')]), nameless)?.explanation).toEqual({
      what: 'A and B can be searched by IMDb or TMDb id only, and none is known of Sintel (2010).',
      next: 'Choose it in TMDbHelper, or enter a TMDb API key in the settings of Slipstream (Connection).',
    });
    const isNothingFound = { explanation: { what: 'Nothing was found for Sintel (2010).' } };
    expect(searchFailure(state([addon('A'), source('B')]), nameless)).toMatchObject(isNothingFound);
    const known = { ...FILM, ids: { imdb: 'tt1727587' } };
    expect(searchFailure(state([addon('A')]), known)).toMatchObject(isNothingFound);
  });

  it('names what was missing', () => {
    expect(searchFailure(state([source('A'), failed('B', 'TIMEOUT')]), FILM)).toMatchObject({
      code: 'NO_RESULTS',
      explanation: { next: 'B failed. Look.' },
    });
    const resting = source('A', { state: 'resting', rest: { until: NOW + 60_000, reason: 'limit' } });
    expect(searchFailure(state([resting, source('B')]), FILM, NOW)?.explanation).toEqual({
      what: 'Nothing was found for Sintel (2010).',
      next: `Try again later. A rests until ${clock(1)} because its limit is used up.`,
    });
  });

  it('does not say that nothing was found when nobody could be asked', () => {
    const resting = source('A', { state: 'resting', rest: { until: NOW + 60_000, reason: 'limit' } });
    const rests = `A rests until ${clock(1)} because its limit is used up.`;
    expect(searchFailure(state([resting]), FILM, NOW)).toMatchObject({
      code: 'RATE_LIMITED',
      explanation: {
        what: rests,
        next: 'Try again then, or add another indexer in the settings of Slipstream (Connection).',
      },
    });
    expect(searchFailure(state([resting, failed('B', 'TIMEOUT')]), FILM, NOW)?.explanation).toEqual({
      what: rests,
      next: 'B failed. Look.',
    });
    // It had listed something before its limit was met.
    expect(searchFailure(state([{ ...resting, found: 3 }]), FILM, NOW)?.code).toBe('NO_RESULTS');
  });
});

describe('refusedSource', () => {
  it('is the first whose credentials were refused', () => {
    const sources = [source('A'), failed('B', 'TIMEOUT'), failed('C', 'AUTH_FAILED')];
    expect(sourceWithRefusedKey(state(sources))?.source.name).toBe('C');
    expect(sourceWithRefusedKey(state(sources.slice(0, 2)))).toBeUndefined();
  });
});
