import type { Quality } from '../../src/model/index.ts';

/**
 * Release names invented for this project after the patterns of public naming rules: open films only, invented groups.
 * Each row names what must be read; a field that is left out must not be read at all.
 */
export type Expected = Partial<Quality> & Pick<Quality, 'title'>;

export const NAMES: readonly (readonly [string, Expected])[] = [
  // Films: where resolution, source and codec are found
  [
    'Big.Buck.Bunny.2008.1080p.BluRay.x264-INV',
    film('Big Buck Bunny', 2008, '1080p', 'BluRay', 'AVC', 'INV'),
  ],
  [
    'Big Buck Bunny 2008 1080p BluRay x264-INV',
    film('Big Buck Bunny', 2008, '1080p', 'BluRay', 'AVC', 'INV'),
  ],
  ['Big_Buck_Bunny_(2008)_[1080p].mkv', film('Big Buck Bunny', 2008, '1080p')],
  ['Sintel.2010.720p.WEB-DL.H264-INV', film('Sintel', 2010, '720p', 'WEB-DL', 'AVC', 'INV')],
  ['Sintel.2010.2160p.WEBRip.x265-INV', film('Sintel', 2010, '2160p', 'WEBRip', 'HEVC', 'INV')],
  ['Sintel.2010.4K.UHD.BluRay.REMUX.HEVC-INV', film('Sintel', 2010, '2160p', 'Remux', 'HEVC', 'INV')],
  ['Sintel.2010.1080i.HDTV.MPEG2-INV', film('Sintel', 2010, '1080p', 'HDTV', 'MPEG-2', 'INV')],
  ['Sintel.2010.576p.DVDRip.XviD-INV', film('Sintel', 2010, '576p', 'DVD', 'XviD', 'INV')],
  ['Sintel.2010.PAL.DVD9-INV', film('Sintel', 2010, undefined, 'DVD', undefined, 'INV')],
  ['Sintel.2010.COMPLETE.BLURAY-INV', film('Sintel', 2010, undefined, 'BluRay', undefined, 'INV')],
  ['Sintel.2010.BDRip.720x576', film('Sintel', 2010, '576p', 'BluRay')],
  ['Sintel.2010.1920x1080.XviD', film('Sintel', 2010, '1080p', undefined, 'XviD')],
  ['Spring.2019.4320p.AV1', film('Spring', 2019, '2160p', undefined, 'AV1')],
  ['Spring.2019.1440p.WEB.AV1-INV', film('Spring', 2019, '1080p', 'WEB-DL', 'AV1', 'INV')],
  ['Spring.2019.540p.WEB.h264-INV', film('Spring', 2019, '480p', 'WEB-DL', 'AVC', 'INV')],
  ['Spring.2019.360p.WEB.h264-INV', film('Spring', 2019, '480p', 'WEB-DL', 'AVC', 'INV')],
  ['Spring 2019 480p', film('Spring', 2019, '480p')],
  ['Spring.2019.HDCAM.x264-INV', film('Spring', 2019, undefined, 'CAM', 'AVC', 'INV')],
  ['Tears.of.Steel.2012.TELESYNC', film('Tears of Steel', 2012, undefined, 'Telesync')],
  ['Spring.2019.DVDSCR.XviD', film('Spring', 2019, undefined, 'Screener', 'XviD')],
  ['Spring.2019.1080p.BluRay.VC-1-INV', film('Spring', 2019, '1080p', 'BluRay', 'VC-1', 'INV')],
  ['Spring.2019.1080p.BluRay.VVC-INV', film('Spring', 2019, '1080p', 'BluRay', 'VVC', 'INV')],
  [
    'Tears of Steel 2012 REPACK 1080p AMZN WEB-DL H 264-INV',
    film('Tears of Steel', 2012, '1080p', 'WEB-DL', 'AVC', 'INV'),
  ],
  [
    'Elephants Dream (2006) [1080p] [x264] - INV',
    film('Elephants Dream', 2006, '1080p', undefined, 'AVC', 'INV'),
  ],
  [
    'Cosmos.Laundromat.2015.German.DL.1080p.BluRay.x264-INV',
    film('Cosmos Laundromat', 2015, '1080p', 'BluRay', 'AVC', 'INV'),
  ],
  ['Spring.2019.MULTi.1080p.WEB.H264-INV', film('Spring', 2019, '1080p', 'WEB-DL', 'AVC', 'INV')],
  // Titles with numbers, other scripts, or nothing else
  [
    'Agent.327.Operation.Barbershop.2017.1080p.WEB.H264-INV',
    film('Agent 327 Operation Barbershop', 2017, '1080p', 'WEB-DL', 'AVC', 'INV'),
  ],
  ['2012.2009.1080p.BluRay', film('2012', 2009, '1080p', 'BluRay')],
  ['2001.A.Bunny.Odyssey.1968.1080p', film('2001 A Bunny Odyssey', 1968, '1080p')],
  ['Caminandes.Part.2.2013', film('Caminandes Part 2', 2013)],
  ['Amélie.en.Rêve.2001.1080p', film('Amélie en Rêve', 2001, '1080p')],
  ['Большой Бак Банни 2008 1080p', film('Большой Бак Банни', 2008, '1080p')],
  ['Большой Бак Банни / Big Buck Bunny (2008) BDRip 1080p', film('Big Buck Bunny', 2008, '1080p', 'BluRay')],
  ['Spring', { title: 'Spring' }],
  ['0123456789abcdef0123456789abcdef', { title: '0123456789abcdef0123456789abcdef' }],
  // Dynamic range and sound
  [
    'Charge.2022.2160p.WEB-DL.DDP5.1.Atmos.HDR.DV.H.265-INV',
    {
      ...film('Charge', 2022, '2160p', 'WEB-DL', 'HEVC', 'INV'),
      hdr: ['DV', 'HDR'],
      audio: ['Atmos', 'DD+'],
    },
  ],
  [
    'Charge.2022.2160p.UHD.BluRay.REMUX.DV.HDR10P.TrueHD.7.1.Atmos.HEVC-INV',
    {
      ...film('Charge', 2022, '2160p', 'Remux', 'HEVC', 'INV'),
      hdr: ['DV', 'HDR10+'],
      audio: ['Atmos', 'TrueHD'],
    },
  ],
  [
    'Charge.2022.2160p.WEB-DL.HDR10Plus.H265-INV',
    { ...film('Charge', 2022, '2160p', 'WEB-DL', 'HEVC', 'INV'), hdr: ['HDR10+'] },
  ],
  [
    'Charge.2022.2160p.WEB-DL.HDR10+.H265-INV',
    { ...film('Charge', 2022, '2160p', 'WEB-DL', 'HEVC', 'INV'), hdr: ['HDR10+'] },
  ],
  [
    'Charge.2022.2160p.WEB-DL.HDR10.H265-INV',
    { ...film('Charge', 2022, '2160p', 'WEB-DL', 'HEVC', 'INV'), hdr: ['HDR10'] },
  ],
  [
    'Charge.2022.2160p.HDTV.HLG.HEVC-INV',
    { ...film('Charge', 2022, '2160p', 'HDTV', 'HEVC', 'INV'), hdr: ['HLG'] },
  ],
  [
    'Charge.2022.SDR.2160p.WEB-DL.VP9-INV',
    { ...film('Charge', 2022, '2160p', 'WEB-DL', 'VP9', 'INV'), hdr: ['SDR'] },
  ],
  [
    'Sintel.2010.1080p.BluRay.DTS.x264-INV',
    { ...film('Sintel', 2010, '1080p', 'BluRay', 'AVC', 'INV'), audio: ['DTS'] },
  ],
  [
    'Sintel.2010.1080p.BluRay.DTS-HD.MA.5.1.x264-INV',
    { ...film('Sintel', 2010, '1080p', 'BluRay', 'AVC', 'INV'), audio: ['DTS-HD MA'] },
  ],
  [
    'Sintel.2010.1080p.BluRay.DTS-X.x264-INV',
    { ...film('Sintel', 2010, '1080p', 'BluRay', 'AVC', 'INV'), audio: ['DTS:X'] },
  ],
  [
    'Sintel.2010.1080p.BluRay.DTS-HD.x264-INV',
    { ...film('Sintel', 2010, '1080p', 'BluRay', 'AVC', 'INV'), audio: ['DTS-HD'] },
  ],
  [
    'Sintel.2010.1080p.WEB-DL.AAC2.0.H264-INV',
    { ...film('Sintel', 2010, '1080p', 'WEB-DL', 'AVC', 'INV'), audio: ['AAC'] },
  ],
  [
    'Sintel.2010.1080p.HDTV.DD5.1.H264-INV',
    { ...film('Sintel', 2010, '1080p', 'HDTV', 'AVC', 'INV'), audio: ['DD'] },
  ],
  [
    'Sintel.2010.1080p.BluRay.FLAC.2.0.x264-INV',
    { ...film('Sintel', 2010, '1080p', 'BluRay', 'AVC', 'INV'), audio: ['FLAC'] },
  ],
  [
    'Sintel.2010.1080p.BluRay.LPCM.2.0.AVC.REMUX',
    { ...film('Sintel', 2010, '1080p', 'Remux', 'AVC'), audio: ['PCM'] },
  ],
  // Groups behind what others add
  ['Sintel.2010.1080p.HDTV.x264-INV-Obfuscated', film('Sintel', 2010, '1080p', 'HDTV', 'AVC', 'INV')],
  ['Sintel.2010.1080p.HDTV.x264-INV-xpost', film('Sintel', 2010, '1080p', 'HDTV', 'AVC', 'INV')],
  ['Sintel.2010.1080p.HDTV.x264-INV.mkv', film('Sintel', 2010, '1080p', 'HDTV', 'AVC', 'INV')],
  [
    '"Sintel.2010.1080p.HDTV.x264-INV.part01.rar" yEnc (1/23)',
    film('Sintel', 2010, '1080p', 'HDTV', 'AVC', 'INV'),
  ],
  [
    'Sintel (2010) (1080p BluRay x265 10bit Someone) [InV]',
    film('Sintel', 2010, '1080p', 'BluRay', 'HEVC', 'InV'),
  ],
  // Episodes
  ['Caminandes.S01E02.1080p.WEB.h264-INV', show('Caminandes', [1], [2], '1080p', 'WEB-DL', 'AVC', 'INV')],
  [
    'Caminandes.2013.S01E02.1080p.WEB.h264-INV',
    { ...show('Caminandes', [1], [2], '1080p', 'WEB-DL', 'AVC', 'INV'), year: 2013 },
  ],
  ['Caminandes - S01E02 - 1080p', show('Caminandes', [1], [2], '1080p')],
  ['Caminandes.S1E2.mp4', show('Caminandes', [1], [2])],
  ['Caminandes.S01.E02', show('Caminandes', [1], [2])],
  ['Caminandes.1x02.HDTV', show('Caminandes', [1], [2], undefined, 'HDTV')],
  [
    'Caminandes.S01E02E03.1080p.WEB-DL.H.264-INV',
    show('Caminandes', [1], [2, 3], '1080p', 'WEB-DL', 'AVC', 'INV'),
  ],
  ['Caminandes.S01E01-E03.720p', show('Caminandes', [1], [1, 2, 3], '720p')],
  ['Caminandes.S00E05.Special.1080p', show('Caminandes', [0], [5], '1080p')],
  [
    'Caminandes.S01E03.Llamigos.1080p.WEB.H264-INV',
    show('Caminandes', [1], [3], '1080p', 'WEB-DL', 'AVC', 'INV'),
  ],
  ['Caminandes.E05.1080p', show('Caminandes', [], [5], '1080p')],
  ['[Inv] Caminandes - 28 [1080p]', show('Caminandes', [], [28], '1080p', undefined, undefined, 'Inv')],
  [
    'Caminandes.2013.07.29.Llamigos.720p.WEB.h264-INV',
    { ...show('Caminandes', [], [], '720p', 'WEB-DL', 'AVC', 'INV'), date: '2013-07-29' },
  ],
  // Packs
  ['Caminandes.S01.1080p.WEBRip.x265-INV', show('Caminandes', [1], [], '1080p', 'WEBRip', 'HEVC', 'INV')],
  ['Caminandes.Season.1.Complete.1080p', show('Caminandes', [1], [], '1080p')],
  ['Caminandes.S01-S03.1080p', show('Caminandes', [1, 2, 3], [], '1080p')],
  ['Caminandes.Complete.Series.1080p', show('Caminandes', [], [], '1080p')],
];

function film(
  title: string,
  year: number,
  resolution?: Quality['resolution'],
  source?: string,
  codec?: string,
  group?: string,
): Expected {
  return {
    title,
    year,
    ...(resolution !== undefined && { resolution }),
    ...(source !== undefined && { source }),
    ...(codec !== undefined && { codec }),
    ...(group !== undefined && { group }),
  };
}

function show(
  title: string,
  seasons: number[],
  episodes: number[],
  ...rest: (string | undefined)[]
): Expected {
  const [resolution, source, codec, group] = rest;
  const { year: _, ...fields } = film(title, 0, resolution as Quality['resolution'], source, codec, group);
  return { ...fields, seasons, episodes };
}
