import { describe, expect, it } from 'vitest';
import { openReleaseIds } from '../../../src/search/match/release-ids.ts';
import { link, release } from '../../release/candidates.ts';

const one = (...guids: [string, ...string[]]) => {
  const [first, ...others] = guids.map((guid) => link({ guid })) as [ReturnType<typeof link>];
  return release({ links: [first, ...others] });
};

describe('row ids', () => {
  it('stay with a release to which links are added, in front as well', () => {
    const ids = openReleaseIds();
    const before = one('b');
    const after = one('a', 'b');
    const id = ids.of([before]).get(before);
    expect(id).toBeDefined();
    expect(ids.of([after]).get(after)).toBe(id);
  });

  it('are never the same for two releases, also when one becomes two or two become one', () => {
    const ids = openReleaseIds();
    const views = [
      [one('a', 'b')],
      [one('a'), one('b')],
      [one('a', 'b'), one('c')],
      [one('c'), one('d'), one('b')],
    ];
    for (const view of views) expect(new Set(ids.of(view).values()).size).toBe(view.length);
  });
});
