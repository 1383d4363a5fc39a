import { describe, expect, it } from 'vitest';
import type { FocusedItem } from '../../../src/host/port.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { withFocusedItem } from '../../../src/search/metadata/focused-item.ts';
import { addMetadata } from '../../../src/search/metadata/index.ts';
import { memoryLog } from '../../support/log.ts';
import { newFolder } from '../folder.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: 'tt1727587' } };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: { tvdb: '1' },
  episode: { season: 1, episode: 2 },
};

describe('what the media centre shows of a film', () => {
  const shown: FocusedItem = {
    title: 'Sintel',
    originalTitle: 'Sintel: The Durian Open Movie',
    year: 2010,
    runtime: 15,
    ids: { imdb: 'tt1727587', tmdb: '45745' },
  };

  it('tells what the request lacks, and changes nothing that it says', () => {
    expect(withFocusedItem(FILM, shown)).toEqual({
      ...FILM,
      originalTitle: 'Sintel: The Durian Open Movie',
      runtime: 15,
      ids: { imdb: 'tt1727587', tmdb: '45745' },
    });
    expect(withFocusedItem({ ...FILM, runtime: 14 }, shown).runtime).toBe(14);
  });

  it.each<[string, FocusedItem, boolean]>([
    ['an id that both tell, under any title', { ...shown, title: 'Durian', year: 2011 }, true],
    ['one id, while another one differs', { ...shown, ids: { imdb: 'tt1727587', tmdb: '1' } }, false],
    ['title and year, without an id', { ...shown, ids: {} }, true],
    ['title and year, while the id differs', { ...shown, ids: { imdb: 'tt0000001' } }, false],
    ['the title in other signs', { ...shown, title: 'SINTEL!', ids: {} }, true],
    ['another title', { ...shown, title: 'Spring', ids: {} }, false],
    ['another year', { ...shown, year: 2011, ids: {} }, false],
    ['a title without a year', { title: 'Sintel', runtime: 15, ids: {} }, false],
    ['nothing', { runtime: 15, ids: {} }, false],
    ['an episode', { ...shown, showTitle: 'Sintel' }, false],
  ])('is believed by %s: %#', (_by, item, believed) => {
    const request = { ...FILM, ids: { imdb: 'tt1727587', tmdb: '45745' } };
    expect(withFocusedItem(request, item).runtime).toBe(believed ? 15 : undefined);
    if (!believed) expect(withFocusedItem(request, item)).toBe(request);
  });

  it('never takes two titles of signs alone for one', () => {
    const request = { ...FILM, title: '!', ids: {} };
    expect(withFocusedItem(request, { title: '?', year: 2010, runtime: 9, ids: {} })).toBe(request);
  });
});

describe('what the media centre shows of an episode', () => {
  const shown: FocusedItem = {
    title: 'Gran Dillama',
    originalTitle: 'Caminandes 2',
    showTitle: 'caminandes',
    year: 2013,
    season: 1,
    episode: 2,
    runtime: 3,
    ids: { imdb: 'tt3224362' },
  };

  it('tells its running time and title, but nothing that is the show’s in a request', () => {
    expect(withFocusedItem(EPISODE, shown)).toEqual({
      ...EPISODE,
      runtime: 3,
      episode: { season: 1, episode: 2, title: 'Gran Dillama' },
    });
  });

  it.each<Partial<FocusedItem>>([{ showTitle: 'Spring' }, { season: 2 }, { episode: 3 }])(
    'is not believed of another one: %j',
    (other) => {
      expect(withFocusedItem(EPISODE, { ...shown, ...other })).toBe(EPISODE);
    },
  );

  it('is not believed of a film', () => {
    expect(withFocusedItem(EPISODE, { title: 'Caminandes', runtime: 3, ids: {} })).toBe(EPISODE);
  });
});

describe('addMetadata', () => {
  const log = memoryLog();
  const complete = async (focused: () => Promise<FocusedItem>, signal = new AbortController().signal) => {
    const services = { tmdbKey: '', folder: await newFolder(), log, timeout: 50, focused };
    return await addMetadata(FILM, services, signal);
  };

  it('takes what is shown', async () => {
    expect(await complete(() => Promise.resolve({ runtime: 15, ids: FILM.ids }))).toEqual({
      ...FILM,
      runtime: 15,
    });
  });

  it('does without when nothing is to be had, or nothing comes', async () => {
    expect(await complete(() => Promise.reject(new Error('no labels')))).toEqual(FILM);
    expect(log.lines.join()).toContain('no labels');
    expect(await complete(() => new Promise(() => undefined))).toEqual(FILM);
  });

  it('ends with the signal', async () => {
    const reason = new Error('gone');
    const never = () => new Promise<FocusedItem>(() => undefined);
    await expect(complete(never, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
