import type { Fault, Region } from '../../../support/fault-server/index.ts';
import type { Random } from '../../../support/random.ts';
import type { FilePlan } from '../scenario.ts';
import { placeIn } from './place.ts';

/** Trouble that does not pass, or cannot be told from it: connections may end, but no byte may be wrong. */
export function lasting(
  random: Random,
  { size }: FilePlan,
  spans: readonly Region[],
  hasValidators: boolean,
): Fault {
  const at = { position: placeIn(random, spans) };
  const skip = random.int(0, 4);
  const times = random.chance(0.5) ? {} : { times: random.int(1, 4) };
  return random.pick<Fault>([
    {
      kind: 'change',
      at,
      times: 1,
      ...(hasValidators && random.chance(0.6) ? {} : { size: otherSize(random, size) }),
    },
    { kind: 'change', at, times: 1, ...(hasValidators ? {} : { size: otherSize(random, size) }) },
    { kind: 'status', status: random.pick([401, 403, 401, 410, 401, 416]), skip, ...times },
    { kind: 'status', status: random.pick([500, 503, 404]), skip },
    { kind: 'lie', lie: { what: 'whole' }, skip, ...times },
    { kind: 'lie', lie: { what: 'size', by: random.pick([-1, 1, 1000]) }, skip, ...times },
    { kind: 'lie', lie: { what: random.pick(['etag', 'last-modified']) }, skip, ...times },
    { kind: 'lie', lie: { what: 'first', by: 1 }, skip },
    { kind: 'cut', at, how: random.pick(['fin', 'reset']) },
    { kind: 'stall', at, milliseconds: 60_000 },
    { kind: 'late-head', milliseconds: 60_000, skip },
    { kind: 'away', at, milliseconds: 20_000, times: 1 },
  ]);
}

/** A little smaller or larger; never beyond 2^53 - 1. */
function otherSize(random: Random, size: number): number {
  const by = random.magnitude(1, 100_000);
  const larger = size + by <= Number.MAX_SAFE_INTEGER && (by >= size || random.chance(0.5));
  return larger ? size + by : size - by;
}
