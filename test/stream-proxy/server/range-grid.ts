import { expect } from 'vitest';
import { virtualBytes } from '../../support/virtual-file.ts';
import { Connection } from './connection.ts';

const KIB = 1024;
const MAX = Number.MAX_SAFE_INTEGER;
const EDGES = [64 * KIB, 256 * KIB, KIB * KIB, 2 ** 31, 2 ** 32];
const around = (edge: number) => [edge - 1, edge, edge + 1];
export const SIZES = [1, 2, ...EDGES.flatMap(around), MAX - 1, MAX];
/** Bodies up to this many bytes are read to their end, others to here. */
const SHORT = 80 * KIB;

interface Case {
  readonly range: string | undefined;
  /** Both inclusive; undefined: 416. */
  readonly bytes: readonly [first: number, last: number] | undefined;
}

/** What each range means for a file of this size. By construction, not by parsing. */
export function casesOf(size: number): Case[] {
  const last = size - 1;
  const inside = [0, 1, 2, Math.floor(size / 2), ...EDGES.flatMap(around), size - 64 * KIB, size - 2, last];
  const starts = [...new Set(inside)].filter((at) => at >= 0 && at < size);
  const part = (first: number, to: number): Case => ({
    range: `bytes=${first}-${to}`,
    bytes: [first, Math.min(to, last)],
  });
  const suffixes = [1, 2, ...around(64 * KIB), ...around(KIB * KIB), last, size, size + 1].filter(
    (n) => n > 0,
  );
  return [
    { range: undefined, bytes: [0, last] },
    ...starts.flatMap((first) => [
      part(first, first),
      part(first, first + 1),
      part(first, first + 64 * KIB),
      part(first, last),
      part(first, MAX + 1),
      { range: `bytes=${first}-`, bytes: [first, last] } as const,
    ]),
    ...suffixes.map((n): Case => ({ range: `bytes=-${n}`, bytes: [Math.max(0, size - n), last] })),
    ...['-0', `${size}-`, `${size}-${size}`, `${size}-${BigInt(size) + 1n}`, `${'9'.repeat(20)}-`].map(
      (outside): Case => ({ range: `bytes=${outside}`, bytes: undefined }),
    ),
  ];
}

/** Asks a proxy for every range of a prepared virtual file, and holds each answer against what the range means. */
export async function expectEachRange(port: number, path: string, size: number): Promise<void> {
  let client = new Connection(port);
  for (const wanted of casesOf(size)) {
    client.send(`GET ${path}`, ...(wanted.range === undefined ? [] : [`Range: ${wanted.range}`]));
    await expectExactly(client, wanted, size);
    // The rest of a long answer is nobody's: hang up, as a player that seeks.
    if (wanted.bytes === undefined || wanted.bytes[1] - wanted.bytes[0] < SHORT) continue;
    await client.close();
    client = new Connection(port);
  }
  await client.close();
}

async function expectExactly(client: Connection, { range, bytes }: Case, size: number): Promise<void> {
  const head = await client.head();
  const told = (name: string) => head?.headers[name];
  expect([range, told('transfer-encoding'), told('content-encoding')]).toEqual([range, undefined, undefined]);
  if (bytes === undefined) {
    expect([range, head?.status, told('content-range'), told('content-length')]).toEqual([
      range,
      416,
      `bytes */${size}`,
      '0',
    ]);
    return;
  }
  const [first, last] = bytes;
  const length = last - first + 1;
  expect([range, head?.status, told('content-range'), told('content-length')]).toEqual([
    range,
    ...(range === undefined ? [200, undefined] : [206, `bytes ${first}-${last}/${size}`]),
    `${length}`,
  ]);
  const read = Math.min(length, SHORT);
  const body = await client.bytes(read);
  expect([range, body.equals(virtualBytes(first, first + read - 1))]).toEqual([range, true]);
}
