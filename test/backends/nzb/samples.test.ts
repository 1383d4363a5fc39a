import { expect, it } from 'vitest';
import { parseSubject } from '../../../src/backends/nzb/subject.ts';
import { postedFile, type WrittenFile } from '../../support/nzb.ts';
import { EPISODE, FILM, streamable } from './lab.ts';

/** The names that are handed over. */
async function left(files: readonly WrittenFile[], options = {}): Promise<readonly (string | undefined)[]> {
  const nzb = await streamable([files], options);
  if ('lacking' in nzb) throw new Error('it lacks nothing');
  expect(nzb).toMatchObject({
    fileCount: nzb.content.files.length,
    segmentCount: nzb.content.files.reduce((sum, { segments }) => sum + segments.length, 0),
  });
  return nzb.content.files.map(({ subject }) => parseSubject(subject).name);
}

const files = (...names: string[]) => names.map((name) => postedFile(name, 20));
const VOLUMES = ['sintel.part1.rar', 'sintel.part2.rar', 'sintel.part3.rar', 'sintel.part4.rar'];

it.each([
  'sample.mkv',
  'durian-sintel-sample.mkv',
  'sintel.sample.vol0+1.par2',
  'sintel-proof.part1.rar',
  'sintel.proof.jpg',
  'Sample/sintel.mkv',
])('leaves out %s', async (name) => {
  expect(await left([...files(...VOLUMES), postedFile(name, 3)])).toEqual(VOLUMES);
});

it.each(['resampled.mkv', 'proofread.mkv', 'sintel-trailer.mkv', 'sintel.nfo', 'b6f1c2d49e0a4c7f8a35'])(
  'leaves %s where it is',
  async (name) => {
    expect(await left([...files(...VOLUMES), postedFile(name, 3)])).toEqual([...VOLUMES, name]);
  },
);

it('takes a film whose title holds the word for none, and its sample for one', async () => {
  const request = { ...FILM, title: 'Burden of Proof' };
  const film = files('burden.of.proof.2010.part1.rar', 'burden.of.proof.2010.part2.rar');
  const own = film.map(({ subject }) => parseSubject(subject).name);
  const all = [...film, postedFile('burden.of.proof.2010.proof.rar', 3), postedFile('proof-sample.mkv', 3)];
  const name = 'Burden.of.Proof.2010.1080p-DURIAN';
  expect(await left(all, { request, name })).toEqual(own);
  // Also where it is asked for by a title of another language.
  expect(await left(all, { request: { ...FILM, title: 'Beweislast' }, name })).toEqual(own);
  const show = { request: { ...EPISODE, title: 'Free Sample' }, name: 'Free.Sample.S01E02.1080p-ANDES' };
  expect(await left(files('free.sample.s01e02.mkv'), show)).toEqual(['free.sample.s01e02.mkv']);
});

it('never leaves out the video, nor most of the post', async () => {
  const named = ['sintel-sample.mkv', 'sintel-sample.nfo'];
  expect(await left(files(...named))).toEqual(named);
  const mostly = [postedFile('sintel-sample.mkv', 40), postedFile('sintel-clip.mkv', 20)];
  expect(await left(mostly)).toEqual(['sintel-sample.mkv', 'sintel-clip.mkv']);
});
