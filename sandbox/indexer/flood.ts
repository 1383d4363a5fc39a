import type { CatalogueRelease } from '../catalogue.ts';

/** Open films that the catalogue does not have. */
const FILMS = ['Spring', 'Cosmos.Laundromat', 'Agent.327', 'Sprite.Fright', 'Charge'];
const COUNT = 10_000;

let made: readonly CatalogueRelease[] | undefined;

/** Ten thousand posts with an id each, as an indexer lists them that ignores what it was asked. */
export function flood(): readonly CatalogueRelease[] {
  made ??= Array.from({ length: COUNT }, (_, n) => post(n));
  return made;
}

function post(n: number): CatalogueRelease {
  const film = FILMS[n % FILMS.length] ?? '';
  const id = String(8_000_000 + n);
  return {
    guid: `5a4db0c5-1111-4000-8000-${String(n).padStart(12, '0')}`,
    of: { kind: 'movie', title: film.replaceAll('.', ' '), year: 2019, imdb: `tt${id}`, tmdb: id, tvdb: id },
    name: `${film}.2019.1080p.WEB-DL.x264-FLOOD${n}`,
    categories: [2000, 2040],
    size: 700_000_000 + n,
    videos: [],
    posted: new Date(Date.UTC(2025, 5, 1) + n * 60_000).toISOString(),
    grabs: n,
    poster: 'poster@sandbox.invalid (Sandbox)',
    usenetGroup: 'alt.binaries.sandbox',
  };
}
