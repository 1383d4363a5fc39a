import type { Quality, Release } from '../../model/index.ts';
import type { RequestFacts } from '../running-time.ts';
import { workYear } from '../work-year.ts';
import type { FactCondition } from './compile.ts';
import type { FORMAT_SOURCES } from './format.ts';

/** Whether a condition holds for a release, before it is negated. What is not known holds nothing. */
export function matchesCondition(
  condition: FactCondition,
  { quality, size }: Release,
  facts: RequestFacts,
): boolean {
  switch (condition.kind) {
    case 'language':
      return hasLanguage(condition, quality, facts);
    case 'source':
      return hasSource(condition.source, quality);
    case 'resolution':
      return quality.resolution === condition.resolution;
    case 'modifier':
      return modifierOf(quality) === condition.modifier;
    case 'size':
      return size !== undefined && size > condition.min && size <= condition.max;
    case 'year': {
      const year = workYear(quality) ?? facts.year;
      return year !== undefined && year >= condition.min && year <= condition.max;
    }
    case 'flag':
      return false;
    case 'extent':
      return extentOf(quality) === condition.extent;
  }
}

/** A release that names no language is in the original one. */
function hasLanguage(
  { language, except }: { readonly language: string; readonly except: boolean },
  { languages }: Quality,
  { originalLanguage }: RequestFacts,
): boolean {
  if (language === 'any') return true;
  const named = languages.length > 0;
  const spoken = named || originalLanguage === undefined ? languages : [originalLanguage];
  if (language === 'unknown') return spoken.length === 0;
  if (language === 'original' && !named) return !except;
  const asked = language === 'original' ? originalLanguage : language;
  return except ? spoken.some((one) => one !== asked) : spoken.some((one) => one === asked);
}

function hasSource(
  wanted: (typeof FORMAT_SOURCES)[number],
  { source, remux, codec, disc }: Quality,
): boolean {
  const blurays = source === 'BluRay' || source === 'HD-DVD' || (source === undefined && (remux || disc));
  switch (wanted) {
    case 'cam':
      return source === 'CAM';
    case 'telesync':
      return source === 'Telesync';
    case 'telecine':
      return source === 'Telecine';
    case 'workprint':
      return source === 'Workprint';
    case 'dvd':
      return source === 'DVD' || source === 'Screener';
    case 'tv':
      return source === 'TV' || source === 'HDTV';
    case 'raw-tv':
      return source === 'HDTV' && codec === 'MPEG-2';
    case 'web-dl':
      return source === 'WEB-DL';
    case 'webrip':
      return source === 'WEBRip' || source === 'HDRip';
    case 'bluray':
      return blurays;
    case 'bluray-encode':
      return blurays && !remux;
    case 'bluray-remux':
      return blurays && remux;
  }
}

function modifierOf({ source, remux, disc, codec }: Quality) {
  if (source === 'Screener') return 'screener';
  if (disc) return 'disc';
  if (remux) return 'remux';
  return source === 'HDTV' && codec === 'MPEG-2' ? 'raw-tv' : 'none';
}

function extentOf({ seasons, episodes, complete, date }: Quality) {
  if (episodes.length > 1) return 'episodes';
  if (episodes.length === 1 || date !== undefined) return 'episode';
  return complete || seasons.length > 0 ? 'season' : 'unknown';
}
