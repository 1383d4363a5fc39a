import type { Region } from '../../../support/fault-server/index.ts';
import type { Random } from '../../../support/random.ts';
import type { Step } from '../scenario.ts';

/**
 * Requests that a player hardly sends and a proxy must get right, with what RFC 9110 §14 makes of them. Written without
 * the proxy's own arithmetic, and as text: the numbers may pass 2^53.
 */
export function* oddRequests(random: Random, size: number): Iterable<Step & { readonly do: 'ask' }> {
  const table = oddRanges(size);
  for (let asks = random.int(3, 8); asks > 0; asks--) {
    const [range, expect] = random.pick(table);
    const kind = random.int(0, 9);
    if (kind === 0) yield { do: 'ask', method: 'HEAD', headers: { range }, expect: 'all' };
    else if (kind === 1)
      yield { do: 'ask', method: 'GET', headers: { range, 'if-range': '"of another file"' }, expect: 'all' };
    else yield { do: 'ask', method: 'GET', headers: { range }, expect };
  }
}

type Row = readonly [range: string, expect: Region | 'all' | 'none'];

function oddRanges(size: number): readonly [Row, ...Row[]] {
  const last = size - 1;
  const beyond = (by: bigint) => String(BigInt(size) + by);
  return [
    ['bytes=0-0', { first: 0, last: 0 }],
    ['BYTES=0-0', { first: 0, last: 0 }],
    ['bytes=0-0,', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last }],
    [`bytes=${last}-`, { first: last, last }],
    [`bytes=${last}-${last}`, { first: last, last }],
    [`bytes=${last}-${beyond(99n)}`, { first: last, last }],
    ['bytes=0-99999999999999999999999', { first: 0, last }],
    ['bytes=-1', { first: last, last }],
    [`bytes=-${size}`, { first: 0, last }],
    [`bytes=-${beyond(10n)}`, { first: 0, last }],
    ['bytes=-99999999999999999999999', { first: 0, last }],
    ['bytes=-0', 'none'],
    [`bytes=${size}-`, 'none'],
    [`bytes=${beyond(5n)}-${beyond(9n)}`, 'none'],
    ['bytes=99999999999999999999999-', 'none'],
    ['bytes=5-2', 'all'],
    [`bytes=${beyond(9n)}-${beyond(5n)}`, 'all'],
    ['bytes=a-b', 'all'],
    ['bytes=', 'all'],
    ['bytes=-', 'all'],
    ['bytes=--5', 'all'],
    ['bytes=1-2-3', 'all'],
    ['bytes=+1-2', 'all'],
    ['bytes=0x1-2', 'all'],
    ['bytes 0-5', 'all'],
    ['bytes=0-0,2-2', 'all'],
    ['chars=0-5', 'all'],
    ['0-5', 'all'],
  ];
}
