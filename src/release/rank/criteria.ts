import { type Candidate, CODECS, RELEASE_SOURCES, RESOLUTIONS, type Release } from '../../model/index.ts';
import { languageName } from '../languages.ts';
import type { Preferences } from '../preferences.ts';
import { hasUnknownEpisodeCount } from '../running-time.ts';
import { bitrateText, sizeText } from '../units.ts';
import type { CriterionId } from './ids.ts';
import {
  audioRank,
  hdrRank,
  isCameraRecording,
  languageRank,
  rankIn,
  remuxRank,
  revisionOf,
  tierOf,
} from './quality-ranks.ts';

export interface Criterion {
  /** What is compared: "resolution". */
  readonly label: string;
  /** What stands first, where the label does not say it: "newest". */
  readonly order?: string;
  /** It only puts last what nobody wants by mistake, which goes without saying. */
  readonly goesWithoutSaying?: true;
  /** The lower one stands first; Infinity: not known, behind all others. */
  readonly rank: (candidate: Candidate, look: RankContext) => number;
  /** What it is compared by, in words for the person. */
  readonly value: (candidate: Candidate, look: RankContext) => string;
  /** Whether it can make a difference here; absent: always. */
  readonly matters?: (look: RankContext) => boolean;
}

export interface RankContext {
  readonly preferences: Preferences;
  /** ISO 639-1. */
  readonly originalLanguage?: string;
  /** Whether a release is in the backend already. */
  readonly downloaded?: (release: Release) => boolean;
  /** Bits per second that the connection has sustained so far; counts where the person has set no limit. */
  readonly sustained?: number;
}

const UNKNOWN = 'not known';
/** Of a criterion that a release has nothing to do with. */
export const NONE = 'no';
const list = (values: readonly string[]) => (values.length > 0 ? values.join(', ') : UNKNOWN);
const yesNo = (is: boolean) => (is ? 'yes' : NONE);

export const CRITERIA: Readonly<Record<CriterionId, Criterion>> = {
  camera: {
    label: 'cinema recording',
    goesWithoutSaying: true,
    rank: ({ release }) => Number(isCameraRecording(release.quality)),
    value: ({ release }) => (isCameraRecording(release.quality) ? (release.quality.source ?? '') : NONE),
  },
  '3d': {
    label: '3D',
    goesWithoutSaying: true,
    rank: ({ release }) => Number(release.quality.threeD),
    value: ({ release }) => yesNo(release.quality.threeD),
  },
  'format-score': {
    label: 'custom formats',
    rank: ({ score }) => -score,
    value: ({ score, formats }) => `${score}${formats.length > 0 ? ` (${formats.join(', ')})` : ''}`,
    matters: ({ preferences: { formats } }) => formats.formats.some(({ score }) => score !== 0),
  },
  language: {
    label: 'language',
    rank: ({ release }, { preferences, originalLanguage }) =>
      languageRank(release.quality, preferences.languages, originalLanguage),
    value: ({ release: { quality } }) => languagesText(quality),
    matters: ({ preferences: { languages } }) => languages.length > 0,
  },
  resolution: {
    label: 'resolution',
    rank: ({ release }) => rankIn(release.quality.resolution, RESOLUTIONS),
    value: ({ release }) => release.quality.resolution ?? UNKNOWN,
  },
  upscaled: {
    label: 'upscaled',
    goesWithoutSaying: true,
    rank: ({ release }) => Number(release.quality.upscaled),
    value: ({ release }) => yesNo(release.quality.upscaled),
  },
  hdr: {
    label: 'HDR',
    rank: ({ release }) => hdrRank(release.quality),
    value: ({ release }) => list(release.quality.hdr),
  },
  remux: {
    label: 'remux',
    rank: ({ release }) => remuxRank(release.quality),
    value: ({ release: { quality } }) => (quality.remux && quality.hybrid ? 'hybrid' : yesNo(quality.remux)),
  },
  tier: {
    label: 'preferred groups',
    rank: ({ release }, { preferences }) => tierOf(release.quality, preferences.tiers),
    value: ({ release }, { preferences }) => tierText(release, preferences),
    matters: ({ preferences: { tiers } }) => tiers.some((groups) => groups.size > 0),
  },
  audio: {
    label: 'sound',
    rank: ({ release }) => audioRank(release.quality),
    value: ({ release }) => list(release.quality.audio),
  },
  source: {
    label: 'source',
    rank: ({ release }) => rankIn(release.quality.source, RELEASE_SOURCES),
    value: ({ release }) => release.quality.source ?? UNKNOWN,
  },
  codec: {
    label: 'video format',
    rank: ({ release }) => rankIn(release.quality.codec, CODECS),
    value: ({ release }) => release.quality.codec ?? UNKNOWN,
  },
  downloaded: {
    label: 'already downloaded',
    rank: ({ release }, { downloaded }) => Number(downloaded?.(release) !== true),
    value: ({ release }, { downloaded }) => yesNo(downloaded?.(release) === true),
  },
  proper: {
    label: 'mended',
    rank: ({ release }) => -revisionOf(release.quality),
    value: ({ release }) => timesText(revisionOf(release.quality)),
  },
  indexer: {
    label: 'preferred indexers',
    rank: ({ release }, { preferences }) => indexerRank(release, preferences.indexers),
    value: ({ release }) => [...new Set(release.links.map(({ indexer }) => indexer))].join(', '),
    matters: ({ preferences: { indexers } }) => indexers.length > 0,
  },
  size: {
    label: 'size',
    // A season's size says nothing of its episodes.
    rank: ({ release }) => descending(hasUnknownEpisodeCount(release) ? undefined : release.size),
    value: ({ release }) => textOf(release.size, sizeText),
  },
  bitrate: {
    label: 'bitrate',
    rank: ({ bitrate }) => descending(bitrate),
    value: ({ bitrate }) => textOf(bitrate, bitrateText),
  },
  age: {
    label: 'date of the post',
    order: 'newest',
    rank: ({ release }) => descending(release.posted),
    value: ({ release }) => textOf(release.posted, dateText),
  },
  grabs: {
    label: 'downloads',
    rank: ({ release }) => descending(release.grabs),
    value: ({ release }) => textOf(release.grabs, String),
  },
};

