import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../src/model/index.ts';
import { fallbacksOf } from '../../src/selection/successors.ts';
import { candidate, link, release } from '../release/candidates.ts';

const named = (name: string, guid = name, rejections: readonly string[] = []): Candidate =>
  candidate(release({ name, links: [link({ guid })] }), rejections);

/** Names, or guids where those tell more, in the order in which they are tried. */
function order(chosen: Candidate, ranked: readonly Candidate[]): string[] {
  const successors = fallbacksOf(chosen.release);
  const tried: string[] = [];
  // One that comes back for ever is to be seen, not waited for.
  while (tried.length <= ranked.length) {
    const next = successors.next(ranked);
    if (next === undefined) break;
    tried.push(next.links[0].guid);
  }
  return tried;
}

describe('what is tried after the chosen release', () => {
  const [first, second, third, fourth] = [named('A'), named('B'), named('C'), named('D')];
  const ranked = [first, second, third, fourth] as Candidate[];

  test('goes down the list from there, then back to what was passed over', () => {
    expect(order(ranked[0]!, ranked)).toEqual(['B', 'C', 'D']);
    expect(order(ranked[2]!, ranked)).toEqual(['D', 'A', 'B']);
  });

  test('begins with other posts of the same release, wherever they stand', () => {
    const chosen = named('Sintel.2010.1080p-INV', '1');
    const twin = named('sintel 2010 1080p-INV', '2');
    expect(order(chosen, [named('A'), chosen, named('B'), twin])).toEqual(['2', 'B', 'A']);
  });

  test('leaves out what the filters rejected, also after a choice of something rejected', () => {
    const rejected = named('R', 'R', ['too large']);
    expect(order(ranked[0]!, [ranked[0]!, rejected, ranked[1]!])).toEqual(['B']);
    expect(order(rejected, [ranked[0]!, ranked[1]!, rejected])).toEqual(['A', 'B']);
  });

  test('leaves out what nobody but the person may choose', () => {
    const successors = fallbacksOf(ranked[0]!.release, ({ name }) => name !== 'B');
    expect(successors.remaining(ranked).map(({ name }) => name)).toEqual(['C', 'D']);
  });

  test('leaves what has failed for when nothing else will come', () => {
    const successors = fallbacksOf(
      ranked[0]!.release,
      () => true,
      ({ name }) => name !== 'D',
    );
    expect(successors.remaining(ranked).map(({ name }) => name)).toEqual(['D']);
    expect([1, 2].map(() => successors.next(ranked)?.name)).toEqual(['D', undefined]);
    expect([1, 2, 3].map(() => successors.nextFailed(ranked)?.name)).toEqual(['B', 'C', undefined]);
  });

  test('takes in what came later, and no release twice when a source has added a link to it', () => {
    const successors = fallbacksOf(ranked[0]!.release);
    expect(successors.next([ranked[0]!, ranked[1]!])?.name).toBe('B');
    const merged = candidate(release({ name: 'B', links: [link({ guid: 'other' }), link({ guid: 'B' })] }));
    expect(successors.next([ranked[0]!, merged])).toBeUndefined();
    expect(successors.next([named('new'), ranked[0]!, merged])?.name).toBe('new');
  });

  test('gives each that passes exactly once, in any list', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), fc.nat(29), (passes, at) => {
        const list = passes.map((passed, n) => named(`N${n}`, `N${n}`, passed ? [] : ['no']));
        const chosen = list[at % list.length]!;
        const tried = order(chosen, list);
        const wanted = list.filter((one) => one !== chosen && one.rejections.length === 0);
        expect([...tried].sort()).toEqual(wanted.map(({ release: { links } }) => links[0].guid).sort());
      }),
    );
  });
});
