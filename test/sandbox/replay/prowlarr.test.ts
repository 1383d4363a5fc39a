import { expect, it, onTestFinished } from 'vitest';
import { standardCategories } from '../../../sandbox/indexer/prowlarr/categories.ts';
import {
  ProwlarrIndexer,
  type ProwlarrIndexerOptions,
  USUAL_CATEGORIES,
} from '../../../sandbox/indexer/prowlarr/indexer.ts';
import { type ProwlarrLab, type ProwlarrLabOptions, startProwlarrLab } from './prowlarr-lab.ts';
import { asTorrents, listing, ODD_FACTS, ODD_TITLE, ODDER_FACTS } from './prowlarr-posts.ts';
import { forwardedRequests, prowlarrRecording } from './prowlarr-transcript.ts';
import { held, type NotGiven, type Stage } from './stage.ts';

const IDS = ['q', 'season', 'ep', 'tvdbid', 'tvmazeid', 'imdbid', 'tmdbid'];
const CATEGORIES = [...USUAL_CATEGORIES, { id: 123_456, name: 'Site special' }];

const indexer = (host: number, options: ProwlarrIndexerOptions) =>
  new ProwlarrIndexer({
    baseUrl: `http://127.0.0.${host}:7000`,
    support: { movie: ['q', 'imdbid', 'tmdbid'], tv: IDS },
    categories: CATEGORIES,
    ...options,
  });

/** The first of the lab's indexers, which was added anew for most of the recordings. */
const good1 = (id: number, more: Partial<ProwlarrIndexerOptions> = {}) =>
  indexer(11, { id, name: 'Good1', posts: listing(0, 2), ...more });
const tvOnly = (id: number) =>
  indexer(22, {
    id,
    name: 'TvOnly',
    posts: listing(0, 1, 2),
    support: { movie: [], tv: IDS },
    categories: [
      ...standardCategories(5030, 5040, 5045, 5070, 5000, 8010, 8000),
      { id: 123_456, name: 'Site special' },
    ],
  });

/** All six, in the order of their names. */
const everybody = () => [
  good1(1),
  indexer(12, {
    id: 2,
    name: 'Good2',
    posts: listing(0, 1),
    support: { movie: ['q', 'imdbid'], tv: ['q', 'season', 'ep', 'tvdbid', 'rid'] },
  }),
  indexer(13, {
    id: 3,
    name: 'Good3',
    posts: [...ODD_FACTS.toReversed(), ODD_TITLE, ...listing(0, 1, 2)],
  }),
  indexer(21, { id: 4, name: 'TextOnly', posts: listing(0), support: { movie: ['q'], tv: ['q'] } }),
  indexer(20, { id: 6, name: 'Torrents', protocol: 'torrent', posts: asTorrents(listing(0, 1, 2)) }),
  tvOnly(5),
];

/** Asks the one indexer at this time of the day. */
const asks = (id: number, time: string) => async (lab: ProwlarrLab) => {
  lab.at(time);
  await lab.get(`/api/v1/search?query=sintel&type=search&limit=100&indexerIds=${id}`);
};

const REFUSED = { code: 100, description: 'Incorrect user credentials' };
const BUSY = { status: 429, retryAfter: 120 };

