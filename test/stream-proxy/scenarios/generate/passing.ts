import type { Cut, Fault, HeadLie, LateRegion } from '../../../support/fault-server/index.ts';
import type { Random } from '../../../support/random.ts';

/** Trouble that passes: the player shall not notice any of it. */
export type Passing = {
  /** How many reads fail of it without a byte, at most. */
  readonly failures: number;
  /** Milliseconds, as in life, that a byte is late by it besides. */
  readonly wait: number;
  /** Each read is so slow, so that no failure, and no other wait, can be endured beside it. */
  readonly always?: true;
  /** Failures that are patiently borne only so often in a row. */
  readonly of?: 'wrong answers' | 'missing';
} & ({ readonly fault: Fault } | { readonly late: LateRegion });

/** Milliseconds until another attempt is made, at the worst. */
const RETRY = 1_000;
/** Milliseconds of silence until another connection is tried, at the worst. */
const SILENCE = 5_000;
/** Milliseconds that a server may take for each read: Kodi itself survives 9 s. A second is for the machine. */
const SLOW = [4_000, 6_000] as const;
/**
 * Milliseconds that all of a scenario's trouble together may keep the player waiting: it may all fall on the same byte,
 * and the player is let go after 9 s without one.
 */
const ENDURABLE = 5_500;
/**
 * Failures of one such kind in a row. Of wrong answers the fifth is the last; two 404s are believed, and the
 * server is looked at.
 */
const MOST_ALIKE = { 'wrong answers': 3, missing: 2 } as const;

/**
 * A few troubles, together not more than a player has patience for.
 *
 * @param holed Parts of the file are missing: what stands around them takes many reads to find out.
 */
export function generatePassing(
  random: Random,
  place: () => number,
  size: number,
  holed: boolean,
): readonly Passing[] {
  const chosen: Passing[] = [];
  for (let tries = random.int(0, 6); tries > 0; tries--) {
    const next = random.pick(MAKERS)(random, place(), size);
    const isTooSlow = holed && next.always === true;
    if (!isTooSlow && isEndurable([...chosen, next])) chosen.push(next);
  }
  return chosen;
}

function isEndurable(all: readonly Passing[]): boolean {
  const failures = (some: readonly Passing[]) => some.reduce((sum, each) => sum + each.failures, 0);
  const wait = all.reduce((sum, each) => sum + each.wait, 0);
  const areFew = (['wrong answers', 'missing'] as const).every(
    (kind) => failures(all.filter(({ of }) => of === kind)) <= MOST_ALIKE[kind],
  );
  const slow = all.filter(({ always }) => always === true);
  if (slow.length > 0) return slow.length === 1 && failures(all) === 0 && wait === slow[0]?.wait;
  // The first failure is followed by another attempt at once.
  return wait + Math.max(0, failures(all) - 1) * RETRY <= ENDURABLE && areFew;
}

type Maker = (random: Random, place: number, size: number) => Passing;

