import type { StreamNzbOptions } from '../../../sandbox/direct-stream/streamnzb/index.ts';
import { held, type NotGiven, type Stage } from './stage.ts';
import { type StreamNzbLab, startStreamNzbLab } from './streamnzb-lab.ts';
import { NEWCOMER } from './streamnzb-posts.ts';
import { streamNzbRecording } from './streamnzb-transcript.ts';

type Step = Stage<StreamNzbLab, StreamNzbOptions>['steps'][number];

const listed =
  (path: string): Step =>
  (lab) =>
    lab.list(path);

const set =
  (settings: Partial<StreamNzbOptions>): Step =>
  ({ service }) => {
    Object.assign(service.settings, settings);
  };

const steps = (name: string, ...numbers: number[]) => numbers.map((n) => `${name}/${n}`);

const STAGES: readonly Stage<StreamNzbLab, StreamNzbOptions>[] = [
  {
    name: 'who is let in, lists and the API',
    steps: [
      ...['manifest', 'manifest-no-token', 'manifest-wrong-token', 'configure-page', 'health', 'version'],
      ...['api-no-token', 'api-login-refused', 'api-releases', 'api-releases-no-token', 'api-streams'],
      ...['list-film', 'list-film-by-tmdb-id', 'list-episode', 'list-combined', 'next-release'],
      ...['list-unknown-id', 'list-odd-id', 'list-no-id', 'list-wrong-token'],
      ...['direct-play-not-there', 'direct-play-not-there-with-token', 'direct-play-older-form-not-there'],
      ...['failure-clip', 'failure-clip-range', 'failure-clip-behind-its-end'],
      ...[set({ tmdb: 'away' }), 'list-empty-tmdb-away'],
      ...[set({ tmdb: 'there', indexer: 'away' }), ({ service }: StreamNzbLab) => service.restart()],
      'list-empty-indexer-away',
    ],
  },
  {
    name: 'a good film, without failover',
    steps: [
      listed('movie/tt9100001'),
      ...['play-whole', 'play-head', 'play-range-first-bytes', 'play-range-middle', 'play-range-last-byte'],
      ...['play-range-open-end', 'play-range-suffix', 'play-range-multiple', 'play-range-behind-the-end'],
      ...['play-range-far-behind-the-end', 'play-range-malformed', 'play-range-reversed'],
      ...['play-if-range-no-match', 'play-stored-rar', 'play-unknown-slot', 'play-slot-of-another-token'],
      ...steps('play-obfuscated-no-ending', 0, 1),
    ],
  },
  {
    name: 'posts that are broken, and what it tells of its attempts',
    steps: [
      listed('movie/tt9100003'),
      ...['dead-all-articles', 'dead-second-click', 'dead-first-article', 'dead-last-article'],
      ...['lost-article-whole', 'lost-article-in-the-hole', 'lost-article-end-of-the-hole'],
      ...['lost-article-behind-the-hole', 'lost-article-far-behind'],
      ...['dead-empty-nzb', 'dead-nzb-is-no-xml', 'segment-missing-in-the-nzb'],
      ...[...steps('sequence-failover', 0, 1, 2, 3, 4, 5), 'api-attempts'],
    ],
  },
  {
    name: 'a new post, which moves all rows',
    steps: [
      'sequence-slot-drift/0',
      ({ service }) => {
        service.posts.unshift(NEWCOMER);
      },
      ...steps('sequence-slot-drift', 1, 2, 3, 4, 5),
    ],
  },
  {
    name: 'a restart',
    steps: [
      listed('movie/tt9100002'),
      'sequence-restart/0',
      ({ service }) => service.shut(),
      'sequence-restart/1',
      ({ service }) => {
        service.posts.unshift(NEWCOMER);
        return service.open();
      },
      ...['sequence-restart/2', listed('movie/tt9100002'), 'sequence-restart/3'],
    ],
  },
  {
    name: 'a provider that is away for a while',
    steps: [
      ...[listed('movie/tt9100001'), set({ provider: 'away' })],
      ...[...steps('sequence-provider-away', 0, 1), set({ provider: 'there' }), 'sequence-provider-away/2'],
      ...[listed('movie/tt9100001'), 'sequence-provider-away/3'],
    ],
  },
  {
    name: 'a provider that refuses the login when it starts',
    options: { provider: 'refuses-login' },
    steps: steps('sequence-provider-refuses-login', 0, 1, 2, 3),
  },
];

const NOT_GIVEN: NotGiven = {
  'older-1.3.0': 'The sandbox is StreamNZB 4.1.0.',
};

held({ server: 'streamnzb', exchanges: streamNzbRecording(), start: startStreamNzbLab }, STAGES, NOT_GIVEN);
