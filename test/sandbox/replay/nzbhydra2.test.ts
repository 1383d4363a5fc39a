import { HydraIndexer } from '../../../sandbox/indexer/hydra/indexer.ts';
import type { IndexerBehaviour } from '../../../sandbox/indexer/member-indexer.ts';
import { recordedIndexer } from './nzbhydra2-indexers.ts';
import { type HydraLab, type HydraLabOptions, startHydraLab } from './nzbhydra2-lab.ts';
import { hydraRecording } from './nzbhydra2-transcript.ts';
import { held, type NotGiven, type Stage } from './stage.ts';

type Step = Stage<HydraLab, HydraLabOptions>['steps'][number];

const off = (...names: string[]) => names.map((name) => new HydraIndexer({ name, enable: false }));
const empty = (name: string) => new HydraIndexer({ name, posts: [] });
const BADKEY: IndexerBehaviour = { code: 100, description: 'Incorrect user credentials' };
const TOO_MANY: IndexerBehaviour = { status: 429, retryAfter: 120 };

const searched: Step = (lab) => lab.search();

/** What Good1 does with whoever fetches an NZB from now on. */
const fetching =
  (temper: IndexerBehaviour): Step =>
  (lab) => {
    lab.indexer('Good1').download = temper;
  };

const said = (code: number, description: string) => fetching({ code, description });