/**
 * What needs more than the connection sustains stands behind what does not, and before that nothing else counts. A
 * bitrate that is not known is not taken for too high.
 */
export const SPEED_CRITERION: Criterion = {
  label: 'bitrate',
  order: 'what the connection sustains',
  rank: (candidate, look) => Number(isTooFast(candidate, capOf(look))),
  value: (candidate, look) => {
    const cap = capOf(look);
    if (candidate.bitrate === undefined || cap === undefined) return UNKNOWN;
    const bitrate = bitrateText(candidate.bitrate);
    if (look.preferences.bitrateCap === undefined)
      return `${bitrate}; your connection sustained ${bitrateText(cap)}`;
    const place = isTooFast(candidate, cap) ? 'above' : 'within';
    return `${bitrate}, ${place} the ${bitrateText(cap)} of the connection`;
  },
  matters: (look) => capOf(look) !== undefined,
};

/** What the person says of their connection counts before what was measured. */
const capOf = ({ preferences, sustained }: RankContext): number | undefined =>
  preferences.bitrateCap ?? sustained;

export const LARGEST_FIRST: Criterion = {
  ...CRITERIA.size,
  rank: ({ release }) => descending(release.size),
};

export const SMALLEST_FIRST: Criterion = {
  ...CRITERIA.size,
  rank: ({ release }) => release.size ?? Infinity,
};

function isTooFast({ bitrate }: Candidate, cap: number | undefined): boolean {
  return bitrate !== undefined && cap !== undefined && bitrate > cap;
}

/** The larger first, what is not known last. */
const descending = (value: number | undefined) => (value === undefined ? Infinity : -value);

const textOf = (value: number | undefined, text: (value: number) => string) =>
  value === undefined ? UNKNOWN : text(value);

const dateText = (time: number) => new Date(time).toISOString().slice(0, 10);

const timesText = (times: number) => (times === 0 ? NONE : times === 1 ? 'once' : `${times} times`);

function languagesText({ languages, multi, dual }: Release['quality']): string {
  const marks = [...languages.map(languageName), ...(multi ? ['several'] : dual ? ['two'] : [])];
  return marks.length > 0 ? marks.join(', ') : 'the original one';
}

function tierText({ quality }: Release, { tiers }: Preferences): string {
  const tier = tierOf(quality, tiers);
  const ordinal = ['first', 'second', 'third'][tier];
  return `${quality.group ?? UNKNOWN}${ordinal === undefined ? '' : ` (${ordinal})`}`;
}

function indexerRank({ links }: Release, preferred: readonly string[]): number {
  const places = links.map(({ indexer }) => preferred.indexOf(indexer.toLowerCase()));
  return Math.min(preferred.length, ...places.filter((place) => place >= 0));
}
