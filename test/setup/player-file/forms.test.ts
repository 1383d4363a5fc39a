import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePluginEntry, parseScriptEntry } from '../../../src/router/entry.ts';
import { FORMS, type Form } from '../../../src/setup/player-file/form.ts';
import { identifyPlayer, playerFingerprint, playerText } from '../../../src/setup/player-file/forms.ts';
import { KNOWN_VERSIONS } from '../../../src/setup/player-file/known-versions.ts';

interface Player {
  readonly is_resolvable: string;
  readonly play_movie: string;
  readonly play_episode: string;
  readonly make_playlist?: string;
}

const SHIPPED = readFileSync(
  join(import.meta.dirname, '../../../addon/resources/players/plugin.video.slipstream.json'),
  'utf8',
);
const playerOf = (form: Form) => JSON.parse(playerText(form)) as Player;
const [SCRIPT, RESOLVABLE] = [playerOf('script'), playerOf('resolvable')];

/** As TMDbHelper fills in what it knows; what it does not know is "None", what no key of its is "_" (protocols.md §9.3). */
function fill(action: string, values: Readonly<Record<string, string>>): string {
  return action.replace(/\{(\w+)\}/g, (_, name: string) => {
    const plain = name.endsWith('_url') ? values[name.slice(0, -4)] : values[name]?.replaceAll(',', '');
    if (plain === undefined) return 'None';
    return name.endsWith('_url') ? encodeURIComponent(plain) : plain;
  });
}

const MOVIE = {
  title: 'Rock, Paper & 100% "Sintel" = Ümläut',
  originaltitle: 'Sintel',
  en_title: 'Sintel, a Dragon',
  year: '2010',
  premiered: '2010-09-27',
  imdb: 'tt1727587',
  tmdb: '45745',
  plot: 'A girl, a dragon.\nTwo lines? Yes & no.',
  poster: 'https://image.example/a.jpg?w=1&h=2',
};
const EPISODE = {
  title: 'Llama Drama',
  showname: 'Caminandes, die Serie',
  originaltitle: 'Caminandes',
  en_showname: 'Caminandes, the Show',
  season: '1',
  episode: '2',
  year: '2014',
  showyear: '2013',
  premiered: '2014-01-02',
  imdb: 'tt2948840',
  tmdb: '63190',
  tvdb: '271632',
  eptmdb: '1234',
  eptvdb: '5678',
};

/** As Kodi calls us: a script gets what stands between the commas, a plugin its query. */
function requestOf(action: string) {
  const script = /^executebuiltin:\/\/RunScript\(plugin\.video\.slipstream,(.*)\)$/s.exec(action)?.[1];
  if (script !== undefined) return parseScriptEntry(['addon.py', ...script.split(',')]);
  const at = action.indexOf('?');
  return parsePluginEntry([action.slice(0, at), '1', action.slice(at), 'resume:false']);
}

describe('the forms of the player', () => {
  test('are the one that is shipped, and the same for the media centre to resolve', () => {
    expect(SCRIPT).toEqual(JSON.parse(SHIPPED));
    expect([SCRIPT.is_resolvable, RESOLVABLE.is_resolvable]).toEqual(['false', 'true']);
    const { is_resolvable: _, play_movie: _m, play_episode: _e, ...common } = SCRIPT;
    expect(RESOLVABLE).toMatchObject(common);
    expect(RESOLVABLE.play_movie).toMatch(/^plugin:\/\/plugin\.video\.slipstream\/play\?type=movie&title=/);
  });

  test('hand over the same film and the same episode, with all that TMDbHelper knows', () => {
    const movie = requestOf(fill(SCRIPT.play_movie, MOVIE));
    expect(movie).toMatchObject({
      kind: 'play',
      request: {
        kind: 'movie',
        title: MOVIE.title,
        originalTitle: 'Sintel',
        year: 2010,
        alternativeTitles: ['Sintel, a Dragon'],
        plot: MOVIE.plot,
        ids: { imdb: 'tt1727587', tmdb: '45745' },
      },
    });
    expect(requestOf(fill(RESOLVABLE.play_movie, MOVIE))).toEqual(movie);
    const episode = requestOf(fill(SCRIPT.play_episode, EPISODE));
    expect(episode).toMatchObject({
      request: {
        kind: 'episode',
        title: EPISODE.showname,
        year: 2013,
        ids: { tvdb: '271632' },
        alternativeTitles: ['Caminandes, the Show'],
        episode: { season: 1, episode: 2, title: 'Llama Drama', ids: { tvdb: '5678' } },
      },
    });
    expect(requestOf(fill(RESOLVABLE.play_episode, EPISODE))).toEqual(episode);
  });

  test('differ in what follows an episode', () => {
    expect(FORMS.map((form) => [form, playerOf(form).make_playlist])).toEqual([
      ['resolvable', undefined],
      ['resolvable-upnext', 'upnext'],
      ['resolvable-playlist', 'true'],
      ['script', undefined],
    ]);
  });

  test.each(FORMS)('hand over what is there when TMDbHelper knows little: %s', (form) => {
    expect(requestOf(fill(playerOf(form).play_movie, { title: 'Spring' }))).toEqual({
      kind: 'play',
      request: { kind: 'movie', title: 'Spring', ids: {} },
    });
  });
});

describe('what is recognised', () => {
  test('is every version that was given out, however it is laid out', () => {
    for (const form of FORMS) {
      const text = playerText(form);
      const turned = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse()));
      for (const each of [text, `\ufeff${text}`, turned]) {
        expect(identifyPlayer(each)).toEqual({ form, isCurrent: true });
      }
    }
    expect(identifyPlayer(SHIPPED)).toEqual({ form: 'script', isCurrent: true });
  });

  test('are the present versions, to be listed with each change of the shipped file', () => {
    for (const form of FORMS) expect(KNOWN_VERSIONS[playerFingerprint(playerText(form))!]).toBe(form);
  });

  test('are those of the version before, which had no next episodes', () => {
    // The file that was given out until 0.1.0, in both forms.
    const english = { language: undefined, api_language: 'en-US' };
    for (const form of ['script', 'resolvable'] as const) {
      const player = playerOf(form);
      const plain = (action: string) => action.replace(/.englishtitle=\{en_\w+\}/, '');
      const old = {
        ...player,
        ...english,
        play_movie: plain(player.play_movie),
        play_episode: plain(player.play_episode),
      };
      expect(identifyPlayer(JSON.stringify(old))).toEqual({ form, isCurrent: false });
    }
  });

  test('is nothing that somebody has changed, and nothing else', () => {
    const changed = JSON.stringify({ ...SCRIPT, priority: 1 });
    for (const each of [changed, '', '{', 'null', '[]', '{"name":"x"}']) {
      expect(identifyPlayer(each)).toBeUndefined();
    }
  });
});
