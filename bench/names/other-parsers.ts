import { filenameParse, type ParsedFilename } from '@ctrl/video-filename-parser';
import { parseTorrentTitle } from '@viren070/parse-torrent-title';
import { parse as parseClement } from 'parse-torrent-title';
import type { Reading } from './fields.ts';

/** The published parsers, each with its words put into ours as far as they mean the same. */
export const OTHER_PARSERS: Readonly<Record<string, (name: string) => Reading>> = { viren, clement, ctrl };

type Words = Readonly<Record<string, string>>;

const map = (words: Words, value: string | undefined): string | undefined =>
  value === undefined ? undefined : (words[value.toLowerCase()] ?? value);

const mapAll = (words: Words, values: readonly string[] | undefined): string[] =>
  (values ?? []).map((value) => map(words, value) ?? value).filter((value) => value !== '');

const RESOLUTIONS: Words = { '8k': '4320p', '4k': '2160p', '2k': '1440p', '1080i': '1080p' };
const SOURCES: Words = {
  'bluray remux': 'BluRay',
  remux: 'BluRay',
  brremux: 'BluRay',
  'bluray-remux': 'BluRay',
  bluray: 'BluRay',
  'blu-ray': 'BluRay',
  bdrip: 'BluRay',
  brrip: 'BluRay',
  uhdrip: 'BluRay',
  web: 'WEB-DL',
  'web-dl': 'WEB-DL',
  webdl: 'WEB-DL',
  webmux: 'WEB-DL',
  'web-dlrip': 'WEBRip',
  webcap: 'WEBRip',
  webrip: 'WEBRip',
  vodrip: 'WEBRip',
  hdtv: 'HDTV',
  hdtvrip: 'HDTV',
  pdtv: 'HDTV',
  hdrip: 'HDRip',
  tvrip: 'TV',
  satrip: 'TV',
  sdtv: 'TV',
  dvd: 'DVD',
  dvdrip: 'DVD',
  vhs: 'VHS',
  vhsrip: 'VHS',
  scr: 'Screener',
  screener: 'Screener',
  dvdscr: 'Screener',
  telesync: 'Telesync',
  telecine: 'Telecine',
  cam: 'CAM',
  workprint: 'Workprint',
  'hd-dvd': 'HD-DVD',
};
const CODECS: Words = {
  x264: 'AVC',
  h264: 'AVC',
  avc: 'AVC',
  x265: 'HEVC',
  h265: 'HEVC',
  hevc: 'HEVC',
  av1: 'AV1',
  xvid: 'XviD',
  divx: 'DivX',
  mpeg2: 'MPEG-2',
  'mpeg-2': 'MPEG-2',
  vp9: 'VP9',
  'vc-1': 'VC-1',
  vc1: 'VC-1',
};
const AUDIO: Words = {
  ddp: 'DD+',
  eac3: 'DD+',
  'dolby digital plus': 'DD+',
  'dd+': 'DD+',
  dd: 'DD',
  ac3: 'DD',
  'dolby digital': 'DD',
  'dolby truehd': 'TrueHD',
  truehd: 'TrueHD',
  atmos: 'Atmos',
  'dts lossless': 'DTS-HD MA',
  'dts lossy': 'DTS',
  'dts-hd-ma': 'DTS-HD MA',
  'dts-hd': 'DTS-HD',
  'dts-x': 'DTS:X',
  dts: 'DTS',
  lpcm: 'PCM',
  opus: 'Opus',
  hq: '',
};
const EDITIONS: Words = {
  'extended edition': 'Extended',
  'director edition': "Director's Cut",
  "director's cut": "Director's Cut",
  directors: "Director's Cut",
  'theatrical edition': 'Theatrical',
  'ultimate edition': 'Ultimate',
  'anniversary edition': 'Anniversary',
  'collectors edition': "Collector's Edition",
  "collector's edition": "Collector's Edition",
  'special edition': 'Special Edition',
  'limited edition': 'Limited Edition',
  'criterion collection': 'Criterion',
  fanedit: 'Fan Edit',
  'fan edit': 'Fan Edit',
};
const NETWORKS: Words = {
  'prime video': 'AMZN',
  amazon: 'AMZN',
  netflix: 'NF',
  'disney+': 'DSNP',
  disney: 'DSNP',
  'apple tv': 'ATVP',
  'apple tv+': 'ATVP',
  hbo: 'HBO',
  'hbo max': 'HMAX',
  hulu: 'HULU',
  peacock: 'PCOK',
  'paramount+': 'PMTP',
  crunchyroll: 'CR',
  'bbc iplayer': 'iP',
  stan: 'STAN',
};

