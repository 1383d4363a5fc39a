import type { Resolution } from '../../model/quality.ts';
import { allFacts } from './tag-facts.ts';
import { exactPhrasesFor, type Phrase, phrasesFor, type TagReader } from './tags.ts';

/** The picture: resolution, codec, depth, dynamic range. */
export const PICTURE: readonly Phrase[] = [
  ...phrasesFor('strong', { resolution: '4320p' }, '8k, 8kuhd, 8k uhd, uhd 8k'),
  ...phrasesFor('strong', { resolution: '2160p' }, '4k, 4kuhd, 4k uhd, uhd 4k, uhdtv, ultrahd, ultra hd'),
  ...phrasesFor('late', { resolution: '2160p' }, 'uhd, 2160'),
  // The disc's name, not the picture's size.
  ...phrasesFor(
    'strong',
    { source: 'BluRay' },
    'uhd bluray, uhd blu ray, uhd bd, uhd bdrip, uhdrip, uhdbd, uhdbdrip',
  ),
  ...phrasesFor('strong', { source: 'BluRay', remux: true }, 'uhd remux, uhd bdremux, uhdremux'),
  ...phrasesFor(
    'strong',
    { source: 'BluRay', disc: true },
    'complete uhd bluray, complete uhd blu ray, uhd disc, uhd66, uhd100, uhd50',
  ),
  ...phrasesFor(
    'strong',
    { resolution: '2160p', source: 'BluRay' },
    '4k bluray, 4k blu ray, 4k bdrip, 4k uhd bluray, 4k uhd blu ray, 4k bd',
  ),
  ...phrasesFor('strong', { resolution: '2160p', source: 'BluRay', remux: true }, '4k remux, 4k uhd remux'),
  ...phrasesFor('strong', { resolution: '2160p', source: 'WEB-DL' }, 'uhd web, uhd webdl, uhd web dl'),
  ...phrasesFor('strong', { resolution: '2160p', source: 'WEBRip' }, 'uhd webrip, uhd web rip'),
  ...phrasesFor('strong', { resolution: '2160p', source: 'HDTV' }, 'uhd hdtv, uhdtv, uhdtvrip'),
  ...phrasesFor('strong', { resolution: '1440p' }, '2k qhd, wqhd'),
  ...phrasesFor('weak', { resolution: '1440p' }, 'qhd'),
  ...phrasesFor('strong', { resolution: '1080p' }, 'fullhd, full hd, fhd'),
  ...phrasesFor('strong', { resolution: '720p' }, 'hd720'),
  ...phrasesFor('late', { resolution: '720p' }, '720'),
  ...phrasesFor('late', { resolution: '1080p' }, '1080'),
  ...phrasesFor('late', { resolution: '480p' }, '480'),

  ...phrasesFor('strong', { codec: 'HEVC' }, 'x265, h265, h 265, x 265, hevc265, hvec'),
  ...phrasesFor('strong', { codec: 'AVC' }, 'x264, h264, h 264, x 264, avchd, avc1, mpeg4avc, mpeg 4 avc'),
  ...phrasesFor('strong', { codec: 'VVC' }, 'x266, h266, h 266, x 266, vvc'),
  ...phrasesFor('strong', { codec: 'AV1' }, 'av1, av01, svtav1, svt av1'),
  ...phrasesFor('strong', { codec: 'VP9' }, 'vp9, vp09'),
  ...phrasesFor('strong', { codec: 'HEVC', untouched: true }, 'hevc'),
  ...phrasesFor('strong', { codec: 'AVC', untouched: true }, 'avc'),
  ...phrasesFor('strong', { codec: 'VC-1', untouched: true }, 'vc1, vc 1'),
  ...phrasesFor('strong', { codec: 'MPEG-2', untouched: true }, 'mpeg2, mpeg 2, mpg2, h262, h 262'),
  ...phrasesFor('strong', { codec: 'XviD' }, 'xvid, xvid1, xvidhd'),
  ...phrasesFor('strong', { codec: 'DivX' }, 'divx, divx5, divx6, divx3, divx511, dvix'),

  ...phrasesFor(
    'strong',
    { bitDepth: 10 },
    '10bit, 10 bit, 10bits, 10b, 10 bits, yuv420p10, yuv420p10le, main10, main 10, ma10p',
  ),
  ...phrasesFor('strong', { bitDepth: 8 }, '8bit, 8 bit, 8bits, 8 bits'),
  ...phrasesFor('strong', { bitDepth: 12 }, '12bit, 12 bit, 12bits, 12 bits'),
  ...phrasesFor(
    'strong',
    { bitDepth: 10, codec: 'AVC' },
    'hi10p, hi10, hi 10p, hi444pp, hi422p, h264 10bit, x264 10bit',
  ),
  ...phrasesFor('strong', { bitDepth: 8, codec: 'AVC' }, 'hi8p'),
  ...phrasesFor('strong', { bitDepth: 10, codec: 'HEVC' }, 'hevc10, hevc 10, x265 10, x26510bit, hevc10bit'),

  ...phrasesFor(
    'strong',
    { hdr: ['HDR10+'] },
    'hdr10+, hdr10p, hdr10plus, hdr10 plus, hdr 10+, hdr 10 plus, hdr+, hdrplus',
  ),
  ...phrasesFor('strong', { hdr: ['HDR10'] }, 'hdr10, hdr 10'),
  ...phrasesFor('strong', { hdr: ['HDR'] }, 'hdrvivid'),
  ...phrasesFor('weak', { hdr: ['HDR'] }, 'hdr, pq'),
  ...phrasesFor('strong', { hdr: ['DV'] }, 'dovi, dolby vision, dolbyvision, dvision, dvhe, dvh1, dolbyv'),
  ...phrasesFor('late', { hdr: ['DV'] }, 'dv'),
  ...phrasesFor(
    'strong',
    { hdr: ['DV', 'HDR'] },
    'dvhdr, hdrdv, dovihdr, hdrdovi, dv hdr, dovi hdr, hdr dv, hdr dovi',
  ),
  ...phrasesFor('strong', { hdr: ['DV', 'HDR10'] }, 'dvhdr10, hdr10dv, dovihdr10'),
  ...phrasesFor('strong', { hdr: ['DV', 'HDR10+'] }, 'dvhdr10+, dvhdr10p, dvhdr10plus, dovihdr10plus'),
  ...phrasesFor('weak', { hdr: ['HLG'] }, 'hlg, hlg10, hdrhlg'),
  ...phrasesFor('weak', { hdr: ['SDR'] }, 'sdr'),

  ...phrasesFor('late', { hybrid: true }, 'hybrid'),
  ...phrasesFor(
    'weak',
    { upscaled: true },
    'upscaled, upscale, ai upscale, ai upscaled, upscaled ai, ai enhanced, uprez, upres, re upscaled, upconvert, upconverted, aius, topaz, rife',
  ),
  ...phrasesFor('strong', { upscaled: true }, 'ai upscaled, ai upscale, upscaled'),
  ...phrasesFor(
    'strong',
    { threeD: true },
    'hsbs, h sbs, half sbs, halfsbs, fsbs, full sbs, fullsbs, hou, h ou, half ou, halfou, full ou, 3d hsbs, 3d h sbs, 3d sbs, 3d hou, 3d h ou, 3d half sbs, 3d half ou, 3d ou, 3d tab, htab, h tab, half tab, bd3d, bluray3d, bluray 3d, 3dbd, sbs 3d, hsbs 3d',
  ),
  ...phrasesFor(
    'strong',
    { threeD: true, source: 'BluRay' },
    'bd3d, bluray3d, bluray 3d, blu ray 3d, 3d bluray, 3d blu ray, 3dbd',
  ),
  ...phrasesFor('weak', { threeD: true }, '3d, sbs, mvc, 3d mvc'),
  ...exactPhrasesFor('late', { threeD: true }, 'OU, TAB'),
];

