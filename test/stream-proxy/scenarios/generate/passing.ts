import type { Cut, Fault, LateRegion, Lie } from '../../../support/fault-server/index.ts';
import type { Random } from '../../../support/random.ts';

/** Trouble that passes: the player shall not notice any of it. */

/** `cost`: milliseconds, as in life, that a byte may be late by it, retries and their pauses included. */
export type Passing = { readonly cost: number } & ({ readonly fault: Fault } | { readonly late: LateRegion });

/** What the second, third, ... attempt in a row waits in all. */
const PAUSES = [0, 0, 250, 750] as const;
const RETRY = 1_000;
/** After so much silence another connection is tried. */
const SILENCE = 3_500;

type Maker = (random: Random, place: number, size: number) => Passing;

export function passing(random: Random, place: number, size: number): Passing {
  return random.pick(MAKERS)(random, place, size);
}

const MAKERS: readonly [Maker, ...Maker[]] = [
  (random) => again(random, { kind: 'refuse' }),
  (random) => again(random, { kind: 'no-answer', how: random.pick(['fin', 'reset']) }),
  (random) => {
    const milliseconds = random.int(100, 2_200);
    return {
      cost: milliseconds,
      fault: { kind: 'late-head', milliseconds, skip: random.int(0, 3), times: 1 },
    };
  },
  (random) => again(random, { kind: 'status', status: random.pick([500, 502, 503, 503, 504, 429, 408]) }),
  (random) => ({
    cost: RETRY,
    fault: { kind: 'status', status: 503, retryAfter: 1, skip: random.int(0, 3), times: 1 },
  }),
  // Not yet a proof that anything is missing: an article is asked for more than once.
  (random) => ({
    cost: 250,
    fault: { kind: 'status', status: 404, skip: random.int(0, 3), times: random.int(1, 2) },
  }),
  (random) => again(random, { kind: 'lie', lie: wrong(random) }),
  (random) => again(random, { kind: 'lie', lie: wrong(random) }),
  (random, _place, size) => ({
    cost: 0,
    fault: { kind: 'lie', lie: unusual(random, size), ...often(random) },
  }),
  (random) => ({
    cost: 250,
    fault: { kind: 'surplus', bytes: random.magnitude(1, 5_000), times: random.int(1, 3) },
  }),
  cutOnce,
  cutOnce,
  cutAlways,
  (_random, position) => ({
    cost: SILENCE,
    fault: { kind: 'cut', at: { position }, how: 'silence', times: 1 },
  }),
  (random, position) => {
    const milliseconds = random.magnitude(200, 15_000);
    const cost = Math.min(milliseconds, SILENCE);
    return { cost, fault: { kind: 'stall', at: { position }, milliseconds, times: 1 } };
  },
  (random, position) => {
    const milliseconds = random.magnitude(100, 3_500);
    return { cost: milliseconds + RETRY, fault: { kind: 'away', at: { position }, milliseconds, times: 1 } };
  },
  lateRegion,
];

function again(random: Random, fault: Fault): Passing {
  const times = random.int(1, 3);
  return { cost: PAUSES[times] ?? 0, fault: { ...fault, times, skip: random.int(0, 3) } };
}

const often = (random: Random): { times?: number } => (random.chance(0.5) ? {} : { times: random.int(1, 5) });

function cutOnce(random: Random, position: number): Passing {
  const times = random.int(1, 3);
  const how = random.pick<Cut>(['fin', 'reset', 'clean']);
  return { cost: PAUSES[times] ?? 0, fault: { kind: 'cut', at: { position }, how, times } };
}

/** Each connection brings only so much, as from a server that drops them every few seconds. */
function cutAlways(random: Random): Passing {
  const after = random.magnitude(100_000, 3_000_000);
  return { cost: 250, fault: { kind: 'cut', at: { after }, how: random.pick<Cut>(['fin', 'reset']) } };
}

/** Heads that contradict the request or themselves: nobody may take such an answer. */
function wrong(random: Random): Lie {
  const by = random.magnitude(1, 100_000) * (random.chance(0.5) ? 1 : -1);
  return random.pick<Lie>([
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
function unusual(random: Random, size: number): Lie {
  const bytes = Math.max(1, Math.min(size, random.magnitude(100_000, 3_000_000)));
  return random.pick<Lie>([{ what: 'chunked' }, { what: 'no-length' }, { what: 'less', bytes }]);
}

function lateRegion(random: Random, first: number, size: number): Passing {
  const last = Math.min(size - 1, first + random.magnitude(1, 500_000));
  const status = random.pick([404, 503] as const);
  // A 404 is soon believed: an upstream that is merely late says so for a moment only.
  const milliseconds = status === 404 ? random.int(50, 600) : random.magnitude(100, 3_500);
  return { cost: milliseconds + RETRY, late: { first, last, milliseconds, status } };
}
