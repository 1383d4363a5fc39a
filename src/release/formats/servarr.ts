import type { FormatCondition } from './format.ts';

/** The two programs count sources and the later languages differently. */
export type App = 'radarr' | 'sonarr';

type FormatSource = Extract<FormatCondition, { readonly kind: 'source' }>['source'];
type Modifier = Extract<FormatCondition, { readonly kind: 'modifier' }>['modifier'];
type Extent = Extract<FormatCondition, { readonly kind: 'extent' }>['extent'];

export const SERVARR_SOURCES: Readonly<Record<App, Readonly<Record<number, FormatSource>>>> = {
  radarr: {
    1: 'cam',
    2: 'telesync',
    3: 'telecine',
    4: 'workprint',
    5: 'dvd',
    6: 'tv',
    7: 'web-dl',
    8: 'webrip',
    9: 'bluray',
  },
  sonarr: {
    1: 'tv',
    2: 'raw-tv',
    3: 'web-dl',
    4: 'webrip',
    5: 'dvd',
    6: 'bluray-encode',
    7: 'bluray-remux',
  },
};

/** What a condition on a source is usually called; tells the two programs apart. */
export const SOURCE_NAMES: Readonly<Record<FormatSource, RegExp>> = {
  cam: /cam/i,
  telesync: /telesync|\bts\b/i,
  telecine: /telecine|\btc\b/i,
  workprint: /workprint/i,
  dvd: /dvd/i,
  tv: /tv|television/i,
  'raw-tv': /raw/i,
  'web-dl': /web-?\s?dl|^web$/i,
  webrip: /web-?\s?rip/i,
  bluray: /blu-?\s?ray/i,
  'bluray-encode': /blu-?\s?ray(?!.*(?:raw|remux))/i,
  'bluray-remux': /raw|remux/i,
};

/** 1, "Regional", is missing: nothing in a name tells it. */
export const MODIFIERS: Readonly<Record<number, Modifier>> = {
  0: 'none',
  2: 'screener',
  3: 'raw-tv',
  4: 'disc',
  5: 'remux',
};

export const EXTENTS: Readonly<Record<number, Extent>> = {
  0: 'unknown',
  1: 'episode',
  2: 'episodes',
  3: 'season',
};

/** By their numbers; both programs agree on these. */
const LANGUAGES = words('unknown en fr es de it da nl ja is zh ru pl vi sv no fi tr pt nl el ko hu he lt cs');
/** Their next ones, as far as no version of them has counted otherwise. */
const LATER_LANGUAGES: Readonly<Record<App, readonly string[]>> = {
  radarr: words('hi ro th bg pt ar uk fa bn sk lv es ca hr sr bs et ta id te mk sl ml kn sq af mr tl ur rm'),
  sonarr: words('ar hi bg ml uk'),
};

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** Undefined: not known, or (for a number on which they differ) the program is not. */
export function languageOf(id: number, app: App | undefined): string | undefined {
  if (id === -1) return 'any';
  if (id === -2) return 'original';
  return LANGUAGES[id] ?? (app && LATER_LANGUAGES[app][id - LANGUAGES.length]);
}
