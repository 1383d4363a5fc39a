import { cpus } from 'node:os';
import { planSplicedPlay, type SplicedPlay } from '../../test/pipeline/spliced/plan.ts';
import { describeSpliced, playSpliced, replaySpliced } from '../../test/pipeline/spliced/run.ts';
import { type DirectPlay, planDirectPlay } from '../../test/stream-proxy/direct/plays/plan.ts';
import { describeDirect, playDirect, replayDirect } from '../../test/stream-proxy/direct/plays/run.ts';
import { type HolePlay, planHolePlay } from '../../test/stream-proxy/holes/seeded/plan.ts';
import { describeHoles, playHoles, replayHoles } from '../../test/stream-proxy/holes/seeded/run.ts';
import { table, writeSection, writtenBy } from '../lib/sections.ts';
import { DOCUMENT } from './document.ts';

/** Seeded plays of one kind, in which nothing goes wrong but what they are about. */
export interface SeededPlays {
  readonly flag: string;
  /** What the plays are called in the report, and what is owed to the player in them. */
  readonly title: string;
  readonly promise: readonly string[];
  /** What was wrong in the play of a seed. */
  readonly play: (seed: number) => Promise<readonly string[]>;
  readonly describe: (seed: number) => string;
  readonly replay: (seed: number) => string;
  /** By what the report counts, and the play's name in each. */
  readonly columns: (seed: number) => Readonly<Record<string, string>>;
}

export const HOLES: SeededPlays = {
  flag: '--holes',
  title: 'Films with holes',
  promise: [
    'Each byte that is not the film’s lies in a fill or in a hole that is listed (with zeros: listed 64 KiB after',
    'something should have begun).',
  ],
  play: playHoles,
  describe: (seed) => describeHoles(planHolePlay(seed)),
  replay: replayHoles,
  columns: (seed) => columnsOfHoles(planHolePlay(seed)),
};

const columnsOfHoles = ({ kind, container }: HolePlay) => ({ Holes: kind, Container: container });

export const SPLICED: SeededPlays = {
  flag: '--spliced',
  title: 'NZBs that lack something',
  promise: [
    'Search, choice, download and proxy as one: of two releases the first has an NZB that lacks what the film needs, which',
    'nzbdav would serve spliced. It is refused before it is handed over, and the second plays, each byte the film’s.',
  ],
  play: async (seed) => (await playSpliced(seed)).objections,
  describe: (seed) => describeSpliced(planSplicedPlay(seed)),
  replay: replaySpliced,
  columns: (seed) => columnsOfSpliced(planSplicedPlay(seed)),
};

const columnsOfSpliced = ({ lacking, whole }: SplicedPlay) => ({
  Lacks: lacking.lack,
  'Form of the NZB that lacks something': lacking.form,
  'Its film': lacking.volume === undefined ? lacking.container : `${lacking.container} in volumes`,
  'Form of the NZB that plays': whole.form,
  'The film that plays': whole.volume === undefined ? whole.container : `${whole.container} in volumes`,
});

export const DIRECT: SeededPlays = {
  flag: '--direct',
  title: 'Services that stream by themselves',
  promise: [
    'A film of the list of StreamNZB, AIOStreams or AltMount, to which something happens while it plays. Not a byte of another file',
    'reaches the player; what can still be had plays to its end, but for lost articles; all else ends with a sentence that',
    'names the cause, and the next release.',
  ],
  play: playDirect,
  describe: (seed) => describeDirect(planDirectPlay(seed)),
  replay: replayDirect,
  columns: (seed) => columnsOfDirect(planDirectPlay(seed)),
};

const columnsOfDirect = ({ service, failover, trouble }: DirectPlay) => ({
  Service: failover ? `${service}, with failover` : service,
  'What happens': trouble,
});

interface PlaysRan {
  readonly from: number;
  readonly seconds: number;
  readonly ran: readonly PlayRun[];
}

export interface PlayRun {
  readonly seed: number;
  readonly objections: readonly string[];
}

/** Keeps the result of a run in docs/scenarios.md. */
export async function writePlays(plays: SeededPlays, { from, seconds, ran }: PlaysRan): Promise<void> {
  const failed = ran.filter(hasFailed);
  const [first] = ran;
  const titles = first === undefined ? [] : Object.keys(plays.columns(first.seed));
  await writeSection(DOCUMENT, [
    `## ${plays.title}`,
    '',
    ...writtenBy(`scenarios -- ${plays.flag} --from ${from} --count ${ran.length}`, `${cpus().length} cores`),
    '',
    ...plays.promise,
    '',
    `**${ran.length - failed.length} of ${ran.length} plays hold**, in ${seconds.toFixed(0)} s.`,
    '',
    ...titles.flatMap((title) =>
      table({ title, unit: 'plays' }, ran, ({ seed }) => [plays.columns(seed)[title] ?? ''], hasFailed),
    ),
    ...(failed.length > 0 ? ['Failed:', '', ...failed.flatMap((each) => failureLines(plays, each))] : []),
  ]);
}

const hasFailed = ({ objections }: PlayRun) => objections.length > 0;

const failureLines = ({ describe }: SeededPlays, { seed, objections }: PlayRun): string[] => [
  `- ${describe(seed)}`,
  ...objections.map((objection) => `  - ${objection}`),
];
