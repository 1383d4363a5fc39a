import { describe, expect, test } from 'vitest';
import { focusedItem } from '../../../src/host/kodi/focused-item.ts';
import type { Peer } from '../../../src/host/kodi/index.ts';

/** What the engine makes of the labels that Kodi's end gives. */
const shown = (labels: unknown) => focusedItem({ call: () => Promise.resolve(labels) } as unknown as Peer);

describe('the item that has the focus in Kodi', () => {
  test('is read from its labels', async () => {
    const labels = {
      'ListItem.Title': ' Gran Dillama ',
      'ListItem.OriginalTitle': '',
      'ListItem.TVShowTitle': 'Caminandes',
      'ListItem.Year': '2013',
      'ListItem.Season': '1',
      'ListItem.Episode': '2',
      'ListItem.Duration': '02:30',
      'ListItem.IMDBNumber': 'tt1234567',
      'ListItem.UniqueID(tmdb)': '45745',
      'ListItem.UniqueID(tvdb)': 'none',
    };
    expect(await shown(labels)).toEqual({
      title: 'Gran Dillama',
      showTitle: 'Caminandes',
      year: 2013,
      season: 1,
      episode: 2,
      runtime: 2,
      ids: { imdb: 'tt1234567', tmdb: '45745' },
    });
  });

  test.each([
    ['1:34:05', 94],
    ['94:05', 94],
    ['15', 15],
    ['0:40', undefined],
    ['', undefined],
    ['1 h 34 min', undefined],
  ])('runs "%s" for %s minutes', async (text, minutes) => {
    expect((await shown({ 'ListItem.Duration': text })).runtime).toBe(minutes);
  });

  test('may say nothing, or what makes no sense', async () => {
    expect(await shown({})).toEqual({ ids: {} });
    expect(await shown({ 'ListItem.Year': 'S1', 'ListItem.IMDBNumber': '73141' })).toEqual({ ids: {} });
    await expect(shown({ 'ListItem.Title': 7 })).rejects.toMatchObject({ code: 'HOST_FAILED' });
  });
});
