import { describe, expect, it } from 'vitest';
import { namesEpisodes, withEpisodeNames } from '../../../src/backends/nzb/episode-names.ts';
import { parseSubject } from '../../../src/backends/nzb/subject.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { postedFile } from '../../support/nzb.ts';
import { contentOf, EPISODE, streamable } from './lab.ts';

const NAME = 'Cured.Tower.S01.1080p.WEB.h264-OAKC';
const TOWER: MediaRequest = { ...EPISODE, title: 'Cured Tower' };

async function written(names: readonly string[]) {
  const nzb = await streamable([names.map((name) => postedFile(name, 20))], { request: TOWER, name: NAME });
  if ('lacking' in nzb) throw new Error('it lacks nothing');
  return nzb;
}

/** The names in the NZB as AltMount is given it. */
async function namesOf(names: readonly string[], request = TOWER) {
  const nzb = await written(names);
  const { files, metas } = await contentOf(withEpisodeNames(nzb.bytes, request));
  expect(files.map(({ segments }) => segments)).toEqual(nzb.content.files.map(({ segments }) => segments));
  expect(metas).toEqual(nzb.content.metas);
  return files.map(({ subject }) => parseSubject(subject).name);
}

describe('names of episodes in an NZB for AltMount', () => {
  it('get a prefix that it keeps where it would replace them by the name of the job', async () => {
    expect(await namesOf(['blue-tower-s01e01.mkv', 'tower.1x02.mkv', 'OAKC-TOWER-S01E03E04.MKV'])).toEqual([
      'Cured.Tower.S01E01.blue-tower-s01e01.mkv',
      'Cured.Tower.S01E02.tower.1x02.mkv',
      'Cured.Tower.S01E03E04.OAKC-TOWER-S01E03E04.MKV',
    ]);
  });

  it.each([
    'Cured.Tower.S01E01.1080p.mkv',
    'b6f1c2d49e0a4c7f8a35.mkv',
    'blue-tower.mkv',
    'blue-tower-s01e01.par2',
    'blue-tower-s01e01.part01.rar',
    'blue-tower-s01.mkv',
  ])('stay as they are: %s', async (name) => {
    expect(await namesOf([name])).toEqual([name]);
  });

  it('are changed in the subject alone, whatever characters stand in it', async () => {
    const odd = `blue & "tower" <s01e01> é.mkv`.replaceAll('"', "'");
    expect(await namesOf([odd])).toEqual([`Cured.Tower.S01E01.${odd}`]);
  });

  it('begin with a word that it keeps, where the title has no letters that it might', async () => {
    expect(await namesOf(['tower-s01e01.mkv'], { ...TOWER, title: 'Тень' })).toEqual([
      'Show.S01E01.tower-s01e01.mkv',
    ]);
    expect(await namesOf(['tower-s01e01.mkv'], { ...TOWER, title: 'É Tower: 2nd' })).toEqual([
      'E.Tower.2nd.S01E01.tower-s01e01.mkv',
    ]);
  });

  it('stay for a film', async () => {
    const film = { ...TOWER, kind: 'movie' } as const;
    expect(await namesOf(['tower-s01e01.mkv'], film)).toEqual(['tower-s01e01.mkv']);
  });

  it('tell an episode, or none does', async () => {
    expect(namesEpisodes((await written(['b6f1c2d4.mkv', 'tower-s01e01.mkv'])).bytes)).toBe(true);
    expect(namesEpisodes((await written(['b6f1c2d4.mkv', '0c9d1e2f.mkv', 'tower.par2'])).bytes)).toBe(false);
  });
});