const STAGES: readonly Stage<ProwlarrLab, ProwlarrLabOptions>[] = [
  {
    name: 'with indexers of every kind, from its key to what it lists',
    options: { behind: everybody() },
    steps: [
      ...['status', 'status-nokey', 'status-wrongkey', 'status-key-query', 'status-wrongkey-query'],
      ...['status-key-bearer', 'status-key-basic', 'ping', 'indexer', 'indexerstatus-empty', 'health'],
      ...['initialize', 'unknown-api', 'unknown-api-nokey', 'search-movie-imdb', 'search-nothing'],
      ...['search-badids', 'search-all-torrent', 'search-unknown-ids', 'search-badcat', 'search-comma'],
      ...['search-unsupported-cat', 'search-badtype', 'search-imdb-nott'],
      ...['newznab-caps', 'newznab-caps-nokey', 'newznab-search-nokey', 'newznab-search-wrongkey'],
      ...['newznab-movie-imdb', 'newznab-movie-odd', 'newznab-movie-odd-nocat', 'newznab-tv'],
      ...['newznab-no-t', 'newznab-bad-t', 'newznab-bad-imdb', 'newznab-tv-S01', 'newznab-id0'],
      ...['newznab-unknown-indexer', 'newznab-json', 'newznab-torrent', 'newznab-empty'],
      ...['newznab-v1path', 'newznab-header', 'search-mixed-torrents', 'search-usenet-minus1'],
      ...['search-oddtitle', 'search-nolimit'],
    ],
  },
  {
    name: 'with indexers that all rest',
    options: {
      behind: [
        good1(44, { name: 'E500', search: { status: 500 } }),
        good1(45, { name: 'R429', search: BUSY }),
        good1(46, { name: 'Reset', search: 'resets' }),
        good1(47, { name: 'BadKey', search: REFUSED }),
        good1(48, { name: 'Good2', search: BUSY }),
        good1(49, { name: 'Malformed', search: 'malformed-xml' }),
      ],
    },
    steps: [
      ...[asks(45, '15:27:01'), asks(47, '15:27:01'), asks(49, '15:27:01'), asks(44, '15:27:06')],
      ...[asks(48, '15:27:16'), asks(46, '15:27:21')],
      ...['indexerstatus-resting', 'health-failures', 'search-all-unavailable'],
    ],
  },
  {
    name: 'with downloads',
    options: { behind: [good1(51)] },
    steps: [
      (lab) => lab.get('/api/v1/search?query=bunny&limit=100&indexerIds=51'),
      ...['download-ok', 'download-keyheader', 'download-nokey', 'download-wrongkey'],
      ...['download-badlink', 'download-nofile', 'download-nolink', 'download-unknown-indexer'],
    ],
  },
  {
    name: 'with limits that are used up',
    options: {
      behind: [good1(55, { queryLimit: 1 }), good1(57, { grabLimit: 1 }), good1(86, { queryLimit: 1 })],
    },
    steps: [
      asks(55, '15:29:22'),
      ...['newznab-querylimit', 'search-querylimit'],
      async (lab) => {
        await asks(57, '15:29:30')(lab);
        const rows = JSON.parse(await lab.get('/api/v1/search?query=ishtar&limit=100&indexerIds=57')) as {
          downloadUrl: string;
        }[];
        const { pathname, search } = new URL(rows[0]!.downloadUrl);
        await lab.get(pathname + search);
      },
      'download-grablimit',
      asks(86, '15:45:31'),
      'caps-querylimit',
    ],
  },
  {
    name: 'with a limit in the list',
    options: { behind: [good1(58, { queryLimit: 1 })] },
    steps: ['indexer-querylimit'],
  },
  {
    name: 'with an indexer that rests and is then switched off',
    options: { behind: [good1(87, { search: REFUSED })] },
    steps: [
      asks(87, '15:45:35'),
      'caps-resting',
      (lab) => {
        lab.sandbox.indexers[0]!.enable = false;
      },
      ...['caps-disabled', 'search-disabled', 'download-disabled'],
    ],
  },
  {
    name: 'with posts that tell little',
    options: { behind: [good1(85, { posts: ODDER_FACTS.toReversed() })] },
    steps: ['search-odd'],
  },
  {
    name: 'with words and tokens of every kind',
    options: { behind: [tvOnly(98), good1(112)] },
    steps: [
      ...['search-movie-text-nomoviecaps', 'search-movie-year-token', 'search-tv-trakt-token'],
      ...['search-rawbraces-text', 'search-id-and-text', 'search-offset', 'search-limit1000'],
      'newznab-minsize',
    ],
  },
  {
    name: 'behind its own login',
    options: { behind: [], authentication: 'forms' },
    steps: [
      ...['forms-root', 'forms-wrongpath', 'forms-wrongpath-nokey', 'forms-initialize'],
      ...['forms-initialize-nokey', 'forms-login'],
      ...['status-rightquery-wrongheader', 'status-wrongquery-rightheader'],
    ],
  },
  {
    name: 'behind a URL base',
    options: { behind: [good1(1)], authentication: 'forms', urlBase: '/prowlarr' },
    steps: [
      ...['urlbase-missing', 'urlbase-missing-nokey', 'urlbase-newznab-missing', 'urlbase-right'],
      ...['urlbase-wrong', 'forms-api-nokey', 'forms-download-nokey'],
    ],
  },
  {
    name: "behind a proxy's login",
    options: { behind: [], authentication: 'external' },
    steps: ['external-api-nokey', 'external-initialize-nokey', 'external-wrongpath'],
  },
  {
    name: 'without a login for local addresses',
    options: { behind: [], authentication: 'disabled-for-local-addresses' },
    steps: ['localdisabled-api-nokey', 'localdisabled-initialize-nokey', 'localdisabled-root'],
  },
];

const NOT_GIVEN: NotGiven = {
  'indexer-post-validation': 'Indexers are added in Prowlarr; Slipstream only reads them.',
};

held({ server: 'prowlarr', exchanges: prowlarrRecording(), start: startProwlarrLab }, STAGES, NOT_GIVEN);

it('sends on to an indexer what Prowlarr was seen to send on', async () => {
  const asked = good1(1);
  const lab = await startProwlarrLab({ behind: [asked] });
  onTestFinished(() => lab.close());
  const forwarded = forwardedRequests();
  for (const each of forwarded) await lab.get(`/api/v1/search?${each.asked.toString()}`);
  const withoutKey = (parameters: URLSearchParams) =>
    [...parameters].map(([name, value]) => [name, name === 'apikey' ? 'key' : value]);
  expect(asked.queries.map(withoutKey)).toEqual(forwarded.map(({ sent }) => withoutKey(sent)));
  expect(forwarded).toHaveLength(10);
});
