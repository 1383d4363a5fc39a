import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESOLUTIONS } from '../../src/model/index.ts';
import { rankCandidates } from '../../src/release/index.ts';
import { candidate, release } from './candidates.ts';

const one = (
  guid: string,
  resolution?: (typeof RESOLUTIONS)[number],
  size?: number,
  rejections: string[] = [],
) =>
  candidate(
    release({ guid, ...(size !== undefined && { size }) }, resolution === undefined ? {} : { resolution }),
    rejections,
  );

const guids = (candidates: ReturnType<typeof rankCandidates>) =>
  candidates.map(({ release: { guid } }) => guid);

describe('rankCandidates', () => {
  it('puts resolution before size, unknown last of its kind, rejected last of all', () => {
    const ranked = rankCandidates([
      one('rejected', '2160p', 99, ['Too large']),
      one('no resolution', undefined, 99),
      one('480', '480p', 99),
      one('576', '576p', 1),
      one('720', '720p', 1),
      one('1080 without size', '1080p'),
      one('1080 small', '1080p', 1),
      one('1080 large', '1080p', 2),
      one('2160', '2160p', 1),
    ]);
    expect(guids(ranked)).toEqual([
      '2160',
      '1080 large',
      '1080 small',
      '1080 without size',
      '720',
      '576',
      '480',
      'no resolution',
      'rejected',
    ]);
  });

  it('keeps the order of equals and leaves its input alone', () => {
    const input = [one('a', '720p', 5), one('b', '1080p', 5), one('c', '720p', 5), one('d', '720p', 5)];
    expect(guids(rankCandidates(input))).toEqual(['b', 'a', 'c', 'd']);
    expect(guids(input)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is a permutation, and ranking twice changes nothing', () => {
    const any = fc.record({
      guid: fc.uuid(),
      resolution: fc.option(fc.constantFrom(...RESOLUTIONS), { nil: undefined }),
      size: fc.option(fc.nat(), { nil: undefined }),
      rejected: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(any), (list) => {
        const input = list.map(({ guid, resolution, size, rejected }) =>
          one(guid, resolution, size, rejected ? ['x'] : []),
        );
        const ranked = rankCandidates(input);
        expect(new Set(ranked)).toEqual(new Set(input));
        expect(rankCandidates(ranked)).toEqual(ranked);
      }),
    );
  });
});
