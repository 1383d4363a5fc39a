import { type Candidate, CODECS, RESOLUTIONS, type Release, SOURCES } from '../../model/index.ts';
import { languageName } from '../languages.ts';
import type { Preferences } from '../preferences.ts';
import { holdsUncounted } from '../running-time.ts';
import { bitrateText, sizeText } from '../units.ts';
import type { CriterionId } from './ids.ts';
import {
  audioRank,
  hdrRank,
  isCameraRecording,
  languageRank,
  orLast,
  remuxRank,
  revisionOf,
  tierOf,
} from './quality-ranks.ts';

export interface Criterion {
  /** What is compared: "resolution". */
  readonly label: string;
  /** What stands first, where the label does not say it: "no 3D". */
  readonly order?: string;
  /** The lower one stands first; Infinity: not known, behind all others. */
  readonly rank: (candidate: Candidate, look: Look) => number;
  /** What it is compared by, in words for the person. */
  readonly value: (candidate: Candidate, look: Look) => string;
  /** Whether it can make a difference with these preferences; absent: always. */
  readonly matters?: (preferences: Preferences) => boolean;
}

export interface Look {
  readonly preferences: Preferences;
  /** ISO 639-1. */
  readonly originalLanguage?: string;
  /** Whether a release is in the backend already. */
  readonly downloaded?: (release: Release) => boolean;
}

const UNKNOWN = 'not known';
const list = (values: readonly string[]) => (values.length > 0 ? values.join(', ') : UNKNOWN);
const yesNo = (is: boolean) => (is ? 'yes' : 'no');

export const CRITERIA: Readonly<Record<CriterionId, Criterion>> = {
  camera: {
    label: 'cinema recording',
    order: 'no cinema recordings',
    rank: ({ release }) => Number(isCameraRecording(release.quality)),
    value: ({ release }) => (isCameraRecording(release.quality) ? (release.quality.source ?? '') : 'no'),
  },
  '3d': {
    label: '3D',
    order: 'no 3D',
    rank: ({ release }) => Number(release.quality.threeD),
    value: ({ release }) => yesNo(release.quality.threeD),
  },
  'format-score': {
    label: 'custom formats',
    rank: ({ score }) => -score,
    value: ({ score, formats }) => `${score}${formats.length > 0 ? ` (${formats.join(', ')})` : ''}`,
    matters: ({ formats }) => formats.formats.some(({ score }) => score !== 0),
  },
  language: {
    label: 'language',
    rank: ({ release }, { preferences, originalLanguage }) =>
      languageRank(release.quality, preferences.languages, originalLanguage),
    value: ({ release: { quality } }) => languagesText(quality),
    matters: ({ languages }) => languages.length > 0,
  },
  resolution: {
    label: 'resolution',
    rank: ({ release }) => orLast(release.quality.resolution, RESOLUTIONS),
    value: ({ release }) => release.quality.resolution ?? UNKNOWN,
  },
  upscaled: {
    label: 'upscaled',
    order: 'not upscaled',
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
    matters: ({ tiers }) => tiers.some((groups) => groups.size > 0),
  },
  audio: {
    label: 'sound',
    rank: ({ release }) => audioRank(release.quality),
    value: ({ release }) => list(release.quality.audio),
  },
  source: {
    label: 'source',
    rank: ({ release }) => orLast(release.quality.source, SOURCES),
    value: ({ release }) => release.quality.source ?? UNKNOWN,
  },
  codec: {
    label: 'video format',
    rank: ({ release }) => orLast(release.quality.codec, CODECS),
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
    matters: ({ indexers }) => indexers.length > 0,
  },
  size: {
    label: 'size',
    // A season's size says nothing of its episodes.
    rank: ({ release }) => descending(holdsUncounted(release) ? undefined : release.size),
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
export const SPEED: Criterion = {
  label: 'bitrate',
  order: 'what the connection sustains',
  rank: (candidate, { preferences }) => Number(isTooFast(candidate, preferences)),
  value: (candidate, { preferences }) => {
    const { bitrateCap } = preferences;
    if (candidate.bitrate === undefined || bitrateCap === undefined) return UNKNOWN;
    const place = isTooFast(candidate, preferences) ? 'above' : 'within';
    return `${bitrateText(candidate.bitrate)}, ${place} the ${bitrateText(bitrateCap)} of the connection`;
  },
  matters: ({ bitrateCap }) => bitrateCap !== undefined,
};

export const LARGEST: Criterion = {
  ...CRITERIA.size,
  rank: ({ release }) => descending(release.size),
};

export const SMALLEST: Criterion = {
  ...CRITERIA.size,
  rank: ({ release }) => release.size ?? Infinity,
};

function isTooFast({ bitrate }: Candidate, { bitrateCap }: Preferences): boolean {
  return bitrate !== undefined && bitrateCap !== undefined && bitrate > bitrateCap;
}

/** The larger first, what is not known last. */
const descending = (value: number | undefined) => (value === undefined ? Infinity : -value);

const textOf = (value: number | undefined, text: (value: number) => string) =>
  value === undefined ? UNKNOWN : text(value);

const dateText = (time: number) => new Date(time).toISOString().slice(0, 10);

const timesText = (times: number) => (times === 0 ? 'no' : times === 1 ? 'once' : `${times} times`);

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
