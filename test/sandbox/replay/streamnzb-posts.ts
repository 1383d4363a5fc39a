import { DirectPost } from '../../../sandbox/direct-stream/post.ts';
import type { CatalogueRelease, Title } from '../../../sandbox/index.ts';
import { post, video } from './lab.ts';

// The posts that the real StreamNZB had behind it, in the order of its lists.

const title = (kind: Title['kind'], title: string, imdb: string, tmdb = ''): Title => ({
  kind,
  title,
  imdb,
  tmdb,
  year: 2019,
});

const FILM = title('movie', 'Invented Film', 'tt9100001', '910001');
const LANTERN = title('movie', 'Second Lantern', 'tt9100002');
const KETTLE = title('movie', 'Broken Kettle', 'tt9100003');
const CLOCKS = title('show', 'Harbour Clocks', 'tt9100005');
const LAMP = title('movie', 'Paper Lamp', 'tt9100008');

const LARGE = 77_225_773;
const SMALL = 12_317_920;

function own(of: Title, name: string, size: number, more: Partial<CatalogueRelease> = {}): DirectPost {
  const path = of === LANTERN && !name.endsWith('NEWCOMER') ? `${name}.mp4` : `${name}.mkv`;
  const length = path.endsWith('.mp4') ? 16_104_284 : size > 20_000_000 ? LARGE : SMALL;
  return new DirectPost(post(name, { guid: name, of, size, videos: [video(path, length)], ...more }));
}

/** One of Broken Kettle, of whose list nothing was kept. */
const broken = (more: Partial<CatalogueRelease> = {}, wrong: Partial<DirectPost> = {}) =>
  Object.assign(own(KETTLE, 'Broken.Kettle.2020.1080p.WEB.x264-ANY', 79_000_000, more), wrong);

export const NEWCOMER = own(LANTERN, 'Second.Lantern.2021.2160p.WEB-DL.H.265-NEWCOMER', 79_709_769);

const pack = (name: string, size: number) =>
  own(CLOCKS, name, size, {
    season: 1,
    videos: [1, 2, 3].map((n) => video(`Harbour.Clocks.S01E0${n}.mkv`, 8_200_000)),
  });

export const recordedPosts = (): readonly DirectPost[] => [
  own(FILM, 'Invented.Film.2019.1080p.BluRay.x264-RARSET', 79_711_490, { archive: { kind: 'rar' } }),
  own(FILM, 'Invented.Film.2019.1080p.WEB-DL.DDP5.1.H.264-GRP', 79_710_040),
  own(FILM, 'Invented.Film.2019.1080p.WEBRip.DDP5.1.x264-DOTSTUFF', 79_709_822),
  own(FILM, 'Invented.Film.2019.720p.BluRay.x264-OBFRAR', 79_709_159),
  own(FILM, 'Invented.Film.2019.576p.BluRay.x264-OBFEXT', 12_712_407),
  own(FILM, 'Invented.Film.2019.720p.WEB-DL.x264-OBF', 12_712_335, {
    videos: [video('9a31c0ffe2', SMALL)],
  }),
  own(LANTERN, 'Second.Lantern.2021.1080p.WEB-DL.AAC.H.264-MPS', 17_950_249),
  own(LANTERN, 'Second.Lantern.2021.720p.WEB-DL.AAC.H.264-MPF', 16_619_177),
  ...[broken(), broken(), broken(), broken()],
  own(KETTLE, 'Broken.Kettle.2020.1080p.BluRay.x264-MID1', 79_000_000, { lost: [50] }),
  own(KETTLE, 'Broken.Kettle.2020.1080p.BluRay.x265-NOSEG', 78_969_288, { segments: { lacks: [49] } }),
  Object.assign(own(KETTLE, 'Broken.Kettle.2020.360p.WEB.x264-NOTXML', 22_196_289), { nzb: 'no-xml' }),
  broken({ lost: [0] }),
  broken({ health: 'dead' }),
  broken({ lost: [-1] }),
  Object.assign(own(KETTLE, 'Broken.Kettle.2020.240p.WEB.x264-EMPTYNZB', 12_000_000), { nzb: 'empty' }),
  own(CLOCKS, 'Harbour.Clocks.S01E02.720p.WEB-DL.x264-SNG', 8_459_244, { season: 1, episode: 2 }),
  pack('Harbour.Clocks.S01.1080p.WEB-DL-PACKRAR', 26_796_065),
  pack('Harbour.Clocks.S01.1080p.WEB-DL-PACKPLAIN', 26_794_670),
  pack('Harbour.Clocks.S01.720p.WEB-DL-PACKOBF', 25_463_449),
  own(LAMP, 'Paper.Lamp.2015.2160p.WEB-DL.H.265-DEADBIG', 79_709_229, { health: 'dead' }),
  own(LAMP, 'Paper.Lamp.2015.1080p.WEB-DL.H.264-MISS2', 79_709_013, { lost: [2] }),
  own(LAMP, 'Paper.Lamp.2015.720p.WEB-DL.H.264-GOODSMALL', 12_712_605),
];
