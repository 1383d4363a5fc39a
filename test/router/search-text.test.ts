import { describe, expect, test } from 'vitest';
import { parseSearchText } from '../../src/router/search-text.ts';
import { route, router } from '../../src/router.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

describe('a title that a person writes', () => {
  test.each([
    ['Sintel', { kind: 'movie', title: 'Sintel' }],
    ['  big buck bunny 2008 ', { kind: 'movie', title: 'big buck bunny', year: 2008 }],
    ['Tears of Steel (2012)', { kind: 'movie', title: 'Tears of Steel', year: 2012 }],
    ['Caminandes S01E02', { kind: 'episode', title: 'Caminandes', episode: { season: 1, episode: 2 } }],
    ['Caminandes S2016E01', { kind: 'episode', title: 'Caminandes', episode: { season: 2016, episode: 1 } }],
    ['caminandes 1x03', { kind: 'episode', title: 'caminandes', episode: { season: 1, episode: 3 } }],
    [
      'The Daily Example 2024-03-05',
      {
        kind: 'episode',
        title: 'The Daily Example',
        episode: { season: 2024, episode: 305, aired: '2024-03-05' },
      },
    ],
    [
      'the daily example 2024.11.30',
      {
        kind: 'episode',
        title: 'the daily example',
        episode: { season: 2024, episode: 1130, aired: '2024-11-30' },
      },
    ],
  ])('%s', async (text, expected) => {
    expect(await parseSearchText(text)).toEqual({ ids: {}, ...expected });
  });

  test.each(['', '   ', '...', '!?'])('"%s" is none', async (text) => {
    await expect(parseSearchText(text)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('a season alone is asked for its episode', async () => {
    await expect(parseSearchText('Caminandes S01')).rejects.toMatchObject({
      explanation: { what: 'The episode is missing.' },
    });
  });
});

describe('the menu of the add-on', () => {
  const open = (path: string) => () =>
    router.parsePluginEntry([`plugin://plugin.video.slipstream${path}`, '1', '', '']);

  test.each(['', '/'])('is what "%s" shows', async (path) => {
    const host = recordingHost();
    expect(await route(open(path), 'resolve', host, memoryLog(), router)).toBe(false);
    // Nothing is set up, so there is nothing to search.
    expect(host.menus.map(([first]) => first?.route)).toEqual(['/setup/first-run']);
    // The menu was the answer.
    expect(host.resolved).toEqual([]);
    expect(host.notified).toEqual([]);
  });

  test('leads to a search for what is written', async () => {
    const asked: unknown[] = [];
    const playEntry: typeof router.playEntry = (entry) => {
      asked.push(entry);
      return Promise.reject(new Error('seen'));
    };
    const host = recordingHost();
    const routed = route(open('/search'), 'player', host, memoryLog(), { ...router, playEntry });
    await host.person.write('Sintel 2010');
    await routed;
    expect(asked).toEqual([
      { kind: 'play', request: { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } },
    ]);
  });

  test('plays nothing when nothing is written', async () => {
    const host = recordingHost();
    const routed = route(open('/search'), 'resolve', host, memoryLog(), router);
    await host.person.write('');
    expect(await routed).toBe(false);
    expect(host.resolved).toEqual([undefined]);
    expect(host.notified).toEqual([]);
  });
});
