import type { CatalogueRelease } from '../../../sandbox/index.ts';
import { HydraIndexer } from '../../../sandbox/indexer/hydra/indexer.ts';
import { resultOf } from '../../../sandbox/indexer/hydra/results.ts';
import { post } from './lab.ts';
import { recordedPosts } from './nzbhydra2-posts.ts';

const POSTS = recordedPosts();
/** It was fetched; its row is one of those that were cut from the list. */
const ODD_TITLE = {
  id: '1976313273974742605',
  release: post(
    'Bob & Kerry\'s <Ünïcode> "Movie" +Plus 100% [2020] {1080p} #hash; x=1?y 日本語 2020 1080p WEB-DL',
    {
      guid: '5a4db0c5-0000-4000-8000-000000000498',
      of: { ...POSTS[0]!.release.of, imdb: '9900008' },
      posted: '2020-01-01T00:00:00.000Z',
    },
  ),
};

/** Our ids of the results, by the recorded ones. */
export function idsOf(behind: readonly HydraIndexer[]): ReadonlyMap<string, string> {
  const known = [...POSTS, { ...ODD_TITLE, indexer: 'Odd' }].flatMap(({ id, indexer, release }) => {
    const ours = behind.find(({ name }) => name === indexer);
    return ours === undefined ? [] : [[id, resultOf(ours, release).id] as const];
  });
  return new Map(known);
}

const PORTS = { Good1: 7101, Good2: 7102, Slow: 7104, Odd: 7111 } as const;

/** An indexer of the lab, with the posts that its rows have shown. */
export function recordedIndexer(name: keyof typeof PORTS): HydraIndexer {
  const baseUrl = `http://127.0.0.1:${PORTS[name]}`;
  const isAll = ({ name: title }: CatalogueRelease) => title.endsWith('-ALL') && name !== 'Odd';
  const own = POSTS.filter(({ indexer }) => indexer === name).map(({ release }) => release);
  // Of a post that several had, it once took Slow's row: nothing tells why, so here it is the newer one.
  const listed = name === 'Slow' ? own.map(aMinuteNewer) : own;
  const shared = POSTS.map(({ release }) => release).filter(isAll);
  const lacking = shared.filter(({ guid }) => !own.some((each) => each.guid === guid));
  return new HydraIndexer({
    name,
    baseUrl,
    posts: [...fillers(name), ...listed, ...lacking.filter(onceByGuid)],
    facts: ({ guid }) => POSTS.find(({ release }) => release.guid === guid)?.facts ?? [],
    link: ({ guid, name: title }) => {
      const path = `/getnzb?id=${guid}&i=1234&r={key of the indexer ${name.toUpperCase()}}`;
      return title.includes('RelLink') ? path : baseUrl + path;
    },
  });
}

const aMinuteNewer = (release: CatalogueRelease): CatalogueRelease => ({
  ...release,
  posted: new Date(Date.parse(release.posted) + 60_000).toISOString(),
});

const onceByGuid = ({ guid }: CatalogueRelease, place: number, all: readonly CatalogueRelease[]) =>
  all.findIndex((each) => each.guid === guid) === place;

/** Posts whose rows were cut from the lists, and of which nothing else is known: all older than those. */
function fillers(name: keyof typeof PORTS): readonly CatalogueRelease[] {
  const like = (title: string, count: number) => {
    const { release } = POSTS.find((each) => each.release.name === title)!;
    return Array.from({ length: count }, (_, n) =>
      post(`${title}-${n}`, {
        ...release,
        name: `${title}-${n}`,
        guid: `5a4db0c5-0000-4000-9000-${String(n).padStart(12, '0')}`,
        posted: '2020-01-01T00:00:00.000Z',
      }),
    );
  };
  if (name === 'Odd') return [ODD_TITLE.release, ...like('Odd.Facts.2020.1080p.WEB-DL.Tiny-GRP', 9)];
  return name === 'Slow' ? [] : like(`Invented.Show.S01E03.1080p.WEB.h264-${name.toUpperCase()}`, 1);
}