/** DTS's core and the plain HDR that a better one implies. */
function precise(values: readonly string[]): string[] {
  const better = values.some((value) => value.startsWith('DTS-') || value === 'DTS:X');
  const hdr10 = values.some((value) => value.startsWith('HDR10'));
  return values.filter((value) => !(better && value === 'DTS') && !(hdr10 && value === 'HDR'));
}

function viren(name: string): Reading {
  const { title, year, seasons, episodes, date, complete, resolution, quality, codec, ...rest } =
    parseTorrentTitle(name);
  const languages = rest.languages ?? [];
  const flags = [
    rest.unrated && 'Unrated',
    rest.uncensored && 'Uncensored',
    rest.extended && 'Extended',
  ].filter((flag) => typeof flag === 'string');
  return {
    title,
    year: year === undefined ? undefined : Number.parseInt(year, 10),
    seasons,
    episodes,
    date,
    complete,
    resolution: map(RESOLUTIONS, resolution),
    source: map(SOURCES, quality),
    remux: /remux/i.test(quality ?? ''),
    codec: map(CODECS, codec),
    bitDepth: rest.bitDepth === undefined ? undefined : Number.parseInt(rest.bitDepth, 10),
    hdr: precise(rest.hdr ?? []),
    audio: precise(mapAll(AUDIO, rest.audio)),
    channels: (rest.channels ?? []).map((one) => (one === 'stereo' ? '2.0' : one)),
    languages: isoOnly(languages.map((one) => one.replace(/^es-419$/, 'es').replace(/^pt-br$/i, 'pt'))),
    multi: languages.some((one) => /^multi(?: audio)?$/.test(one)),
    dual: languages.includes('dual audio'),
    group: rest.group,
    edition: [...new Set([...mapAll(EDITIONS, rest.editions), ...flags])],
    proper: rest.proper,
    repack: rest.repack,
    threeD: rest.threeD !== undefined,
    upscaled: rest.upscaled,
    network: map(NETWORKS, rest.network),
    container: rest.container ?? rest.extension,
  };
}

const isoOnly = (values: readonly string[]) => [
  ...new Set(values.filter((value) => /^[a-z]{2}$/.test(value))),
];

const LANGUAGES: Words = {
  english: 'en',
  french: 'fr',
  spanish: 'es',
  german: 'de',
  italian: 'it',
  danish: 'da',
  dutch: 'nl',
  flemish: 'nl',
  japanese: 'ja',
  cantonese: 'zh',
  mandarin: 'zh',
  chinese: 'zh',
  russian: 'ru',
  polish: 'pl',
  vietnamese: 'vi',
  swedish: 'sv',
  norwegian: 'no',
  finnish: 'fi',
  turkish: 'tr',
  portuguese: 'pt',
  brazilian: 'pt',
  greek: 'el',
  korean: 'ko',
  hungarian: 'hu',
  persian: 'fa',
  bengali: 'bn',
  bulgarian: 'bg',
  hebrew: 'he',
  czech: 'cs',
  ukrainian: 'uk',
  catalan: 'ca',
  thai: 'th',
  hindi: 'hi',
  tamil: 'ta',
  arabic: 'ar',
  estonian: 'et',
  icelandic: 'is',
  latvian: 'lv',
  lithuanian: 'lt',
  romanian: 'ro',
  slovak: 'sk',
  serbian: 'sr',
  telugu: 'te',
  malayalam: 'ml',
  latino: 'es',
  castilian: 'es',
  truefrench: 'fr',
  vff: 'fr',
  vf: 'fr',
  vfq: 'fr',
  vostfr: '',
  multi: '',
  dual: '',
  nordic: '',
};

