import {
  filterReleases,
  loadReleaseNameParser,
  preferencesOf,
  rankCandidates,
} from '../src/release/index.ts';
import { parseSettings } from '../src/settings/index.ts';

const RELEASES = 5_000;
const FILMS = [
  'Sintel.2010',
  'Big.Buck.Bunny.2008',
  'Tears.of.Steel.2012',
  'Elephants.Dream.2006',
  'Charge.2022',
];
const RESOLUTIONS = ['2160p', '1080p', '720p', '480p'];
const SOURCES = ['BluRay.REMUX', 'WEB-DL', 'WEBRip', 'HDTV', 'BluRay'];
const CODECS = [
  'HDR10.HEVC.TrueHD.7.1.Atmos',
  'DV.HEVC.DDP5.1',
  'x264.DTS-HD.MA.5.1',
  'H.264.AAC2.0',
  'x265.AC3',
];

/** Reads, filters and ranks 5,000 names, as for one film that every indexer is full of. Gives its milliseconds. */
export async function rankOnce(): Promise<number> {
  const parseName = await loadReleaseNameParser();
  const began = performance.now();
  const releases = names().map((name, index) => ({
    name,
    nzbUrl: `http://127.0.0.1/${index}`,
    guid: String(index),
    indexer: 'Example',
    size: (index % 97) * 1e9,
    quality: parseName(name),
  }));
  rankCandidates(filterReleases(releases, preferencesOf(parseSettings({ excluded_words: 'cam, telesync' }))));
  return performance.now() - began;
}

function names(): string[] {
  const of = (parts: readonly string[], index: number) => parts[index % parts.length] ?? '';
  return Array.from({ length: RELEASES }, (_, index) => {
    const [film, resolution] = [of(FILMS, index), of(RESOLUTIONS, index >> 2)];
    return `${film}.${resolution}.${of(SOURCES, index >> 4)}.${of(CODECS, index >> 6)}-GROUP${index}`;
  });
}