const LINES = /^(?:hd|full|uhd|m)?(\d{3,4})[pi](?:\d{2,3})?(?:fps|hz)?$/;
const SIZE = /^(\d{3,4})[x×*](\d{3,4})[pi]?$/;
const readResolution: TagReader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  const lines = LINES.exec(key)?.[1];
  const size = SIZE.exec(key);
  const resolution =
    lines !== undefined ? ofLines(Number(lines)) : size && ofSize(Number(size[1]), Number(size[2]));
  return resolution ? { from: at, to: at + 1, trust: 'strong', facts: allFacts({ resolution }) } : undefined;
};

/** What lies between the known ones counts as the next lower one. */
const LADDER: readonly (readonly [number, Resolution])[] = [
  [4320, '4320p'],
  [2160, '2160p'],
  [1440, '1440p'],
  [1080, '1080p'],
  [720, '720p'],
  [576, '576p'],
  [540, '540p'],
  [480, '480p'],
  [360, '360p'],
  [240, '240p'],
];

const ofLines = (lines: number): Resolution | undefined => LADDER.find(([least]) => lines >= least)?.[1];

/** A few columns may be cut off as well. */
const CROPPED = 1.03;

/** A wide picture has fewer lines than its kind: from HD on the width tells as well. */
function ofSize(width: number, height: number): Resolution | undefined {
  const byWidth = ofLines(Math.ceil(((width * 9) / 16) * CROPPED));
  const byHeight = ofLines(width >= 700 && height < 480 ? 480 : height);
  if (byWidth === undefined || byHeight === undefined) return byWidth ?? byHeight;
  return Number.parseInt(byWidth, 10) > Number.parseInt(byHeight, 10) ? byWidth : byHeight;
}

const PROFILE_GLUED = /^(?:dv|dovi)p?([4-9])(\d?)$/;
const PROFILE_MARK = /^p([4-9])(\d?)$/;
const PROFILE_NUMBER = /^([4-9])$/;
const VISION = new Set(['dv', 'dovi', 'vision', 'dolbyvision']);

/** "DV.P8", "DoVi.Profile.8.1", "DVP5". */
const readProfile: TagReader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  const glued = PROFILE_GLUED.exec(key);
  if (glued !== null) return profileTag(glued[1], glued[2], at, at + 1, tokens[at + 1]);
  const behind = VISION.has(tokens[at - 1]?.key ?? '');
  if (behind && PROFILE_MARK.test(key)) {
    const mark = PROFILE_MARK.exec(key);
    return profileTag(mark?.[1], mark?.[2], at, at + 1, tokens[at + 1]);
  }
  if (key !== 'profile' && key !== 'p') return undefined;
  const number = PROFILE_NUMBER.exec(tokens[at + 1]?.key ?? '')?.[1];
  return number === undefined ? undefined : profileTag(number, '', at, at + 2, tokens[at + 2]);
};

function profileTag(
  profile: string | undefined,
  level: string | undefined,
  from: number,
  to: number,
  next: { readonly key: string; readonly sep: string } | undefined,
) {
  const dotted = !level && next?.sep === '.' && /^\d$/.test(next.key) ? next.key : undefined;
  const minor = dotted ?? level;
  const dolbyVisionProfile = minor ? `${profile}.${Number(minor)}` : `${profile}`;
  return {
    from,
    to: dotted === undefined ? to : to + 1,
    trust: 'late',
    facts: allFacts({ hdr: ['DV'], dolbyVisionProfile }),
  } as const;
}

export const PICTURE_READERS: readonly TagReader[] = [readResolution, readProfile];
