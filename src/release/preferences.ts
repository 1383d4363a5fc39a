import {
  AUDIO_FORMATS,
  type AudioFormat,
  CODECS,
  type Codec,
  HDR_FORMATS,
  type HdrFormat,
  RELEASE_SOURCES,
  RESOLUTIONS,
  type Resolution,
  type Source,
} from '../model/index.ts';
import type { Settings } from '../settings/index.ts';
import { compileFormats, type FormatSet } from './formats/compile.ts';
import { languageCode } from './languages.ts';
import { NO_LISTS, type PreferenceLists } from './preference-lists.ts';
import { type CriterionId, DEFAULT_CRITERIA } from './rank/ids.ts';
import { MEGABIT, MEGABYTE } from './units.ts';
import { parseNames, parseWords, type Word } from './word-list.ts';

/** What the person lets through, and in which order. */
export interface Preferences {
  /** Whole discs. */
  readonly discs: boolean;
  readonly threeD: boolean;
  readonly upscaled: boolean;
  /** Posts that the indexer knows to be protected by a password. */
  readonly protected: boolean;
  /** What plays opens an archive with the password that came with its release. */
  readonly takesPasswords: boolean;
  readonly resolutions: Allowed<Resolution>;
  readonly sources: Allowed<SourceKind>;
  readonly hdr: Allowed<HdrFormat>;
  /** Dolby Vision that other screens show in wrong colours. */
  readonly dolbyVisionAlone: boolean;
  readonly audio: Allowed<AudioFormat>;
  readonly codecs: Allowed<Codec>;
  /** ISO 639-1, or "original", the preferred one first. Empty: any. */
  readonly languages: readonly string[];
  readonly requiredWords: readonly Word[];
  readonly excludedWords: readonly Word[];
  /** In lower case, as all names of groups and indexers here. */
  readonly excludedGroups: ReadonlySet<string>;
  /** The preferred groups first. */
  readonly tiers: readonly ReadonlySet<string>[];
  /** The preferred ones first. */
  readonly indexers: readonly string[];
  /** Bytes; undefined: no limit. So for all limits. */
  readonly minSize?: number;
  readonly maxSize?: number;
  /** Bytes per minute. */
  readonly minDensity?: number;
  readonly maxDensity?: number;
  /** Milliseconds. */
  readonly minAge?: number;
  readonly maxAge?: number;
  readonly minGrabs?: number;
  /** The person's custom formats. */
  readonly formats: FormatSet;
  /** Points that a release needs at least. */
  readonly minScore?: number;
  readonly sort: Settings['sort_by'];
  /** What "best first" means, the weightiest first. */
  readonly criteria: readonly CriterionId[];
  /** Bits per second that the connection sustains. */
  readonly bitrateCap?: number;
  /** What of the person's wishes cannot be followed, in words for the person. */
  readonly problems: readonly string[];
}

/** What passes of a vocabulary, and whether a name passes that says nothing of it. */
export interface Allowed<T> {
  readonly values: ReadonlySet<T>;
  readonly unknown: boolean;
}

/** Where a release is from, as people tell it apart. */
export type SourceKind = Source | 'Remux';

/**
 * The person's preferences: single values from the settings, lists from their document. Limits that contradict each
 * other (the largest below the smallest) are both ignored, as nothing could pass them.
 */
export function preferencesOf(settings: Settings, lists: PreferenceLists = NO_LISTS): Preferences {
  const required = parseWords(settings.required_words);
  const excluded = parseWords(settings.excluded_words);
  const languages = wantedLanguages(settings.wanted_languages);
  const formats = compileFormats(lists.formats);
  return {
    discs: settings.allow_discs,
    threeD: settings.allow_3d,
    upscaled: settings.allow_upscaled,
    protected: settings.allow_protected,
    takesPasswords: takesPasswords(settings),
    resolutions: allowed(RESOLUTIONS, resolutionSwitches(settings), settings.allow_unknown_resolution),
    sources: allowed([...RELEASE_SOURCES, 'Remux'], sourceSwitches(settings), settings.allow_unknown_source),
    hdr: allowed(HDR_FORMATS, hdrSwitches(settings), settings.allow_unknown_hdr),
    dolbyVisionAlone: settings.allow_dolby_vision_alone,
    audio: allowed(AUDIO_FORMATS, audioSwitches(settings), settings.allow_unknown_audio),
    codecs: allowed(CODECS, codecSwitches(settings), settings.allow_unknown_codec),
    languages: languages.codes,
    requiredWords: required.words,
    excludedWords: excluded.words,
    excludedGroups: new Set(lowerCase(parseNames(settings.excluded_groups))),
    tiers: tiersOf(settings, lists),
    indexers: lowerCase(parseNames(settings.preferred_indexers)),
    ...limits('minSize', 'maxSize', settings.min_size_mb, settings.max_size_mb, MEGABYTE),
    ...limits('minDensity', 'maxDensity', settings.min_mb_per_minute, settings.max_mb_per_minute, MEGABYTE),
    ...limits('minAge', 'maxAge', settings.min_age_days, settings.max_age_days, DAY_MS),
    ...(settings.min_grabs > 0 && { minGrabs: settings.min_grabs }),
    formats,
    ...(lists.minScore !== undefined && { minScore: lists.minScore }),
    sort: settings.sort_by,
    criteria: lists.criteria.length > 0 ? lists.criteria : DEFAULT_CRITERIA,
    ...(settings.bitrate_limit_mbit > 0 && { bitrateCap: settings.bitrate_limit_mbit * MEGABIT }),
    problems: [
      ...required.problems,
      ...excluded.problems,
      ...languages.problems,
      ...formats.problems,
      ...contradictions(settings),
    ],
  };
}

