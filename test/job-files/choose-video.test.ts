import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseVideo, type JobFile } from '../../src/job-files/choose-video.ts';
import { type NoVideoReason, noVideoError } from '../../src/job-files/no-video.ts';
import { packEpisodes } from '../../src/job-files/pack-episodes.ts';
import { subtitlesFor } from '../../src/job-files/subtitles.ts';
import type { MediaRequest } from '../../src/model/index.ts';

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

describe('names that AltMount gives', () => {
  const job = 'Cured.Tower.S01.1080p.WEB.h264-OAKC-0a1b2c3d';
  const called = (...names: string[]) => names.map((name, at) => file(`${job}/${name}`, 30 + at));
  const tower = (number: number) => episode(1, number, 'Cured Tower');

  it('tell nothing of the episode, with a number or without', () => {
    const all = called(`${job}.mkv`, `${job}_1.mkv`, `${job}_2.mkv`);
    for (const number of [1, 2, 3]) expect(chosen(all, tower(number), job)).toBe('untold-episodes');
    expect(packEpisodes(all, job)).toEqual([]);
    // Neither does one of them beside a file that tells.
    const clear = file('Cured.Tower.S01E03.1080p.mkv', 30);
    expect(chosen([...all.slice(0, 2), clear], tower(1), job)).toBe('untold-episodes');
    expect(chosen([...all.slice(0, 2), clear], tower(3), job)).toBe('Cured.Tower.S01E03.1080p.mkv');
  });

  it('count where they are not the name of the job', () => {
    const all = ['Show_1.mkv', 'Show_2.mkv'].map((name) => file(name, 30));
    expect(chosen(all, episode(1, 2, 'Show'), 'Show.S01-0a1b2c3d')).toBe('Show_2.mkv');
  });

  it('are right where the job is one episode, or holds one video', () => {
    const one = 'Cured.Tower.S01E02.1080p-OAKC-0a1b2c3d';
    const two = [file(`${one}.mkv`, 30), file(`${one}_1.mkv`, 200)];
    expect(chosen(two, tower(2), one)).toBe(`${one}_1.mkv`);
    expect(chosen(two, tower(3), one)).toBe('other-episodes');
    expect(chosen([file(`${one}.mkv`, 30)], tower(2), one)).toBe(`${one}.mkv`);
  });

  it('are no film that is far smaller than another one', () => {
    const film2 = { ...film, title: 'Das Drachenkind' };
    const sized = (size: number) => [file(`${job}.mkv`, size), file('Durian.2010.mkv', 100)];
    expect(chosen(sized(12), film2, job)).toBe('ambiguous');
    expect(chosen(sized(80), film2, job)).toBe(`${job}.mkv`);
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
    expect(chosen([file('aaa.mkv', 1), file('bbb.mkv', 2)], episode(1, 2))).toBe('untold-episodes');
    // A range in the folder's name does not tell which is which.
    expect(chosen([file('aaa.mkv', 1), file('bbb.mkv', 2)], episode(1, 2), 'S01E01-E10')).toBe(
      'untold-episodes',
    );
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

describe('chooseVideo, whatever the files', () => {
  const word = fc.constantFrom(
    'Caminandes',
    'Sintel',
    'S01E01',
    'S01E02',
    'S02E02',
    '1x03',
    'Season 1',
    'E02',
    '02',
    '- 07',
    'Part 1',
    'cd2',
    'Llama Drama',
    '2019.03.04',
    '2010',
    '1080p',
    'sample',
    'Extras',
    'trailer',
    'BDMV',
    'STREAM',
    'x264-OPEN',
    '9f8e7d6c5b4a',
  );
  const part = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('.'));
  const ending = fc.constantFrom('.mkv', '.mkv', '.mp4', '.m2ts', '.VOB', '.srt', '.iso', '');
  const someFile: fc.Arbitrary<JobFile> = fc
    .tuple(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      ending,
      fc.option(fc.nat(1e10), { nil: undefined }),
    )
    .map(([parts, end, size]) => file(parts.join('/') + end, size));
  const someFiles = fc.uniqueArray(someFile, { maxLength: 12, selector: ({ path }) => path.join('/') });
  const request = fc.constantFrom(film, episode(1, 2), episode(2, 2), episode(0, 1), {
    ...episode(2, 2),
    anime: true,
    absoluteEpisode: 7,
  });

  it('never takes a file whose own name is that of another episode', () => {
    const wanted = episode(1, 2);
    fc.assert(
      fc.property(someFiles, part, (files, job) => {
        const choice = chooseVideo(files, wanted, job);
        if (choice.kind === 'none') return;
        const name = choice.file.path.at(-1) ?? '';
        // One that tells several episodes may hold the wanted one.
        if (/(?<!S\d\d)E02|\.02|1x03|- 07/.test(name)) return;
        const codes = Array.from(name.matchAll(/S0(\d)E0(\d)/g), ([code]) => code);
        expect(codes.length === 0 || codes.includes('S01E02'), name).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never takes a sample, an extra, an empty file, or what is no video', () => {
    fc.assert(
      fc.property(someFiles, request, part, (files, wanted, job) => {
        const choice = chooseVideo(files, wanted, job);
        if (choice.kind === 'none') return;
        expect(choice.file.size).not.toBe(0);
        expect(choice.file.path.at(-1)).toMatch(/\.(?:mkv|mp4|m2ts|VOB)$/);
        expect(choice.file.path.at(-1)).not.toMatch(/\bsample\b/);
        expect(choice.file.path.slice(0, -1)).not.toContain('Extras');
      }),
      { numRuns: 500 },
    );
  });

  it('takes the same whatever the order', () => {
    fc.assert(
      fc.property(
        someFiles.chain((files) =>
          fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })),
        ),
        request,
        part,
        ([files, shuffled], wanted, job) => {
          expect(chooseVideo(shuffled, wanted, job)).toEqual(chooseVideo(files, wanted, job));
          expect(packEpisodes(shuffled, job)).toEqual(packEpisodes(files, job));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('survives any name, at once', () => {
    const piece = fc.oneof(
      word,
      fc.string(),
      fc.constantFrom('s01e', '- 1', '[', '1x', '.', '{{', '第1', '(2019.'),
    );
    const wild = fc
      .tuple(fc.array(piece, { maxLength: 12 }), fc.nat(2000))
      .map(([pieces, times]) => `${pieces.join('')}${(pieces[0] ?? '').repeat(times)}`);
    const wildFile = fc
      .tuple(wild, fc.constantFrom('.mkv', '.srt'))
      .map(([name, end]) => ({ path: [...name.split('/'), `a${name}${end}`], size: 1 }));
    fc.assert(
      fc.property(fc.array(wildFile, { maxLength: 4 }), request, wild, (files, wanted, job) => {
        const { kind } = chooseVideo(files, wanted, job);
        expect(['chosen', 'none']).toContain(kind);
        for (const each of files) subtitlesFor(files, each);
        packEpisodes(files, job);
      }),
    );
  });
});

describe('noVideoError', () => {
  it('says for each reason what is there, and what to do', () => {
    const reasons = [
      'no-video',
      'disc-image',
      'only-extras',
      'other-episodes',
      'episodes',
      'other-film',
      'in-parts',
      'untold-episodes',
      'ambiguous',
    ];
    const errors = reasons.map((reason) => noVideoError({ reason: reason as NoVideoReason }, 7));
    expect(new Set(errors.map(({ explanation }) => explanation.what)).size).toBe(reasons.length);
    for (const { code, message, explanation } of errors) {
      expect(code).toBe('NO_VIDEO');
      expect(message).toMatch(/7 files/);
      expect(explanation.what).toMatch(/^The release .*\.$/);
      expect(explanation.next).toBe('Try another release.');
    }
  });
});
