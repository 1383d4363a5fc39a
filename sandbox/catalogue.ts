/**
 * What the sandbox's indexer lists. The titles are the Blender Foundation's and Studio's open films; the groups, posters
 * and release names are invented, and so are the ids of the Caminandes films as a series (season 1 of a show), of Spring
 * and of Coffee Run.
 */
export interface Title {
  readonly kind: 'movie' | 'show';
  readonly title: string;
  readonly year: number;
  /** With its "tt". */
  readonly imdb: string;
  readonly tmdb: string;
  readonly tvdb?: string;
}

export interface CatalogueRelease {
  /** A GUID: the indexer's id of the post, and the mark in its NZB's message ids. */
  readonly guid: string;
  readonly of: Title;
  readonly name: string;
  /** Newznab category numbers. */
  readonly categories: readonly number[];
  readonly season?: number;
  readonly episode?: number;
  /** Bytes as advertised: somewhat more than the videos, for the par2 files. */
  readonly size: number;
  readonly videos: readonly Video[];
  /** Post date, ISO. */
  readonly posted: string;
  readonly grabs: number;
  readonly poster: string;
  readonly usenetGroup: string;
  /** What its indexer does not tell of it, by the names of the Newznab attributes. */
  readonly untold?: readonly ('guid' | 'size' | 'files' | 'grabs' | 'imdb' | 'usenetdate')[];
  /** The indexer says that it has a password. */
  readonly password?: boolean;
  /** What the videos are packed in; absent: they are posted as they are. */
  readonly archive?: Archive;
  /** Small files beside the videos, such as subtitles. */
  readonly texts?: readonly { readonly path: string; readonly text: string }[];
  /** dead: every article is gone; damaged: those of each video from 60 % on, lost since it was looked through. */
  readonly health?: 'dead' | 'damaged';
  /** Articles of the first video that are gone at the provider, numbered from 0; -1 is the last. */
  readonly lost?: readonly number[];
  /** What the NZB is wrong in: segments of the first video that it does not list, numbered as in `lost`, or their order. */
  readonly segments?: { readonly lacks: readonly number[] } | 'reversed';
}

export interface Archive {
  readonly kind: 'rar' | '7z';
  readonly compressed?: boolean;
  /** Its contents are encrypted with it, its names are not. */
  readonly password?: string;
  /** Its names are encrypted as well; this is its first volume's. */
  readonly hidesNames?: string;
  /** The NZB tells the password in a meta element. */
  readonly tellsPassword?: boolean;
  /** A volume that the NZB does not list, numbered from 0. */
  readonly lacksVolume?: number;
  /** Bytes of the video in each volume; 15 MB where absent. */
  readonly volume?: number;
}

export interface Video {
  /** Path within the job folder. */
  readonly path: string;
  readonly container: 'mkv' | 'mp4-front' | 'mp4-tail' | 'ts' | 'avi';
  readonly seconds: number;
  readonly size: number;
  /** It was posted as it is, though the others of its release are packed. */
  readonly isLoose?: boolean;
  /** Without padding that a player skips (an mkv's): its bytes come at the film's rate. */
  readonly filled?: boolean;
}

export const BIG_BUCK_BUNNY = film('Big Buck Bunny', 2008, 'tt1254207', '10378');
export const SINTEL = film('Sintel', 2010, 'tt1727587', '45745');
const TEARS_OF_STEEL = film('Tears of Steel', 2012, 'tt2285752', '133701');
const ELEPHANTS_DREAM = film('Elephants Dream', 2006, 'tt0807840', '9761');
export const SPRING = film('Spring', 2019, 'tt9900002', '9900002');
export const COFFEE_RUN = film('Coffee Run', 2020, 'tt9900003', '9900003');
/** Posts with what goes wrong at a backend that streams. */
const COSMOS_LAUNDROMAT = film('Cosmos Laundromat', 2015, 'tt4957236', '358332');
export const CAMINANDES: Title = {
  kind: 'show',
  title: 'Caminandes',
  year: 2013,
  imdb: 'tt9900001',
  tmdb: '9900001',
  tvdb: '990001',
};