/** StreamNZB opens no encrypted archive, wherever its password stands (protocols.md §8.11). */
const takesPasswords = ({ playback_backend, direct_kind }: Settings) =>
  !(playback_backend === 'direct' && direct_kind === 'streamnzb');

const DAY_MS = 86_400_000;

type Switches<T extends string> = Readonly<Record<T, boolean>>;

function allowed<T extends string>(vocabulary: readonly T[], on: Switches<T>, unknown: boolean): Allowed<T> {
  return { values: new Set(vocabulary.filter((value) => on[value])), unknown };
}

function resolutionSwitches(settings: Settings): Switches<Resolution> {
  const sd = settings.allow_sd;
  return {
    '4320p': settings.allow_4320p,
    '2160p': settings.allow_2160p,
    '1440p': settings.allow_1440p,
    '1080p': settings.allow_1080p,
    '720p': settings.allow_720p,
    '576p': sd,
    '540p': sd,
    '480p': sd,
    '360p': sd,
    '240p': sd,
  };
}

function sourceSwitches(settings: Settings): Switches<SourceKind> {
  const { allow_bluray, allow_webrip, allow_tv, allow_dvd, allow_camera } = settings;
  return {
    Remux: settings.allow_remux,
    BluRay: allow_bluray,
    'HD-DVD': allow_bluray,
    'WEB-DL': settings.allow_web_dl,
    WEBRip: allow_webrip,
    HDRip: allow_webrip,
    HDTV: allow_tv,
    TV: allow_tv,
    DVD: allow_dvd,
    LaserDisc: allow_dvd,
    VHS: allow_dvd,
    Screener: allow_camera,
    Telecine: allow_camera,
    Telesync: allow_camera,
    CAM: allow_camera,
    Workprint: allow_camera,
  };
}

/** Plain HDR is HDR10 in a shorter word. */
function hdrSwitches(settings: Settings): Switches<HdrFormat> {
  return {
    DV: settings.allow_dolby_vision,
    'HDR10+': settings.allow_hdr10_plus,
    HDR10: settings.allow_hdr10,
    HDR: settings.allow_hdr10,
    HLG: settings.allow_hlg,
    SDR: settings.allow_sdr,
  };
}

function audioSwitches(settings: Settings): Switches<AudioFormat> {
  const { allow_dts_hd_ma, allow_dts_hd_hr, allow_lossless, allow_other_audio } = settings;
  return {
    Atmos: settings.allow_atmos,
    TrueHD: settings.allow_truehd,
    'DTS:X': settings.allow_dts_x,
    'DTS-HD MA': allow_dts_hd_ma,
    'DTS-HD HR': allow_dts_hd_hr,
    // It does not say which of the two.
    'DTS-HD': allow_dts_hd_ma || allow_dts_hd_hr,
    DTS: settings.allow_dts,
    'DD+': settings.allow_dd_plus,
    DD: settings.allow_dd,
    AAC: settings.allow_aac,
    FLAC: allow_lossless,
    PCM: allow_lossless,
    ALAC: allow_lossless,
    Opus: allow_other_audio,
    Vorbis: allow_other_audio,
    MP3: allow_other_audio,
  };
}

function codecSwitches(settings: Settings): Switches<Codec> {
  return {
    AV1: settings.allow_av1,
    VVC: settings.allow_vvc,
    HEVC: settings.allow_hevc,
    AVC: settings.allow_avc,
    VP9: settings.allow_vp9,
    'VC-1': settings.allow_vc1,
    'MPEG-2': settings.allow_mpeg2,
    XviD: settings.allow_xvid,
    DivX: settings.allow_xvid,
  };
}

/** Which limits are ignored, for nothing could pass them. */
function contradictions(settings: Settings): string[] {
  const pairs: readonly (readonly [string, number, number])[] = [
    ['size', settings.min_size_mb, settings.max_size_mb],
    ['size for each minute', settings.min_mb_per_minute, settings.max_mb_per_minute],
    ['age', settings.min_age_days, settings.max_age_days],
  ];
  return pairs
    .filter(([, min, max]) => max > 0 && max < min)
    .map(([what]) => `The smallest ${what} is above the largest: both limits are ignored.`);
}

/** 0 is no limit. */
function limits<Min extends string, Max extends string>(
  least: Min,
  most: Max,
  min: number,
  max: number,
  unit: number,
): Readonly<Partial<Record<Min | Max, number>>> {
  const found: Partial<Record<Min | Max, number>> = {};
  if (max > 0 && max < min) return found;
  if (min > 0) found[least] = min * unit;
  if (max > 0) found[most] = max * unit;
  return found;
}

function wantedLanguages(text: string): { codes: string[]; problems: string[] } {
  const codes: string[] = [];
  const problems: string[] = [];
  for (const name of parseNames(text)) {
    const code = name.toLowerCase() === 'original' ? 'original' : languageCode(name);
    if (code === undefined) problems.push(`"${name}" is no language that Slipstream knows.`);
    else if (!codes.includes(code)) codes.push(code);
  }
  return { codes, problems };
}

/** Those of the settings and those of the list are one. */
function tiersOf(settings: Settings, { tiers }: PreferenceLists): Set<string>[] {
  const texts = [settings.preferred_groups_1, settings.preferred_groups_2, settings.preferred_groups_3];
  return texts.map((text, index) => new Set(lowerCase([...parseNames(text), ...(tiers[index] ?? [])])));
}

const lowerCase = (names: readonly string[]) => names.map((name) => name.toLowerCase());
