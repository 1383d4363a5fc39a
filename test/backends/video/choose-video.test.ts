import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseVideo, type JobFile } from '../../../src/backends/video/choose-video.ts';
import type { MediaRequest } from '../../../src/model/index.ts';

// All names are invented: open films, and groups that do not exist.
const film: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
const episode = (season: number, number: number, title = 'Caminandes'): MediaRequest => ({
  kind: 'episode',
  title,
  ids: {},
  episode: { season, episode: number, aired: '2019-03-04' },
});

const file = (path: string, size?: number): JobFile =>
  size === undefined ? { path: path.split('/') } : { path: path.split('/'), size };

function chosen(files: JobFile[], request: MediaRequest, folder = 'job'): string {
  const choice = chooseVideo(files, request, folder);
  return choice.kind === 'chosen' ? choice.file.path.join('/') : choice.reason;
}

describe('chooseVideo for a film', () => {
  it('takes the only long video, however deep', () => {
    const files = [file('a.mkv', 2), file('BDMV/STREAM/00001.m2ts', 30), file('c.rar', 99)];
    expect(chosen(files, film)).toBe('BDMV/STREAM/00001.m2ts');
    expect(chosen([...files, file('b.MP4', 20)], film)).toBe('ambiguous');
  });

  it('leaves out samples, extras and empty files, however large', () => {
    const files = [
      file('sintel.mkv', 10),
      file('sintel-sample.mkv', 20),
      file('sample.sintel.mkv', 20),
      file('Sample/sintel.mkv', 20),
      file('Featurettes/making.mkv', 20),
      file('Extras/deep/er.mkv', 20),
      file('Sintel-trailer.mkv', 20),
      file('empty.mkv', 0),
    ];
    expect(chosen(files, film)).toBe('sintel.mkv');
    expect(chosen(files.slice(1), film)).toBe('only-extras');
  });

  it('takes no word of the wanted title for an extra', () => {
    const request = { ...film, title: 'The Sample' };
    expect(chosen([file('The.Sample.2010.mkv', 10)], request)).toBe('The.Sample.2010.mkv');
    expect(chosen([file('Extras/S01E02.mkv', 10)], episode(1, 2, 'Extras'))).toBe('Extras/S01E02.mkv');
  });

  it('says when there is no video', () => {
    expect(chosen([], film)).toBe('no-video');
    expect(chosen([file('a.nfo', 10), file('b.mkv.par2', 10)], film)).toBe('no-video');
  });
});

describe('chooseVideo for an episode', () => {
  it('finds it in a pack, whatever is larger', () => {
    const files = [file('Show.S01E01.mkv', 30), file('Show.S01E02.mkv', 10), file('Show.S01E03.mkv', 20)];
    expect(chosen(files, episode(1, 2))).toBe('Show.S01E02.mkv');
    expect(chosen(files, episode(1, 4))).toBe('other-episodes');
  });

  it('asks the folder where the file does not say, the nearest first', () => {
    const files = [file('Show.S01E01/aaa.mkv', 30), file('Show.S01E02/bbb.mkv', 10)];
    expect(chosen(files, episode(1, 2), 'Show.S01.1080p-X')).toBe('Show.S01E02/bbb.mkv');
    expect(chosen([file('aaa.mkv', 1)], episode(1, 2), 'Show.S01E02-X')).toBe('aaa.mkv');
    expect(chosen([file('aaa.mkv', 1)], episode(1, 2), 'Show.S01E03-X')).toBe('other-episodes');
    expect(chosen([file('Show.S01E02.mkv', 1)], episode(1, 2), 'Show.S01E03-X')).toBe('Show.S01E02.mkv');
  });

  it('takes the largest of several copies, and the single episode before the double one', () => {
    const files = [file('a.1x02.mkv', 10), file('b.S01E02.mkv', 20), file('c.S01E01-E02.mkv', 90)];
    expect(chosen(files, episode(1, 2))).toBe('b.S01E02.mkv');
    expect(chosen(files.slice(2), episode(1, 2))).toBe('c.S01E01-E02.mkv');
  });

  it('takes one that does not say, and none of several', () => {
    expect(chosen([file('aaa.mkv', 1), file('sample.mkv', 9)], episode(1, 2))).toBe('aaa.mkv');
    expect(chosen([file('aaa.mkv', 1), file('bbb.mkv', 2)], episode(1, 2))).toBe('ambiguous');
    // A range in the folder's name does not tell which is which.
    expect(chosen([file('aaa.mkv', 1), file('bbb.mkv', 2)], episode(1, 2), 'S01E01-E10')).toBe('ambiguous');
  });

  it('never takes a file that names another episode', () => {
    const request = episode(1, 2);
    const names = fc.constantFrom(
      'Show.S01E01.mkv',
      'S01E02/Show.S01E03.mkv',
      'x.mkv',
      '2x02.mkv',
      'a/S01E02.mkv',
    );
    fc.assert(
      fc.property(fc.uniqueArray(names), fc.nat(), (paths, extra) => {
        const result = chosen(
          // An empty file is no video, whatever its name.
          paths.map((path, i) => file(path, 1 + extra + i)),
          request,
        );
        expect(result).not.toMatch(/S01E01|S01E03|2x02/);
        if (paths.includes('a/S01E02.mkv')) expect(result).toBe('a/S01E02.mkv');
      }),
    );
  });
});
