import { describe, expect, it } from 'vitest';
import type { JobFile } from '../../src/job-files/files.ts';
import { packEpisodes } from '../../src/job-files/pack-episodes.ts';

const file = (path: string, size = 900): JobFile => ({ path: path.split('/'), size });

const held = (job: string, ...files: (string | JobFile)[]) =>
  packEpisodes(
    files.map((each) => (typeof each === 'string' ? file(each) : each)),
    job,
  ).map(({ season, episode, file: { path } }) => `${season}x${episode} ${path.join('/')}`);

describe('packEpisodes', () => {
  it('tells each episode once, in order, without samples and extras', () => {
    expect(
      held(
        'Show.S01',
        'Show.S01E02.mkv',
        'Show.S01E01.mkv',
        'Sample/Show.S01E03.mkv',
        'Extras/S01E04.mkv',
        'a.nfo',
      ),
    ).toEqual(['1x1 Show.S01E01.mkv', '1x2 Show.S01E02.mkv']);
  });

  it('takes the season of the folder or of the job', () => {
    expect(held('x', 'Season 2/01.mkv', 'Season 2/02.mkv', 'Specials/01.mkv')).toEqual([
      '0x1 Specials/01.mkv',
      '2x1 Season 2/01.mkv',
      '2x2 Season 2/02.mkv',
    ]);
    expect(held('Show.S03.1080p', '01 - A.mkv', '02 - B.mkv')).toEqual(['3x1 01 - A.mkv', '3x2 02 - B.mkv']);
  });

  it('prefers a file of its own, then the largest', () => {
    expect(
      held('x', file('S01E01-E02.mkv', 9000), file('a/S01E02.mkv', 500), file('b/S01E02.mkv', 900)),
    ).toEqual(['1x1 S01E01-E02.mkv', '1x2 b/S01E02.mkv']);
  });

  it('tells nothing that is not sure', () => {
    expect(held('Show.S01', 'aaa.mkv', 'bbb.mkv')).toEqual([]);
    expect(held('Show', '[X] Show - 01.mkv', '[X] Show - 02.mkv')).toEqual([]);
    expect(held('Show.S01-S02', '01.mkv', '02.mkv')).toEqual([]);
    expect(held('Show.S01', '101.mkv', '102.mkv')).toEqual([]);
    expect(held('Show', 'Show.2019.03.04.mkv', 'Show.2019.03.05.mkv')).toEqual([]);
    expect(held('Show.S01D01', 'BDMV/STREAM/00001.m2ts', 'BDMV/STREAM/00002.m2ts')).toEqual([]);
    expect(held('x')).toEqual([]);
  });
});
