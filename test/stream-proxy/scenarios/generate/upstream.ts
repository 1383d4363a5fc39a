import {
  type DialectName,
  type Fault,
  type LateRegion,
  NO_FAULTS,
  type Region,
  type Script,
} from '../../../support/fault-server/index.ts';
import type { Random } from '../../../support/random.ts';
import type { FilePlan, Promised, UpstreamPlan } from '../scenario.ts';
import { lasting } from './lasting.ts';
import { generatePassing } from './passing.ts';
import { placeIn } from './place.ts';

/** At its slowest, all that the player reads takes so many seconds. */
const LONGEST_READ = 2;
const SLOWEST = 1_500_000;

export interface UpstreamMade {
  readonly plan: UpstreamPlan;
  readonly promise: Promised;
}

export function generateUpstream(
  random: Random,
  file: FilePlan,
  spans: readonly Region[],
  wish: Promised,
): UpstreamMade {
  const dialect = random.pick<DialectName>(['nzbdav', 'nzbdav', 'infinidysk', 'go']);
  const validators = random.pick<UpstreamPlan['validators']>(
    dialect === 'go' ? ['both', 'none'] : ['last-modified', 'last-modified', 'none'],
  );
  const trouble = generateTrouble(random, file, spans, wish === 'up to holes');
  const missing = wish === 'up to holes' ? holes(random, file, spans) : [];
  const forGood = wish === 'the truth' ? [lasting(random, file, spans, validators !== 'none')] : [];
  const script: Script = {
    ...NO_FAULTS,
    dialect,
    faults: [...trouble.faults, ...forGood],
    late: trouble.late.filter((region) => !missing.some((hole) => overlap(hole, region))),
    missing,
    latency: random.chance(0.3) ? random.int(5, 100) : 0,
    pace: generatePace(random, spans),
    idle: random.chance(0.2) ? random.int(2_000, 20_000) : Infinity,
  };
  return {
    plan: {
      script,
      // What a film is, is what was prepared: only from there on can it change.
      from: random.chance(0.1) && !forGood.some(redefines) ? 'prepare' : 'play',
      validators,
      // Each of its two answers would come so late.
      redirect: random.chance(0.1) && !script.faults.some(isAlwaysLate),
    },
    promise: forGood.length > 0 ? 'the truth' : missing.length > 0 ? 'up to holes' : 'everything',
  };
}

const isAlwaysLate = ({ kind, times }: Fault): boolean => kind === 'late-head' && times === undefined;

const redefines = (fault: Fault): boolean =>
  fault.kind === 'change' || (fault.kind === 'lie' && fault.lie.what === 'size');

function generateTrouble(random: Random, { size }: FilePlan, spans: readonly Region[], holed: boolean) {
  const faults: Fault[] = [];
  const late: LateRegion[] = [];
  for (const trouble of generatePassing(random, () => placeIn(random, spans), size, holed)) {
    if ('fault' in trouble) faults.push(trouble.fault);
    else if (!late.some((region) => overlap(region, trouble.late))) late.push(trouble.late);
  }
  return { faults, late };
}

function generatePace(random: Random, spans: readonly Region[]): Script['pace'] {
  if (!random.chance(0.25)) return {};
  const bytes = spans.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const rate = Math.max(SLOWEST, Math.round((bytes / LONGEST_READ) * (1 + random.next())));
  return random.chance(0.5) ? { perConnection: rate } : { total: rate };
}

/** The head of the file, without which nothing is prepared. */
const HEAD = 256 * 1024;
/** Of a stretch of lost articles, at the most: more would not be filled in files as small as these. */
const LOST = 300_000;
/** Articles are hardly smaller, and what lies between two lost stretches is at least one. */
const ARTICLE = 400_000;

/** One to three stretches of lost articles. */
function holes(random: Random, { size }: FilePlan, spans: readonly Region[]): Region[] {
  const found: Region[] = [];
  for (let wanted = random.int(1, 3); wanted > 0; wanted--) {
    const first = Math.max(HEAD, placeIn(random, spans));
    const last = Math.min(size - 2, first + random.magnitude(1, LOST) - 1);
    const around = { first: first - ARTICLE, last: last + ARTICLE };
    if (last >= first && !found.some((other) => overlap(other, around))) found.push({ first, last });
  }
  return found;
}

const overlap = (a: Region, b: Region): boolean => a.first <= b.last && b.first <= a.last;