function clement(name: string): Reading {
  const parsed = parseClement(name) as unknown as Readonly<Record<string, unknown>>;
  const text = (field: string) => (typeof parsed[field] === 'string' ? parsed[field] : undefined);
  const list = (field: string) => (Array.isArray(parsed[field]) ? (parsed[field] as string[]) : []);
  const languages = list('languagelist').length > 0 ? list('languagelist') : listOf(text('language'));
  const colours = list('colorlist').length > 0 ? list('colorlist') : listOf(text('color'));
  const editions = ['extended', 'unrated', 'remastered', 'uncut']
    .filter((flag) => parsed[flag] === true)
    .map((flag) => flag.charAt(0).toUpperCase() + flag.slice(1));
  return {
    title: parsed['title'],
    year: parsed['year'],
    seasons: numbersOf(parsed['seasons'] ?? parsed['season']),
    episodes: numbersOf(parsed['episodes'] ?? parsed['episode']),
    date: parsed['date'],
    resolution: map(RESOLUTIONS, text('resolution')),
    source: map(SOURCES, text('source')),
    remux: parsed['remux'] === true,
    codec: map(CODECS, text('codec')),
    hdr: precise(colours),
    audio: precise(
      mapAll(
        { ...AUDIO, atmos: 'Atmos', flac: 'FLAC', aac: 'AAC', mp3: 'MP3' },
        list('audiolist').length > 0 ? list('audiolist') : listOf(text('audio')),
      ),
    ),
    channels: parsed['channels'] === undefined ? [] : [Number(parsed['channels']).toFixed(1)],
    languages: mapAll(LANGUAGES, languages),
    multi: languages.includes('multi'),
    dual: languages.includes('dual'),
    group: parsed['group'],
    edition: editions,
    proper: parsed['proper'],
    repack: parsed['repack'],
    threeD: parsed['3d'] === true || parsed['threed'] === true,
    network: parsed['service'],
    container: parsed['container'],
  };
}

const listOf = (value: string | undefined) => (value === undefined ? [] : [value]);

const numbersOf = (value: unknown): unknown[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? value : [value];

const TELLS_EPISODE = /S\d{1,2}|\d{1,2}x\d{2}|\b(?:19|20)\d\d\.\d\d\.\d\d|Season|^\[|- \d{2,3}\b|E\d{2}/i;
const CTRL_SOURCES: Words = {
  bluray: 'BluRay',
  webdl: 'WEB-DL',
  webrip: 'WEBRip',
  dvd: 'DVD',
  cam: 'CAM',
  tv: 'HDTV',
  screener: 'Screener',
  telesync: 'Telesync',
  telecine: 'Telecine',
  workprint: 'Workprint',
};

/** It must be told whether it is a series; a person's glance at the name does that here. */
function ctrl(name: string): Reading {
  const parsed = filenameParse(name, TELLS_EPISODE.test(name)) as ParsedFilename &
    Readonly<Record<string, unknown>>;
  const edition = parsed.edition;
  const editions = [
    edition.extended && 'Extended',
    edition.directors && "Director's Cut",
    edition.theatrical && 'Theatrical',
    edition.unrated && 'Unrated',
    edition.remastered && 'Remastered',
    edition.imax && 'IMAX',
    edition.fanEdit && 'Fan Edit',
  ].filter((one) => typeof one === 'string');
  const airDate = parsed.airDate;
  return {
    title: parsed.title,
    year: parsed.year === null ? undefined : Number(parsed.year),
    seasons: parsed.seasons,
    episodes: parsed.episodeNumbers,
    date: airDate instanceof Date ? airDate.toISOString().slice(0, 10) : undefined,
    complete: parsed.fullSeason,
    resolution: parsed.resolution?.toLowerCase(),
    source: map(CTRL_SOURCES, parsed.sources[0]),
    codec: map({ ...CODECS, dvdr: 'MPEG-2', wmv: 'WMV' }, parsed.videoCodec),
    hdr: [...(edition.dolbyVision ? ['DV'] : []), ...(edition.hdr ? ['HDR'] : [])],
    audio: mapAll(AUDIO, listOf(parsed.audioCodec)),
    channels: mapAll({ stereo: '2.0', mono: '1.0' }, listOf(parsed.audioChannels)),
    languages: [...new Set(mapAll(LANGUAGES, spoken(parsed.languages)))],
    multi: parsed.multi,
    group: parsed.group ?? undefined,
    edition: editions,
    threeD: edition.threeD,
    revision: parsed.revision.version - 1 + parsed.revision.real,
  };
}

/** English alone is its word for a name that tells no language. */
const spoken = (languages: readonly string[]) =>
  languages.length === 1 && languages[0] === 'English' ? [] : languages;