const STAGES: readonly Stage<HydraLab, HydraLabOptions>[] = [
  {
    name: 'as it was installed, with two indexers',
    options: { behind: [recordedIndexer('Good1'), recordedIndexer('Good2'), ...off('Good3')] },
    steps: [
      ...['caps', 'caps-no-key', 'caps-wrong-key', 'search-wrong-key', 'search-wrong-key-json'],
      ...['search-no-function', 'search-unknown-function', 'search-season-not-a-number'],
      ...['list-movie-by-imdb', 'list-movie-by-imdb-json', 'list-movie-by-text', 'list-episode'],
      ...['list-season', 'list-daily', 'list-empty', 'list-one-indexer-by-path'],
      ...['list-one-indexer-by-parameter', 'list-unknown-indexer', 'list-switched-off-indexer'],
      ...['indexers-by-get', 'indexers-wrong-key'],
    ],
  },
  {
    name: 'with one that lists oddities',
    options: { behind: [recordedIndexer('Odd')] },
    steps: ['list-odd-titles-and-facts', 'download-odd-title', 'download-relative-link'],
  },
  {
    name: 'with indexers that fail, asked alone',
    options: {
      behind: [
        new HydraIndexer({ name: 'BadKey', search: BADKEY }),
        new HydraIndexer({ name: 'Limit', apiHitLimit: 3 }),
        new HydraIndexer({ name: 'TextOnly', support: { movie: ['q'], tv: ['q'] } }),
      ],
    },
    steps: [
      'list-indexer-with-wrong-key',
      'list-text-only-indexer-by-id',
      (lab) => {
        lab.indexer('Limit').apiHits = 3;
      },
      'list-hit-limit-used-up',
    ],
  },
  {
    name: 'with one that answers 429, and rests then',
    options: { behind: [recordedIndexer('Good1'), new HydraIndexer({ name: 'R429', search: TOO_MANY })] },
    steps: ['list-while-an-indexer-answers-429', 'list-indexer-that-rests'],
  },
  {
    name: 'with a dead one',
    options: { behind: [recordedIndexer('Good1'), new HydraIndexer({ name: 'Dead', search: 'dead' })] },
    steps: ['list-while-an-indexer-is-dead'],
  },
  {
    name: 'with three that are on',
    options: {
      behind: [
        ...['Good1', 'Good2', 'Good3'].map(empty),
        ...off('BadKey', 'Dead', 'Empty', 'Limit', 'Odd', 'R429', 'Redir', 'Slow', 'TextOnly'),
      ],
    },
    steps: ['indexers'],
  },
  {
    name: 'with indexers in every state',
    options: {
      behind: [
        ...['Good1', 'Dead'].map(empty),
        new HydraIndexer({ name: 'Limit', posts: [], apiHitLimit: 3, downloadHitLimit: 1 }),
        new HydraIndexer({ name: 'R429', search: TOO_MANY }),
        new HydraIndexer({ name: 'BadKey', search: BADKEY }),
        ...off('Empty', 'Good2', 'Good3', 'Odd', 'Redir', 'Slow', 'TextOnly'),
      ],
    },
    steps: [
      searched,
      'indexers-states',
      (lab) => {
        lab.service.hydra.allowApiStats = false;
      },
      'indexers-forbidden',
    ],
  },
  {
    name: 'with a post of one indexer',
    options: { behind: [recordedIndexer('Good1')] },
    steps: [
      searched,
      ...['download-good', 'download-head', 'download-range', 'download-t-get', 'download-t-get-unknown'],
      ...['download-no-key', 'download-wrong-key', 'download-unknown-id', 'download-id-no-number'],
      // A redirect of the indexer is followed: nothing tells.
      'download-indexer-redirects',
      ...[403, 404, 429, 500, 503].flatMap((status) => [fetching({ status }), `download-indexer-${status}`]),
      ...[fetching('resets'), 'download-indexer-resets', fetching('dead'), 'download-indexer-hangs'],
      ...[fetching('empty'), 'download-indexer-empty-body', fetching('page'), 'download-indexer-html'],
      ...[fetching(BADKEY), 'download-indexer-code-100'],
      ...[said(300, 'No such item'), 'download-indexer-code-300'],
      ...[said(500, 'Request limit reached (10/10)'), 'download-indexer-code-500-with-200'],
      ...[said(501, 'Download limit reached'), 'download-indexer-code-501-with-200'],
      (lab) => {
        lab.indexer('Good1').access = 'redirect';
      },
      'download-access-type-redirect',
      (lab) => {
        Object.assign(lab.indexer('Good1'), { access: 'proxy', download: 'good', enable: false });
      },
      'download-indexer-disabled',
      (lab) => {
        lab.service.hydraIndexers.splice(0);
      },
      'download-indexer-deleted',
    ],
  },
  {
    name: 'with a post of two indexers',
    options: { behind: [recordedIndexer('Good1'), recordedIndexer('Good2')] },
    steps: [
      searched,
      ...[404, 429, 500].flatMap((status) => [fetching({ status }), `download-fallback-${status}`]),
      ...[fetching(BADKEY), 'download-fallback-code-100'],
      ...[said(501, 'Download limit reached'), 'download-fallback-code-501-with-200'],
    ],
  },
  {
    name: 'with its errors wrapped',
    options: { behind: [], wrapApiErrors: true },
    steps: ['search-wrap-api-errors'],
  },
  {
    name: 'behind a URL base, with a login by form',
    options: {
      urlBase: '/nzbhydra2',
      authentication: 'FORM',
      behind: [
        ...[recordedIndexer('Good1'), recordedIndexer('Good2'), recordedIndexer('Slow')],
        ...off('BadKey', 'Dead', 'Empty', 'Good3', 'Limit', 'Odd', 'R429', 'Redir', 'TextOnly'),
      ],
    },
    steps: [
      ...['auth-form-caps', 'auth-form-search', 'auth-form-download', 'auth-form-indexers'],
      ...['auth-form-internalapi', 'auth-form-ui', 'url-base-left-out'],
    ],
  },
  {
    name: 'with a login of the browser, without its certificate',
    options: { behind: [recordedIndexer('Good1'), recordedIndexer('Good2'), recordedIndexer('Slow')] },
    steps: ['https-basic-caps', 'https-basic-search', 'https-basic-download'],
  },
];

const NOT_GIVEN: NotGiven = {
  'http-at-an-https-port': 'The sandbox speaks no TLS.',
};

held({ server: 'nzbhydra2', exchanges: hydraRecording(), start: startHydraLab }, STAGES, NOT_GIVEN);
