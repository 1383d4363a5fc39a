// What a release's name says, each field in one vocabulary. The table in test/fixtures/names tells what counts as what.

/** From the highest to the lowest. */
export const RESOLUTIONS = [
  '4320p',
  '2160p',
  '1440p',
  '1080p',
  '720p',
  '576p',
  '540p',
  '480p',
  '360p',
  '240p',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** From the best to the worst. A remux and a disc are BluRay (or DVD) with a mark of their own. */
export const RELEASE_SOURCES = [
  'BluRay',
  'WEB-DL',
  'WEBRip',
  'HD-DVD',
  'HDTV',
  'HDRip',
  'DVD',
  'TV',
  'LaserDisc',
  'VHS',
  'Screener',
  'Telecine',
  'Telesync',
  'CAM',
  'Workprint',
] as const;
export type ReleaseSource = (typeof RELEASE_SOURCES)[number];

export const CODECS = ['AV1', 'VVC', 'HEVC', 'AVC', 'VP9', 'VC-1', 'MPEG-2', 'XviD', 'DivX'] as const;
export type Codec = (typeof CODECS)[number];

/** From the best to the worst. Plain HDR only when the name says nothing more precise of its kind. */
export const HDR_FORMATS = ['DV', 'HDR10+', 'HDR10', 'HDR', 'HLG', 'SDR'] as const;
export type HdrFormat = (typeof HDR_FORMATS)[number];

/** From the best to the worst. The core that a better format implies is not named. */
export const AUDIO_FORMATS = [
  'Atmos',
  'TrueHD',
  'DTS:X',
  'DTS-HD MA',
  'FLAC',
  'PCM',
  'ALAC',
  'DTS-HD HR',
  'DTS-HD',
  'DTS',
  'DD+',
  'DD',
  'AAC',
  'Opus',
  'Vorbis',
  'MP3',
] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

export const EDITIONS = [
  "Director's Cut",
  'Extended',
  'Theatrical',
  'Unrated',
  'Uncut',
  'Uncensored',
  'Remastered',
  'IMAX',
  'Open Matte',
  'Criterion',
  'Special Edition',
  "Collector's Edition",
  'Limited Edition',
  'Ultimate',
  'Final Cut',
  'Anniversary',
  'Redux',
  'Restored',
  'Superbit',
  'Fan Edit',
  'Colorized',
  'Alternative Cut',
] as const;
export type Edition = (typeof EDITIONS)[number];

/** Undefined, false or empty: the name does not say. Lists hold each value once, in the order of the vocabulary. */
export interface Quality {
  readonly title: string;
  /** Further titles in the name ("X aka Y"). */
  readonly otherTitles: readonly string[];
  readonly year?: number;
  readonly seasons: readonly number[];
  /** Without a season they are counted through, or from the first season. */
  readonly episodes: readonly number[];
  /** Of the broadcast, YYYY-MM-DD. */
  readonly date?: string;
  /** A whole season or series. */
  readonly complete: boolean;
  readonly resolution?: Resolution;
  readonly source?: ReleaseSource;
  readonly remux: boolean;
  /** A whole disc (ISO, BDMV), not one file. */
  readonly disc: boolean;
  readonly hybrid: boolean;
  readonly upscaled: boolean;
  readonly threeD: boolean;
  readonly codec?: Codec;
  readonly bitDepth?: 8 | 10 | 12;
  readonly hdr: readonly HdrFormat[];
  /** "5", "7", "8", "8.1" … */
  readonly dolbyVisionProfile?: string;
  readonly audio: readonly AudioFormat[];
  /** "7.1", "5.1", "2.0" … */
  readonly channels: readonly string[];
  /** Spoken ones, ISO 639-1, alphabetical. */
  readonly languages: readonly string[];
  readonly subtitles: readonly string[];
  /** It says MULTi: several spoken languages, the original among them. */
  readonly multi: boolean;
  /** It says DUAL or DL: the original and one more. */
  readonly dual: boolean;
  readonly group?: string;
  readonly editions: readonly Edition[];
  readonly proper: boolean;
  readonly repack: boolean;
  /** How many times it was mended: PROPER and REPACK 1, REPACK2 2. */
  readonly revision: number;
  /** The streaming service's usual short form, "AMZN". */
  readonly network?: string;
  /** "mkv", "mp4", "ts" … */
  readonly container?: string;
  /** The name says nothing at all: a hash, random letters. */
  readonly obfuscated: boolean;
}

/** What a name says of which nothing could be read. */
export const UNKNOWN_QUALITY: Quality = {
  title: '',
  otherTitles: [],
  seasons: [],
  episodes: [],
  complete: false,
  remux: false,
  disc: false,
  hybrid: false,
  upscaled: false,
  threeD: false,
  hdr: [],
  audio: [],
  channels: [],
  languages: [],
  subtitles: [],
  multi: false,
  dual: false,
  editions: [],
  proper: false,
  repack: false,
  revision: 0,
  obfuscated: false,
};