export const TITLES: readonly Title[] = [
  BIG_BUCK_BUNNY,
  SINTEL,
  TEARS_OF_STEEL,
  ELEPHANTS_DREAM,
  SPRING,
  COFFEE_RUN,
  COSMOS_LAUNDROMAT,
  CAMINANDES,
];

const MB = 1_000_000;
const FILM = { uhd: 2045, hd: 2040, sd: 2030 };
const TV = { hd: 5040, sd: 5030 };

/** In the order in which they were posted, the oldest first. */
export const CATALOGUE: readonly CatalogueRelease[] = [
  movie(1, BIG_BUCK_BUNNY, 'Big.Buck.Bunny.2008.480p.DVDRip.x264-MEADOW', FILM.sd, 596, 240 * MB),
  movie(2, BIG_BUCK_BUNNY, 'Big.Buck.Bunny.2008.720p.WEB-DL.AAC2.0.H.264-BURROW', FILM.hd, 596, 450 * MB),
  movie(3, BIG_BUCK_BUNNY, 'Big.Buck.Bunny.2008.1080p.BluRay.x264-MEADOW', FILM.hd, 596, 1100 * MB),
  movie(4, BIG_BUCK_BUNNY, 'Big.Buck.Bunny.2008.1080p.WEB-DL.H.264-TAILINDEX', FILM.hd, 596, 900 * MB, {
    container: 'mp4-tail',
  }),
  movie(5, BIG_BUCK_BUNNY, 'Big.Buck.Bunny.2008.2160p.WEB-DL.HEVC.HDR-BURROW', FILM.uhd, 596, 3600 * MB),
  movie(6, BIG_BUCK_BUNNY, 'Big.Buck.Bunny.2008.1080p.BluRay.x264-LOCKED', FILM.hd, 596, 1050 * MB, {
    password: true,
    archive: { kind: '7z', password: 'nobody knows' },
  }),
  movie(7, BIG_BUCK_BUNNY, 'Big.Buck.Bunny.2008.1080p.BluRay.REMUX.AVC-GONE', FILM.hd, 596, 2400 * MB, {
    health: 'dead',
  }),
  // Another film under this one's id: an indexer's mistake that must not be played.
  movie(8, BIG_BUCK_BUNNY, 'Elephants.Dream.2006.1080p.BluRay.x264-MISFILED', FILM.hd, 654, 1000 * MB),
  movie(9, SINTEL, 'Sintel.2010.1080p.BluRay.DTS.x264-ISHTAR', FILM.hd, 888, 1500 * MB),
  movie(10, SINTEL, 'Sintel.2010.720p.WEB-DL.AAC2.0.H.264-FRONTINDEX', FILM.hd, 888, 600 * MB, {
    container: 'mp4-front',
  }),
  movie(11, SINTEL, 'Sintel.2010.1080p.WEB-DL.H.264-CRACKED', FILM.hd, 888, 1300 * MB, { health: 'damaged' }),
  movie(12, TEARS_OF_STEEL, 'Tears.of.Steel.2012.2160p.BluRay.REMUX.HEVC-OUDEKERK', FILM.uhd, 734, 6200 * MB),
  movie(13, TEARS_OF_STEEL, 'Tears.of.Steel.2012.1080p.BluRay.x264-OUDEKERK', FILM.hd, 734, 1200 * MB),
  // The video's own name says nothing, as with many posts.
  movie(14, ELEPHANTS_DREAM, 'Elephants.Dream.2006.1080p.BluRay.x264-EMO', FILM.hd, 654, 1000 * MB, {
    path: 'b6f1c2d49e0a4c7f8a35.mkv',
  }),
  episode(15, 1, 'Caminandes.S01E01.Llama.Drama.720p.WEB-DL.x264-ANDES', TV.hd, 90, 220 * MB),
  episode(16, 2, 'Caminandes.S01E02.Gran.Dillama.720p.WEB-DL.x264-ANDES', TV.hd, 146, 300 * MB),
  episode(17, 3, 'Caminandes.S01E03.Llamigos.720p.WEB-DL.x264-ANDES', TV.hd, 150, 310 * MB),
  episode(18, 2, 'Caminandes.S01E02.Gran.Dillama.1080p.WEB-DL.x264-PUNA', TV.hd, 146, 520 * MB),
  seasonPack(),
  // Of exactly 8 Mbit/s.
  movie(30, SPRING, 'Spring.2019.1080p.WEB-DL.H.264-ALPENGLOW', FILM.hd, 464, 464 * MB, { filled: true }),
  // Of exactly 4 Mbit/s.
  movie(31, COFFEE_RUN, 'Coffee.Run.2020.720p.WEB-DL.H.264-ALPENGLOW', FILM.hd, 184, 92 * MB, {
    filled: true,
  }),
  cosmos(20, 'SPLICED', { segments: { lacks: [30] } }),
  cosmos(21, 'HEADLESS', { segments: { lacks: [0] } }),
  cosmos(22, 'TAILLESS', { segments: { lacks: [-1] } }),
  cosmos(23, 'REVERSED', { segments: 'reversed' }),
  cosmos(24, 'CIPHER', { archive: { kind: 'rar', password: 'nobody knows' } }),
  cosmos(25, 'OPENED', { archive: { kind: 'rar', password: 'laundry', tellsPassword: true } }),
  cosmos(26, 'STORED', { archive: { kind: 'rar' } }),
  cosmos(27, 'BEHEADED', { lost: [0] }),
  cosmos(28, 'PUNCTURED', { lost: [30] }),
  cosmos(29, 'CURTAILED', { archive: { kind: 'rar' }, lost: [-1] }),
];

