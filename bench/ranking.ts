import type { Posting } from '../src/model/index.ts';
import {
  type CustomFormat,
  filterReleases,
  loadReleaseNameParser,
  NO_LISTS,
  preferencesOf,
  rankCandidates,
} from '../src/release/index.ts';
import { mergePostings } from '../src/search/match/merge.ts';
import { parseSettings } from '../src/settings/index.ts';

const RELEASES = 5_000;
const FILMS = [
  'Sintel.2010',
  'Big.Buck.Bunny.2008',
  'Tears.of.Steel.2012',
  'Elephants.Dream.2006',
  'Charge.2022',
  'Cosmos.Laundromat.2015',
  'Caminandes.S01E02.Gran.Dillama',
];
const LANGUAGES = ['', 'REPACK', 'EXTENDED', 'German.DL', 'MULTi', 'FRENCH', 'iTALiAN'];
const RESOLUTIONS = ['2160p', '1080p', '720p', '480p'];
const SOURCES = ['UHD.BluRay.REMUX', 'WEB-DL', 'AMZN.WEBRip', 'HDTV', 'BluRay', 'DVDRip', 'HDTS'];
const CODECS = [
  'HDR10.HEVC.TrueHD.7.1.Atmos',
  'DV.HDR.HEVC.DDP5.1',
  'x264.DTS-HD.MA.5.1',
  'H.264.AAC2.0',
  'x265.10bit.AC3',
];
const GROUPS = 211;

/** With a rule of each kind on. */
const SETTINGS = parseSettings({
  excluded_words: 'cam, telesync, /\\bhc[ .]?(?:hdrip|webrip)\\b/i',
  required_words: '/\\b(?:480|720|1080|2160)p\\b/',
  wanted_languages: 'en, de',
  excluded_groups: 'GROUP7, GROUP11',
  preferred_groups_1: 'GROUP3, GROUP5',
  max_size_mb: '90000',
  max_mb_per_minute: '900',
  max_age_days: '9000',
  bitrate_limit_mbit: '80',
  allow_tv: 'false',
});
const REQUEST = { runtime: 90, originalLanguage: 'en' };

/**
 * Names, merges, filters and ranks 5,000 releases, as for one film that every indexer is full of: from their names to
 * the list. Gives its milliseconds.
 */
export async function rankOnce(formats: readonly CustomFormat[] = []): Promise<number> {
  const postings = listings();
  const began = performance.now();
  const parseName = await loadReleaseNameParser();
  const preferences = preferencesOf(SETTINGS, { ...NO_LISTS, formats });
  const candidates = filterReleases(mergePostings(postings, { parseName }), preferences, REQUEST);
  const ranked = rankCandidates(candidates, preferences, REQUEST);
  const took = performance.now() - began;
  if (ranked.length !== RELEASES) throw new Error(`${ranked.length} rows of ${RELEASES}`);
  return took;
}

function listings(): Posting[] {
  return names().map((name, index) => ({
    name,
    link: {
      url: `http://127.0.0.1/${index}`,
      guid: String(index),
      indexer: `Example ${index % 9}`,
      source: `source-${index % 3}`,
    },
    size: (1 + (index % 97)) * 1e9,
    posted: 1.6e12 + (index % 1009) * 1e8,
    grabs: index % 53,
  }));
}

/** Each combination of parts once: 6,860 there are. */
function names(): string[] {
  return Array.from({ length: RELEASES }, (_, index) => {
    const words: string[] = [];
    let rest = index;
    for (const parts of [FILMS, LANGUAGES, RESOLUTIONS, SOURCES, CODECS]) {
      words.push(parts[rest % parts.length] ?? '');
      rest = Math.floor(rest / parts.length);
    }
    return `${words.filter(Boolean).join('.')}-GROUP${index % GROUPS}`;
  });
}