const MAKERS: readonly [Maker, ...Maker[]] = [
  (random) => again(random, { kind: 'refuse' }),
  (random) => again(random, { kind: 'no-answer', how: random.pick(['fin', 'reset']) }),
  (random) => {
    const milliseconds = random.int(100, 5_000);
    return { failures: 0, wait: milliseconds, fault: { kind: 'late-head', milliseconds, ...once(random) } };
  },
  (random) => again(random, { kind: 'status', status: random.pick([500, 502, 503, 503, 504, 429, 408]) }),
  (random) => ({
    failures: 1,
    wait: RETRY,
    fault: { kind: 'status', status: 503, retryAfter: 1, ...once(random) },
  }),
  // Not yet a proof that anything is missing: an article is asked for more than once.
  (random) => ({ ...again(random, { kind: 'status', status: 404 }, 2), of: 'missing' }),
  (random) => ({ ...again(random, { kind: 'lie', lie: wrong(random) }), of: 'wrong answers' }),
  (random) => ({ ...again(random, { kind: 'lie', lie: wrong(random) }), of: 'wrong answers' }),
  (random, _place, size) => ({
    ...harmless,
    fault: { kind: 'lie', lie: unusual(random, size), ...often(random) },
  }),
  (random) => again(random, { kind: 'surplus', bytes: random.magnitude(1, 5_000) }),
  cutOnce,
  cutOnce,
  cutAlways,
  (random, position) => {
    const milliseconds = random.magnitude(200, 15_000);
    const wait = Math.min(milliseconds, SILENCE);
    return { failures: 1, wait, fault: { kind: 'stall', at: { position }, milliseconds, times: 1 } };
  },
  (random, position) => {
    const milliseconds = random.magnitude(100, 3_500);
    const wait = milliseconds + RETRY;
    return { failures: 1, wait, fault: { kind: 'away', at: { position }, milliseconds, times: 1 } };
  },
  lateRegion,
  // Slow, but alive: every head comes late, or every body behind a head that came at once.
  (random) => slowly(random, (milliseconds) => ({ kind: 'late-head', milliseconds })),
  (random) => slowly(random, (milliseconds) => ({ kind: 'stall', at: { after: 0 }, milliseconds })),
];

function slowly(random: Random, fault: (milliseconds: number) => Fault): Passing {
  const wait = random.int(...SLOW);
  return { failures: 0, wait, always: true, fault: fault(wait) };
}

const harmless = { failures: 0, wait: 0 };

const once = (random: Random) => ({ skip: random.int(0, 3), times: 1 });

function again(random: Random, fault: Fault, most = 3): Passing {
  const times = random.int(1, most);
  return { failures: times, wait: 0, fault: { ...fault, times, skip: random.int(0, 3) } };
}

const often = (random: Random): { times?: number } => (random.chance(0.5) ? {} : { times: random.int(1, 5) });

function cutOnce(random: Random, position: number): Passing {
  const times = random.int(1, 3);
  const how = random.pick<Cut>(['fin', 'reset', 'clean']);
  return { failures: times, wait: 0, fault: { kind: 'cut', at: { position }, how, times } };
}

/** Each connection brings only so much, as from a server that drops them every few seconds. */
function cutAlways(random: Random): Passing {
  const after = random.magnitude(100_000, 3_000_000);
  const how = random.pick<Cut>(['fin', 'reset']);
  return { failures: 1, wait: 0, fault: { kind: 'cut', at: { after }, how } };
}

/** Heads that contradict the request or themselves: nobody may take such an answer. */
function wrong(random: Random): HeadLie {
  const by = random.magnitude(1, 100_000) * (random.chance(0.5) ? 1 : -1);
  return random.pick<HeadLie>([
    { what: 'first', by: Math.abs(by) },
    { what: 'last', by },
    { what: 'length', by },
    { what: 'no-content-range' },
    {
      what: 'content-range',
      value: random.pick(['bytes', 'bytes */5', 'bytes 5-1/9', 'items 0-5/9', 'bytes 0-/9']),
    },
    { what: 'encoding', value: random.pick(['gzip', 'br', 'x-unheard-of']) },
  ]);
}

/** Heads that are unusual and right. */
function unusual(random: Random, size: number): HeadLie {
  const bytes = Math.max(1, Math.min(size, random.magnitude(100_000, 3_000_000)));
  return random.pick<HeadLie>([{ what: 'chunked' }, { what: 'no-length' }, { what: 'less', bytes }]);
}

function lateRegion(random: Random, first: number, size: number): Passing {
  const last = Math.min(size - 1, first + random.magnitude(1, 500_000));
  const status = random.pick([404, 503] as const);
  // A 404 is soon believed: an upstream that is merely late says so for a moment only.
  const milliseconds = status === 404 ? random.int(50, 600) : random.magnitude(100, 3_500);
  const late = { first, last, milliseconds, status };
  return {
    failures: status === 404 ? MOST_ALIKE.missing : 1,
    wait: milliseconds + RETRY,
    late,
    of: 'missing',
  };
}
