import type { Resolution } from '../model/index.ts';

/** The parser's values, and what it does not tell apart, in the terms that people use. */

/** What lies between the known resolutions counts as the next lower one; everything below 480 lines as 480p. */
export function resolutionOf(value: string | undefined): Resolution | undefined {
  if (value === undefined) return undefined;
  const lines = value === '4k' ? 2160 : Number.parseInt(value, 10);
  if (Number.isNaN(lines)) return undefined;
  if (lines >= 2160) return '2160p';
  if (lines >= 1080) return '1080p';
  if (lines >= 720) return '720p';
  return lines >= 576 ? '576p' : '480p';
}

const SOURCES: Readonly<Record<string, string>> = {
  'BluRay REMUX': 'Remux',
  REMUX: 'Remux',
  BDRip: 'BluRay',
  BRRip: 'BluRay',
  UHDRip: 'BluRay',
  WEB: 'WEB-DL',
  'WEB-DLRip': 'WEBRip',
  WEBCap: 'WEBRip',
  HDTVRip: 'HDTV',
  PDTV: 'HDTV',
  SDTV: 'TV',
  TVRip: 'TV',
  SATRip: 'TV',
  DVDRip: 'DVD',
  SCR: 'Screener',
  TeleSync: 'Telesync',
  TeleCine: 'Telecine',
  WORKPRINT: 'Workprint',
};

const DVD = /\bDVD[59R]?\b/i;

export function sourceOf(value: string | undefined, name: string): string | undefined {
  if (value !== undefined) return SOURCES[value] ?? value;
  return DVD.test(name) ? 'DVD' : undefined;
}

const CODECS: Readonly<Record<string, string>> = {
  x265: 'HEVC',
  h265: 'HEVC',
  hevc: 'HEVC',
  x264: 'AVC',
  h264: 'AVC',
  avc: 'AVC',
  av1: 'AV1',
  xvid: 'XviD',
  divx: 'DivX',
  mpeg2: 'MPEG-2',
};

const MORE_CODECS: readonly (readonly [RegExp, string])[] = [
  [/\bVC-?1\b/i, 'VC-1'],
  [/\bMPEG-?2\b/i, 'MPEG-2'],
  [/\bVP9\b/i, 'VP9'],
  [/\b(?:VVC|H\.?266)\b/i, 'VVC'],
];

export function codecOf(value: string | undefined, name: string): string | undefined {
  if (value !== undefined) return CODECS[value] ?? value.toUpperCase();
  return MORE_CODECS.find(([pattern]) => pattern.test(name))?.[1];
}

const HDR10_PLUS = /\bHDR10(?:P(?:lus)?\b|\+)/i;
const HDR10 = /\bHDR10(?![\w+]|\.?Plus)/i;
const HLG = /\bHLG\b/i;

export function hdrOf(values: readonly string[], name: string): string[] {
  const found = new Set(values);
  if (HDR10_PLUS.test(name)) found.add('HDR10+');
  if (HDR10.test(name)) found.add('HDR10');
  if (HLG.test(name)) found.add('HLG');
  // Plain HDR is all that is left to say when nothing more precise was.
  if (found.has('HDR10') || found.has('HDR10+')) found.delete('HDR');
  return inOrder(found, ['DV', 'HDR10+', 'HDR10', 'HDR', 'HLG', 'SDR']);
}

const AUDIO: Readonly<Record<string, string>> = { DDP: 'DD+', EAC3: 'DD+', AC3: 'DD', OPUS: 'Opus' };
const AUDIO_ORDER = [
  'Atmos',
  'TrueHD',
  'DTS:X',
  'DTS-HD MA',
  'DTS-HD',
  'FLAC',
  'PCM',
  'DTS',
  'DD+',
  'DD',
  'AAC',
  'Opus',
  'MP3',
];

export function audioOf(values: readonly string[], name: string): string[] {
  const found = new Set(dtsKinds(values, name));
  for (const value of values) {
    if (value !== 'HQ' && !value.startsWith('DTS')) found.add(AUDIO[value] ?? value);
  }
  return inOrder(found, AUDIO_ORDER);
}

const DTS_X = /\bDTS[ .:-]?X\b/i;
const DTS_HD_MA = /\bDTS[ .-]?HD[ .-]?MA\b/i;
const DTS_HD = /\bDTS[ .-]?HD\b/i;

/** The parser tells only lossless from lossy, and takes some lossless spellings for lossy. */
function dtsKinds(values: readonly string[], name: string): string[] {
  const exact = [...(DTS_X.test(name) ? ['DTS:X'] : []), ...(DTS_HD_MA.test(name) ? ['DTS-HD MA'] : [])];
  if (exact.length > 0) return exact;
  if (values.includes('DTS Lossless') || DTS_HD.test(name)) return ['DTS-HD'];
  return values.includes('DTS Lossy') ? ['DTS'] : [];
}

function inOrder(found: ReadonlySet<string>, order: readonly string[]): string[] {
  const known = order.filter((value) => found.has(value));
  return [...known, ...[...found].filter((value) => !order.includes(value))];
}
