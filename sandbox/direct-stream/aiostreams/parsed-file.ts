import type { CatalogueRelease } from '../../catalogue.ts';

/** What it reads from names: as much of it as its rows tell. */
export interface ParsedName {
  readonly resolution: string | undefined;
  readonly quality: string;
  readonly encode: string;
  readonly releaseGroup: string;
}

export const parseName = (name: string): ParsedName => ({
  resolution: /\b(\d{3,4}p)\b/.exec(name)?.[1],
  quality: /BluRay/i.test(name) ? 'BluRay' : /DVDRip/i.test(name) ? 'DVDRip' : 'WEB-DL',
  encode: /265|HEVC/i.test(name) ? 'HEVC' : 'AVC',
  releaseGroup: /-(\w+)$/.exec(name)?.[1] ?? '',
});

const LISTS = ['visualTags', 'audioTags', 'audioChannels', 'languages', 'subtitles'];
const FLAGS = ['regraded', 'repack', 'proper', 'uncensored', 'unrated', 'upscaled'];

/** @param file the inner file's name, where the release was opened */
export function parsedFile(release: CatalogueRelease, file: string | undefined): Record<string, unknown> {
  const { of, name, season } = release;
  const { resolution, quality, encode, releaseGroup } = parseName(name);
  const episode = /E(\d\d)/.exec(file ?? '')?.[1] ?? release.episode;
  const ending = /\.(\w{2,4})$/.exec(file ?? '')?.[1];
  return {
    title: of.title,
    ...(of.kind === 'movie' && { year: String(of.year) }),
    ...(season !== undefined && {
      ...(file !== undefined && { folderSeasons: [season] }),
      seasons: [season],
      ...(episode !== undefined && { episodes: [Number(episode)] }),
    }),
    resolution,
    quality,
    encode,
    releaseGroup,
    editions: [],
    ...(file !== undefined && Object.fromEntries(FLAGS.map((flag) => [flag, false]))),
    ...(ending !== undefined && { container: ending, extension: ending }),
    ...Object.fromEntries(LISTS.map((list) => [list, []])),
    subbed: false,
    dubbed: false,
    seasonPack: season !== undefined && release.episode === undefined,
  };
}
