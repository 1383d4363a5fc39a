import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobFile } from '../../src/job-files/files.ts';
import { subtitlesFor } from '../../src/job-files/subtitles.ts';

const file = (path: string, size = 1000): JobFile => ({ path: path.split('/'), size });

/** The subtitles of the first of the paths. */
function found(...paths: string[]): string[] {
  const [video, ...rest] = paths.map((path) => file(path));
  if (video === undefined) return [];
  return subtitlesFor([...rest, video], video).map(({ path }) => path.join('/'));
}

describe('subtitlesFor a lone video', () => {
  it('finds those with its name, with and without a language, in a fixed order', () => {
    const names = ['Sintel.de.srt', 'Sintel.en.forced.ass', 'Sintel.srt', 'Sintel_fr.vtt', 'Sintel-nl.SSA'];
    const expected = [
      'Sintel-nl.SSA',
      'Sintel.de.srt',
      'Sintel.en.forced.ass',
      'Sintel.srt',
      'Sintel_fr.vtt',
    ];
    expect(found('Sintel.mkv', ...names).toSorted()).toEqual(expected.toSorted());
    expect(found('Sintel.mkv', ...names)).toEqual(found('Sintel.mkv', ...names.toReversed()));
  });

  it.each(['Subs', 'subs', 'Sub', 'Subtitles', 'SUBTITLE', 'VobSubs', 'Untertitel'])(
    'looks into %s',
    (folder) => {
      expect(found('Sintel.mkv', `${folder}/2_English.srt`)).toEqual([`${folder}/2_English.srt`]);
      expect(found('Sintel.mkv', `${folder}/Sintel/2_English.srt`)).toEqual([
        `${folder}/Sintel/2_English.srt`,
      ]);
      expect(found('Sintel/a.mkv', `${folder}/English/b.srt`)).toEqual([`${folder}/English/b.srt`]);
      expect(found('deep/a.mkv', `deep/${folder}/b.srt`)).toEqual([`deep/${folder}/b.srt`]);
    },
  );

  it('takes what stands beside it whatever its name, but not what stands elsewhere', () => {
    expect(found('9f8e7d6c.mkv', 'english.srt', 'other/german.srt')).toEqual(['english.srt']);
    expect(found('a/9f8e7d6c.mkv', 'b/Subs/german.srt', 'german.srt')).toEqual([]);
  });

  it('counts as people do', () => {
    expect(found('a.mkv', 'Subs/10_French.srt', 'Subs/2_English.srt', 'Subs/3_Dutch.srt')).toEqual([
      'Subs/2_English.srt',
      'Subs/3_Dutch.srt',
      'Subs/10_French.srt',
    ]);
  });

  it('leaves the .sub of a pair to the player, which finds it by the .idx', () => {
    expect(found('a.mkv', 'a.idx', 'a.sub')).toEqual(['a.idx']);
    expect(found('a.mkv', 'a.IDX', 'a.SUB')).toEqual(['a.IDX']);
    expect(found('a.mkv', 'a.idx')).toEqual([]);
    expect(found('a.mkv', 'a.sub')).toEqual(['a.sub']);
    expect(found('a.mkv', 'Subs/a.idx', 'a.sub')).toEqual(['a.sub']);
  });

  it('takes nothing else, and nothing empty', () => {
    expect(found('a.mkv', 'a.nfo', 'a.txt', 'a.jpg', 'a.srt.par2', 'a.rar')).toEqual([]);
    const video = file('a.mkv');
    expect(subtitlesFor([video, file('a.srt', 0)], video)).toEqual([]);
  });

  it('puts large pictures last, and stops somewhere', () => {
    expect(found('b.mkv', 'b.a.sup', 'b.z.srt')).toEqual(['b.z.srt', 'b.a.sup']);
    const many = Array.from({ length: 500 }, (_, at) => `Subs/${at}_Language.srt`);
    const some = found('b.mkv', ...many);
    expect(some).toEqual(many.slice(0, some.length));
    expect(some.length).toBe(40);
  });

  it('does not give it what belongs to its trailer', () => {
    expect(found('Sintel.mkv', 'Sintel-trailer.mp4', 'Sintel-trailer.srt', 'Sintel.srt', 'x.srt')).toEqual([
      'Sintel.srt',
      'x.srt',
    ]);
  });
});

