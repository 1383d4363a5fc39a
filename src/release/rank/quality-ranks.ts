import type { AudioFormat, Quality, Source } from '../../model/index.ts';
import { hasFallback } from '../dolby-vision.ts';

// How good a quality is by one measure: the lower, the better.

const CAMERA: ReadonlySet<Source | undefined> = new Set([
  'CAM',
  'Telesync',
  'Telecine',
  'Screener',
  'Workprint',
] as const);

/** Recorded in a cinema, or an early copy. */
export const isCameraRecording = ({ source }: Quality): boolean => CAMERA.has(source);

/** Its place in the vocabulary, which runs from the best to the worst; Infinity when not known. */
export function rankIn<T>(value: T | undefined, vocabulary: readonly T[]): number {
  return value === undefined ? Infinity : vocabulary.indexOf(value);
}

/**
 * By the best kind. Dolby Vision without a fallback is behind HDR10: wrong colours are worse than fewer of them. SDR
 * and nothing said are equal: hardly any name says SDR.
 */
export function hdrRank(quality: Quality): number {
  const { hdr } = quality;
  if (hdr.includes('DV') && hasFallback(quality)) return 0;
  if (hdr.includes('HDR10+')) return 1;
  if (hdr.includes('HDR10') || hdr.includes('HDR')) return 2;
  if (hdr.includes('DV')) return 3;
  return hdr.includes('HLG') ? 4 : 5;
}

/** A remux of the best of several discs, a remux, anything else. */
export const remuxRank = ({ remux, hybrid }: Quality): number => (remux ? (hybrid ? 0 : 1) : 2);

/** By the best kind: Atmos in TrueHD before Atmos in less, lossless before lossy. */
const AUDIO: readonly (readonly AudioFormat[])[] = [
  ['Atmos'],
  ['TrueHD'],
  ['DTS:X'],
  ['DTS-HD MA', 'FLAC', 'PCM', 'ALAC'],
  ['DTS-HD'],
  ['DTS-HD HR', 'DTS'],
  ['DD+'],
  ['DD'],
  ['AAC'],
  ['Opus', 'Vorbis', 'MP3'],
];

export function audioRank({ audio }: Quality): number {
  if (audio.includes('Atmos') && audio.includes('TrueHD')) return -1;
  const rank = AUDIO.findIndex((formats) => formats.some((format) => audio.includes(format)));
  return rank < 0 ? Infinity : rank;
}

/** The place of the group's tier; behind all of them when it has none. */
export function tierOf({ group }: Quality, tiers: readonly ReadonlySet<string>[]): number {
  const tier = group === undefined ? -1 : tiers.findIndex((groups) => groups.has(group.toLowerCase()));
  return tier < 0 ? tiers.length : tier;
}

/** MULTi and dual hold the wanted language; a name that tells none is in the original one, which may be wanted. */
export function languageRank(
  { languages, multi, dual }: Quality,
  wanted: readonly string[],
  original?: string,
): number {
  if (multi || dual) return 0;
  const inOriginal = languages.length === 0 || (original !== undefined && languages.includes(original));
  const spoken = [...languages, ...(inOriginal ? ['original', original ?? ''] : [])];
  const places = spoken.map((code) => wanted.indexOf(code)).filter((place) => place >= 0);
  return Math.min(wanted.length, ...places);
}

/** How often it was mended; a PROPER at least once. */
export const revisionOf = ({ revision, proper, repack }: Quality): number =>
  Math.max(revision, proper || repack ? 1 : 0);
