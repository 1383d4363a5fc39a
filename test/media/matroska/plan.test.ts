import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hole } from '../../../src/media/fill.ts';
import { inMemory, patched, plan } from '../holes.ts';
import {
  elementsOf,
  type FilmShape,
  film,
  isBlock,
  isCluster,
  isHead,
  isTimestamp,
  type Node,
} from './film.ts';

const MKV = 'video/x-matroska';

interface Wanted {
  readonly shape: FilmShape;
  /** Whether the hole begins near the border of an element, or anywhere. */
  readonly near: boolean;
  readonly at: number;
  readonly offset: number;
  readonly length: number;
}

const wanted: fc.Arbitrary<Wanted> = fc.record({
  shape: fc.record({ seed: fc.nat(), live: fc.boolean() }),
  near: fc.boolean(),
  at: fc.nat(),
  offset: fc.integer({ min: -12, max: 12 }),
  length: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 20_000 })),
});

function holeIn(bytes: Buffer, { near, at, offset, length }: Wanted): Hole {
  const starts = elementsOf(bytes).map(({ start }) => start);
  const from = near ? (starts[at % starts.length] ?? 0) + offset : at % bytes.length;
  const first = Math.min(Math.max(1, from), bytes.length - 2);
  return { first, last: Math.min(first + length - 1, bytes.length - 2) };
}

const touches = (node: Node, hole: Hole) => node.start <= hole.last && hole.first < node.end;

/** Blocks that no bridge needs to take: what says their time is there, and in which Cluster they are. */
function survivors(nodes: readonly Node[], hole: Hole): Node[] {
  return nodes.filter((node) => {
    const cluster = node.parents.find(isCluster);
    if (!isBlock(node) || cluster === undefined) return false;
    const outer = node.parents[node.parents.indexOf(cluster) + 1] ?? node;
    if (touches(outer, hole)) return false;
    if (outer.end <= hole.first) return true;
    const timestamp = nodes.find((each) => isTimestamp(each) && each.parents.includes(cluster));
    const head = { ...cluster, end: timestamp?.end ?? cluster.data };
    return !touches(head, hole) && (cluster.start > hole.last || cluster.end !== Infinity);
  });
}

const key = ({ id, start, end }: Node) => `${id} ${start}-${end}`;

describe('a bridge in a Matroska file', () => {
  it('leaves a file that reads from the Segment to its end, in which nothing more is lost than must be', async () => {
    let bridged = 0;
    let zeroed = 0;
    await fc.assert(
      fc.asyncProperty(wanted, async (wish) => {
        const bytes = film(wish.shape);
        const hole = holeIn(bytes, wish);
        const nodes = elementsOf(bytes);
        const fill = await plan(MKV, inMemory(bytes), hole);
        const takesHead = nodes.some((node) => isHead(node) && touches(node, hole));
        const clusters = nodes.find(isCluster)?.start ?? 0;
        if ('refused' in fill) {
          expect(hole.first).toBeLessThan(clusters);
          return;
        }
        expect(takesHead).toBe(false);
        expect(fill).toMatchObject(hole);
        const result = patched(bytes, fill);
        if (fill.how.startsWith('zeros: ')) {
          zeroed += Number(hole.last - hole.first > 500);
          return;
        }
        bridged += 1;
        const read = new Set(elementsOf(result).map(key));
        const lost = survivors(nodes, hole).filter((node) => !read.has(key(node)));
        expect(lost.map(key)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
    console.log({ bridged, zeroed });
    expect(zeroed).toBeLessThan(bridged / 20);
  }, 120_000);
});
