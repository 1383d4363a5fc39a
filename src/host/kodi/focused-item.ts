import * as v from 'valibot';
import type { FocusedItem } from '../port.ts';
import type { BridgePeer } from './peer.ts';
import { callChecked } from './properties.ts';

/** Kodi's info labels of the focused item, as far as the Python host gives them. */
const LABELS = {
  title: 'ListItem.Title',
  originalTitle: 'ListItem.OriginalTitle',
  showTitle: 'ListItem.TVShowTitle',
  year: 'ListItem.Year',
  season: 'ListItem.Season',
  episode: 'ListItem.Episode',
  runtime: 'ListItem.Duration',
  imdbNumber: 'ListItem.IMDBNumber',
  imdb: 'ListItem.UniqueID(imdb)',
  tmdb: 'ListItem.UniqueID(tmdb)',
  tvdb: 'ListItem.UniqueID(tvdb)',
} as const;

const MAX_TEXT = 300;
const Labels = v.record(v.string(), v.pipe(v.string(), v.maxLength(10_000)));

/** What Kodi shows of the item that has the focus in the window behind ours. @throws HOST_FAILED */
export async function focusedItem(peer: BridgePeer): Promise<FocusedItem> {
  const told = await callChecked(peer, 'labels.get', { names: Object.values(LABELS) }, Labels);
  const label = (name: keyof typeof LABELS) => (told[LABELS[name]] ?? '').trim();
  const text = (name: keyof typeof LABELS) => label(name).slice(0, MAX_TEXT) || undefined;
  // Kodi's own library keeps an IMDb id in either place, a TheTVDB id in the first one as well.
  const imdb = [label('imdb'), label('imdbNumber')].find((id) => /^tt\d{1,12}$/.test(id));
  return {
    ...definedOnly({
      title: text('title'),
      originalTitle: text('originalTitle'),
      showTitle: text('showTitle'),
    }),
    ...definedOnly({
      year: wholeNumber(label('year')),
      season: wholeNumber(label('season')),
      episode: wholeNumber(label('episode')),
    }),
    ...definedOnly({ runtime: minutes(label('runtime')) }),
    ids: definedOnly({ imdb, tmdb: digits(label('tmdb')), tvdb: digits(label('tvdb')) }),
  };
}

function definedOnly<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(told) as { [K in keyof T]?: NonNullable<T[K]> };
}

const digits = (text: string) => (/^\d{1,12}$/.test(text) ? text : undefined);
const wholeNumber = (text: string) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined);

/** "1:34:05", "94:05", or plain minutes. */
function minutes(text: string): number | undefined {
  if (!/^\d{1,4}(?::\d\d){0,2}$/.test(text)) return undefined;
  const [first = 0, second = 0, ...seconds] = text.split(':').map(Number);
  const total = seconds.length > 0 ? first * 60 + second : first;
  return total > 0 ? total : undefined;
}
