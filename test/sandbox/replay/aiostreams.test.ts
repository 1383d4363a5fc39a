import type { AioStreamsOptions } from '../../../sandbox/direct-stream/aiostreams/index.ts';
import { type AioStreamsLab, startAioStreamsLab } from './aiostreams-lab.ts';
import { aioStreamsRecording } from './aiostreams-transcript.ts';
import { held, type NotGiven, type Stage } from './stage.ts';

const steps = (name: string, ...numbers: number[]) => numbers.map((n) => `${name}/${n}`);

const STAGES: readonly Stage<AioStreamsLab, AioStreamsOptions>[] = [
  {
    name: 'who is let in',
    steps: steps('stremio-manifest', 0, 1, 2, 3),
  },
  {
    name: 'lists, before and after releases were opened',
    steps: [
      ...[...steps('stremio-stream-film', 0), ...steps('stremio-stream-before-after', 0, 1, 2, 3)],
      ...steps('stremio-stream-streamdata', 0),
    ],
  },
  {
    name: 'errors in lists, with an indexer that refuses its key',
    options: {
      errors: [{ title: '[❌] BrokenIndexer', description: 'Incorrect user credentials (Error Code: 100)' }],
    },
    steps: steps('stremio-stream-errors', 0),
  },
  {
    name: 'lists that are an error',
    steps: steps('stremio-stream-errors', 1, 2, 3, 4),
  },
  {
    name: 'statistics and rows for downloads',
    options: { statistics: true, downloads: true, formatter: 'torrentio' },
    steps: steps('stremio-stream-statistics-downloads', 0),
  },
  {
    name: 'its search',
    steps: steps('search-api', 0, 1, 2, 3, 4),
  },
  {
    name: 'its limits',
    options: { limits: 'on' },
    steps: [
      async (lab) => {
        for (let n = 0; n < 10; n++) await fetch(`${lab.service.addon}/stream/movie/tt9001000.json`);
      },
      ...steps('rate-limits', 1),
    ],
  },
  {
    name: 'addresses that play, and bytes',
    steps: [
      (lab) => lab.listPlayed(),
      ...[...steps('play', 0, 1, 2, 3, 4, 5, 6), ...steps('bytes', 0, 1, 2, 3, 4, 5, 6, 7, 8)],
    ],
  },
];

const NOT_GIVEN: NotGiven = {
  'failures-while-playing': 'It is no list of exchanges: test/sandbox/aiostreams.test.ts plays it.',
  newznab: 'The sandbox has its search API, which tells more, and not its Newznab face.',
  'rate-limits/0': 'It is a table: the limits are those of the sandbox.',
  'rate-limits/2': 'It is of the Newznab face.',
  'sabnzbd-and-library': 'Nothing is handed to it as to SABnzbd, or by its operator.',
  'sabnzbd-status':
    'Nothing is handed to it as to SABnzbd; what it answers there is known by its form alone.',
};

held(
  { server: 'aiostreams', exchanges: aioStreamsRecording(), start: startAioStreamsLab },
  STAGES,
  NOT_GIVEN,
);