type Extra = Pick<CatalogueRelease, 'password' | 'health' | 'archive' | 'lost' | 'segments'> & {
  readonly container?: Video['container'];
  readonly path?: string;
  readonly filled?: boolean;
};

function film(title: string, year: number, imdb: string, tmdb: string): Title {
  return { kind: 'movie', title, year, imdb, tmdb };
}

function movie(
  number: number,
  of: Title,
  name: string,
  category: number,
  seconds: number,
  size: number,
  { container = 'mkv', path, filled = false, ...wrong }: Extra = {},
): CatalogueRelease {
  return {
    ...common(number, of, name, category, size),
    videos: [{ path: path ?? `${name}.${extension(container)}`, container, seconds, size, filled }],
    ...wrong,
  };
}

/** One of the posts of a film that is not as it should be. */
function cosmos(number: number, group: string, wrong: Extra): CatalogueRelease {
  const name = `Cosmos.Laundromat.2015.1080p.WEB-DL.H.264-${group}`;
  return movie(number, COSMOS_LAUNDROMAT, name, FILM.hd, 730, 150 * MB, wrong);
}

function episode(
  number: number,
  of: number,
  name: string,
  category: number,
  seconds: number,
  size: number,
): CatalogueRelease {
  return {
    ...common(number, CAMINANDES, name, category, size),
    season: 1,
    episode: of,
    videos: [{ path: `${name}.mkv`, container: 'mkv', seconds, size }],
  };
}

function seasonPack(): CatalogueRelease {
  const name = 'Caminandes.S01.1080p.WEB-DL.x264-PACKED';
  const video = (path: string, seconds: number, megabytes: number): Video => {
    return { path, container: 'mkv', seconds, size: megabytes * MB };
  };
  return {
    ...common(19, CAMINANDES, name, TV.hd, 1320 * MB),
    season: 1,
    videos: [
      video('Caminandes.S01E01.Llama.Drama.1080p.WEB-DL.x264-PACKED.mkv', 90, 340),
      video('Caminandes.S01E02.Gran.Dillama.1080p.WEB-DL.x264-PACKED.mkv', 146, 480),
      video('Caminandes.S01E03.Llamigos.1080p.WEB-DL.x264-PACKED.mkv', 150, 500),
    ],
  };
}

function common(number: number, of: Title, name: string, category: number, size: number) {
  return {
    guid: `5a4db0c5-0000-4000-8000-${String(number).padStart(12, '0')}`,
    of,
    name,
    categories: [Math.floor(category / 1000) * 1000, category],
    size: Math.round(size * 1.06),
    posted: new Date(Date.UTC(2025, 0, 1, 12) + number * 9 * 86_400_000).toISOString(),
    grabs: 7 * number,
    poster: `poster${number}@sandbox.invalid (Sandbox)`,
    usenetGroup: 'alt.binaries.sandbox',
  };
}

function extension(container: Video['container']): string {
  return container.startsWith('mp4-') ? 'mp4' : container;
}