describe('subtitlesFor an episode of a pack', () => {
  const one = 'Show.S01E01.1080p-X.mkv';
  const two = 'Show.S01E02.1080p-X.mkv';

  it('takes those of its name', () => {
    const subs = ['Show.S01E01.1080p-X.en.srt', 'Show.S01E02.1080p-X.en.srt'];
    expect(found(two, one, ...subs)).toEqual(['Show.S01E02.1080p-X.en.srt']);
    expect(found(two, one, ...subs.map((name) => `Subs/${name}`))).toEqual([
      'Subs/Show.S01E02.1080p-X.en.srt',
    ]);
  });

  it('takes those in the folder of its name', () => {
    const subs = ['Subs/Show.S01E01.1080p-X/2_English.srt', 'Subs/Show.S01E02.1080p-X/2_English.srt'];
    expect(found(two, one, ...subs)).toEqual([subs[1]]);
  });

  it('knows its episode where the rest of the name differs', () => {
    expect(found(two, one, 'Subs/S01E02.srt', 'Subs/1x01.srt', 'Subs/show 1x02 de.srt')).toEqual([
      'Subs/S01E02.srt',
      'Subs/show 1x02 de.srt',
    ]);
    expect(found('Season 1/02.mkv', 'Season 1/01.mkv', 'Season 1/02.en.srt', 'Season 1/01.en.srt')).toEqual([
      'Season 1/02.en.srt',
    ]);
    expect(found('Show.2019.03.04.mkv', 'Show.2019.03.05.mkv', '2019-03-05.srt', '2019-03-04.srt')).toEqual([
      '2019-03-04.srt',
    ]);
  });

  it('takes none that does not say whose it is', () => {
    expect(found(two, one, 'english.srt', 'Subs/2_English.srt')).toEqual([]);
    expect(found(`a/${two}`, `b/${one}`, 'a/english.srt', 'b/english.srt', 'a/Subs/x.srt')).toEqual([
      'a/english.srt',
      'a/Subs/x.srt',
    ]);
  });

  it('takes none that names another episode, though it be alone', () => {
    expect(found(two, 'Show.S01E03.srt', 'Show.S02E02.srt')).toEqual([]);
  });

  it('takes the longest name that fits', () => {
    const films = ['Caminandes.2.mkv', 'Caminandes.2.en.srt', 'Caminandes.en.srt'];
    expect(found('Caminandes.mkv', ...films)).toEqual(['Caminandes.en.srt']);
    expect(found('Caminandes2.mkv', 'Caminandes.mkv', 'Caminandes2.srt')).toEqual(['Caminandes2.srt']);
    expect(found('Caminandes.mkv', 'Caminandes2.mkv', 'Caminandes2.srt')).toEqual([]);
  });
});

it('gives the same whatever the order, each file once, subtitles only', () => {
  const part = fc.constantFrom('a', 'Subs', 'Show.S01E01', 'Show.S01E02', 'en', '02');
  const ending = fc.constantFrom('.mkv', '.srt', '.idx', '.sub', '.sup', '.en.srt');
  const path = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), ending)
    .map(([p, e]) => p.join('/') + e);
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 30 }), fc.integer(), (paths, turn) => {
      const files = paths.map((each) => file(each));
      const video = files.find(({ path: parts }) => parts.at(-1)?.endsWith('.mkv'));
      fc.pre(video !== undefined);
      const first = subtitlesFor(files, video);
      const at = Math.abs(turn) % files.length;
      expect(subtitlesFor([...files.slice(at), ...files.slice(0, at)].toReversed(), video)).toEqual(first);
      expect(new Set(first).size).toBe(first.length);
      for (const each of first) expect(each.path.at(-1)).toMatch(/\.(?:srt|idx|sub|sup)$/);
    }),
  );
});
