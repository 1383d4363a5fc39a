import type { Fill, Hole } from './fill-types.ts';

/** A fill of zeros; `why` is a line for people. */
export function zeroFill({ first, last }: Hole, why: string): Fill {
  return { first, last, how: `zeros: ${why}`, pattern: new Uint8Array(1), pieces: [] };
}
