import { describe, expect, it } from 'vitest';
import { hasIgnoredId } from '../../../../src/search/sources/common/ignored-id.ts';
import type { SearchQuery } from '../../../../src/search/sources/source.ts';

const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: 'tt01727587' } };
const SHOW: SearchQuery = { kind: 'series', area: 'series', id: { kind: 'imdb', value: 'tt9900001' } };
const imdb = (...ids: string[]) => ids.map((id) => ({ claims: { imdb: `tt${id.padStart(7, '0')}` } }));

describe('hasIgnoredId', () => {
  it('sees that a total of ten thousand is the whole index', () => {
    expect(hasIgnoredId(FILM, [], 10_000)).toBe(true);
    expect(hasIgnoredId(FILM, [{}, {}], 123_456)).toBe(true);
    expect(hasIgnoredId(FILM, [{}, {}], 9_999)).toBe(false);
  });

  it('is not misled by one right post among the newest, nor by a total that is untrue', () => {
    expect(hasIgnoredId(FILM, imdb('1727587', '1', '2'), 50_000)).toBe(true);
    expect(hasIgnoredId(FILM, imdb('1727587', '1727587', '2'), 50_000)).toBe(false);
  });

  it('sees that every row is of another work', () => {
    expect(hasIgnoredId(FILM, imdb('1', '2'))).toBe(true);
    expect(hasIgnoredId(FILM, imdb('1'))).toBe(true);
    expect(hasIgnoredId(FILM, imdb('1', '1727587'))).toBe(false);
  });

  it('says nothing where rows have no ids, or ids of another kind', () => {
    expect(hasIgnoredId(FILM, [{}, { claims: { tmdb: '5' } }])).toBe(false);
    expect(hasIgnoredId(FILM, [])).toBe(false);
  });

  it("takes an episode's own IMDb id for no contradiction, but those of many", () => {
    expect(hasIgnoredId(SHOW, imdb('77', '77'))).toBe(false);
    expect(hasIgnoredId(SHOW, imdb('77', '78'))).toBe(true);
  });

  it('goes by what the rows claim where several ids were asked together', () => {
    const otherIds = [{ kind: 'tvdb', value: '990001' }] as const;
    const show: SearchQuery = { ...SHOW, otherIds };
    expect(hasIgnoredId(show, imdb('77', '77'))).toBe(false);
    expect(hasIgnoredId(show, imdb('77', '78'))).toBe(true);
    expect(hasIgnoredId(show, [{ claims: { tvdb: '5' } }])).toBe(true);
    expect(hasIgnoredId(show, [{ claims: { tvdb: '990001', imdb: 'tt0000077' } }])).toBe(false);
  });

  it('cannot happen to a query by text', () => {
    expect(hasIgnoredId({ kind: 'text', area: 'movies', text: 'x' }, imdb('1'), 50_000)).toBe(false);
  });
});
