import { CATALOGUE, type CatalogueRelease, type Title } from '../../../sandbox/index.ts';
import { post, video } from './lab.ts';

// What the indexers of the recordings listed, the oldest first: the sandbox's catalogue, and posts that are odd.

/** With two that go with it, as many files as the indexers told. */
const FILES = Array.from({ length: 60 }, (_, n) => video(`part${n}.mkv`, 1_000_000));
const numberOf = ({ guid }: CatalogueRelease) => Number(guid.slice(-12));
const HOUR = 3_600_000;

const CATALOGUED = CATALOGUE.filter((release) => numberOf(release) <= 19).map(
  (release): CatalogueRelease => ({ ...release, videos: FILES }),
);

/** Of the catalogue, and as an indexer hands it out, the last first. @param has by its number, modulo 3 */
export const listing = (...has: readonly number[]): readonly CatalogueRelease[] =>
  CATALOGUED.filter((release) => has.includes(numberOf(release) % 3)).toReversed();

/** A torrent's date is that of its listing, an hour after the post. */
export const asTorrents = (posts: readonly CatalogueRelease[]): readonly CatalogueRelease[] =>
  posts.map((each) => ({ ...each, posted: new Date(Date.parse(each.posted) + HOUR).toISOString() }));

const odd = (number: number, of: Title, name: string, more: Partial<CatalogueRelease> = {}) =>
  post(name, {
    of,
    categories: [2000, 2040],
    videos: FILES,
    size: 1_500_000_001 + number,
    grabs: number + 1,
    guid: `5a4db0c5-0000-4000-8000-${String(number).padStart(12, '0')}`,
    posted: new Date(Date.UTC(2026, 9, 5, 14) + (number - 109) * HOUR).toISOString(),
    ...more,
  });

const filmOf = (id: string, tmdb: string): Title => ({
  kind: 'movie',
  title: 'Odd',
  year: 2019,
  imdb: `tt${id}`,
  tmdb,
});
const ODD = filmOf('9900008', '0');
const oddFact = (number: number, group: string, more?: Partial<CatalogueRelease>) =>
  odd(number, ODD, `Odd.Facts.2019.1080p.WEB-DL.${group}-GRP`, more);

export const ODD_TITLE = odd(
  106,
  filmOf('9900007', '9900007'),
  'Tom & Jerry\'s <Ünïcode> "Movie" +Plus 100% [2020] {1080p} #hash; x=1?y 日本語 2020 1080p WEB-DL',
  { size: 1_500_000_107, grabs: 107 },
);

/** An id that is written "tt…" counts as none, and a guid that two share is none of this indexer's own. */
export const ODD_FACTS: readonly CatalogueRelease[] = [
  oddFact(109, 'NoGuid', { untold: ['guid'] }),
  oddFact(110, 'NoSize', { untold: ['size'] }),
  oddFact(111, 'SiteCat', { categories: [123_456] }),
  oddFact(112, 'OtherMisc', { categories: [8000, 8010] }),
  oddFact(113, 'TvCat', { categories: [5000, 5040] }),
  oddFact(114, 'TtAttr', { untold: ['imdb'] }),
  oddFact(115, 'Password', { password: true }),
  oddFact(116, 'BigSize', { size: 93_000_000_000, categories: [2000, 2045] }),
  oddFact(117, 'OldDate', { posted: '2012-02-29T23:59:59.000Z' }),
  oddFact(118, 'SharedGuid', { untold: ['guid'] }),
  oddFact(119, 'RelLink'),
];

/** Later the first of them told neither its files, its grabs nor its date. */
export const ODDER_FACTS: readonly CatalogueRelease[] = [
  oddFact(109, 'NoGuid', {
    untold: ['guid', 'files', 'grabs', 'usenetdate'],
    posted: '2026-10-05T12:00:00.000Z',
  }),
  ...ODD_FACTS.slice(1),
];
