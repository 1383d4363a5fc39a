import { SlipstreamError } from '../errors/index.ts';
import type { EpisodeNumber, MediaIds, MediaRequest } from '../model/index.ts';

/** Trimmed, decoded parameters of an entry; absent ones are not in it. */
export type Parameters = ReadonlyMap<string, string>;

/** Longer texts are cut: they are for display or search, and come from outside. */
export const MAX_TITLE = 300;
const MAX_PLOT = 4000;
/** A longer address of a picture is left out: cut, it would lead nowhere. */
const MAX_PICTURE = 2000;

/** At most `max` UTF-16 units; no character is cut in two. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

/** A title or name: one line. */
const titleOf = (text: string | undefined) =>
  text === undefined ? undefined : shortened(text, MAX_TITLE).replace(/\s+/g, ' ').trim();

/**
 * Builds the request from an entry's parameters. It is an episode when `type` says so, or when both numbers are there.
 * @throws INVALID_REQUEST when the title, or an episode's number, is missing.
 */
export function mediaRequest(parameters: Parameters): MediaRequest {
  const season = wholeNumber(parameters.get('season'));
  const episode = wholeNumber(parameters.get('episode'));
  const type = parameters.get('type');
  const isEpisode = type === 'episode' || (type !== 'movie' && season !== undefined && episode !== undefined);
  if (!isEpisode) return movieRequest(parameters);
  if (season === undefined || episode === undefined) {
    throw missing('The season or episode number is missing.');
  }
  return episodeRequest(parameters, season, episode);
}

function movieRequest(parameters: Parameters): MediaRequest {
  return {
    kind: 'movie',
    ...titles(parameters, 'title'),
    ...optional('year', year(parameters.get('year')) ?? year(parameters.get('premiered'))),
    ...optional('premiered', date(parameters.get('premiered'))),
    ids: mediaIds(parameters.get('imdb'), parameters.get('tmdb'), parameters.get('tvdb')),
    ...display(parameters),
  };
}

function episodeRequest(parameters: Parameters, season: number, episode: number): MediaRequest {
  const number: EpisodeNumber = {
    season,
    episode,
    ...optional('title', titleOf(parameters.get('title'))),
    ...optional('aired', date(parameters.get('premiered'))),
    ids: mediaIds(parameters.get('epimdb'), parameters.get('eptmdb'), parameters.get('eptvdb')),
  };
  return {
    kind: 'episode',
    ...titles(parameters, 'showname'),
    // TMDbHelper's {year} is the episode's own year (protocols.md §9.3): only showyear tells the show's.
    ...optional('year', year(parameters.get('showyear'))),
    ids: mediaIds(parameters.get('imdb'), parameters.get('tmdb'), parameters.get('tvdb')),
    episode: number,
    ...display(parameters),
  };
}

/** In the person's language, in its own, and in English, in which most releases are named. */
function titles(parameters: Parameters, key: 'title' | 'showname') {
  const [original, english] = ['originaltitle', 'englishtitle'].map((each) => titleOf(parameters.get(each)));
  const title = titleOf(parameters.get(key)) ?? original ?? english;
  if (title === undefined) throw missing('The title is missing.');
  const isNew = english !== undefined && english !== title && english !== original;
  return {
    title,
    ...optional('originalTitle', original === title ? undefined : original),
    ...optional('alternativeTitles', isNew ? [english] : undefined),
  };
}

function display(parameters: Parameters) {
  const plot = parameters.get('plot');
  return {
    ...optional('plot', plot === undefined ? undefined : shortened(plot, MAX_PLOT)),
    ...optional('poster', picture(parameters.get('poster'))),
    ...optional('fanart', picture(parameters.get('fanart'))),
    ...optional('thumb', picture(parameters.get('thumb'))),
    ...optional('clearlogo', picture(parameters.get('clearlogo'))),
  };
}

const picture = (url: string | undefined) =>
  url !== undefined && url.length <= MAX_PICTURE ? url : undefined;

function mediaIds(imdb: string | undefined, tmdb: string | undefined, tvdb: string | undefined): MediaIds {
  return {
    ...optional('imdb', matching(imdb, /^tt\d{6,10}$/)),
    ...optional('tmdb', matching(tmdb, /^[1-9]\d{0,9}$/)),
    ...optional('tvdb', matching(tvdb, /^[1-9]\d{0,9}$/)),
  };
}

const matching = (text: string | undefined, form: RegExp) =>
  text !== undefined && form.test(text) ? text : undefined;
const wholeNumber = (text: string | undefined) =>
  text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : undefined;
const date = (text: string | undefined) =>
  matching(text, /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/);

function year(text: string | undefined): number | undefined {
  const found = /^(1[89]\d\d|2\d\d\d)(?:-|$)/.exec(text ?? '');
  return found === null ? undefined : Number(found[1]);
}

/** A property that is left out, rather than set to undefined, when there is no value. */
function optional<const K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  // Neither an empty object nor a computed key keeps the key's type; the signature says what they are.
  return (value === undefined ? {} : { [key]: value }) as Partial<Record<K, V>>;
}

function missing(what: string): SlipstreamError {
  return new SlipstreamError('INVALID_REQUEST', {
    what,
    next: 'Update the Slipstream player in TMDbHelper, then choose the title again.',
  });
}
