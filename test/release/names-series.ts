import type { Quality } from '../../src/model/index.ts';

/** As names.ts, for episodes and packs. */
export const SERIES_NAMES: readonly (readonly [string, Partial<Quality>])[] = [
  // Episodes
  [
    'Caminandes.S01E02.1080p.WEB.h264-INV',
    {
      title: 'Caminandes',
      seasons: [1],
      episodes: [2],
      resolution: '1080p',
      source: 'WEB-DL',
      codec: 'AVC',
      group: 'INV',
    },
  ],
  [
    'Caminandes.2013.S01E02.1080p.WEB.h264-INV',
    {
      title: 'Caminandes',
      seasons: [1],
      episodes: [2],
      year: 2013,
      resolution: '1080p',
      source: 'WEB-DL',
      codec: 'AVC',
      group: 'INV',
    },
  ],
  ['Caminandes - S01E02 - 1080p', { title: 'Caminandes', seasons: [1], episodes: [2], resolution: '1080p' }],
  ['Caminandes.S1E2.mp4', { title: 'Caminandes', seasons: [1], episodes: [2], container: 'mp4' }],
  ['Caminandes.S01.E02', { title: 'Caminandes', seasons: [1], episodes: [2] }],
  ['Caminandes.1x02.HDTV', { title: 'Caminandes', seasons: [1], episodes: [2], source: 'HDTV' }],
  [
    'Caminandes.S01E02E03.1080p.WEB-DL.H.264-INV',
    {
      title: 'Caminandes',
      seasons: [1],
      episodes: [2, 3],
      resolution: '1080p',
      source: 'WEB-DL',
      codec: 'AVC',
      group: 'INV',
    },
  ],
  [
    'Caminandes.S01E01-E03.720p',
    { title: 'Caminandes', seasons: [1], episodes: [1, 2, 3], resolution: '720p' },
  ],
  [
    'Caminandes.S00E05.Special.1080p',
    { title: 'Caminandes', seasons: [0], episodes: [5], resolution: '1080p' },
  ],
  [
    'Caminandes.S01E03.Llamigos.1080p.WEB.H264-INV',
    {
      title: 'Caminandes',
      seasons: [1],
      episodes: [3],
      resolution: '1080p',
      source: 'WEB-DL',
      codec: 'AVC',
      group: 'INV',
    },
  ],
  ['Caminandes.E05.1080p', { title: 'Caminandes', episodes: [5], resolution: '1080p' }],
  [
    '[Inv] Caminandes - 28 [1080p]',
    { title: 'Caminandes', episodes: [28], resolution: '1080p', group: 'Inv' },
  ],
  [
    'Caminandes.2013.07.29.Llamigos.720p.WEB.h264-INV',
    {
      title: 'Caminandes',
      resolution: '720p',
      source: 'WEB-DL',
      codec: 'AVC',
      group: 'INV',
      date: '2013-07-29',
    },
  ],
  // Packs
  [
    'Caminandes.S01.1080p.WEBRip.x265-INV',
    { title: 'Caminandes', seasons: [1], resolution: '1080p', source: 'WEBRip', codec: 'HEVC', group: 'INV' },
  ],
  [
    'Caminandes.Season.1.Complete.1080p',
    { title: 'Caminandes', seasons: [1], complete: true, resolution: '1080p' },
  ],
  ['Caminandes.S01-S03.1080p', { title: 'Caminandes', seasons: [1, 2, 3], resolution: '1080p' }],
  ['Caminandes.Complete.Series.1080p', { title: 'Caminandes', complete: true, resolution: '1080p' }],
  // Misread before: two whole codes, sound without a source, Cyrillic words
  [
    'Caminandes.S01E01.S01E02.1080p.WEB.H264-INV',
    {
      title: 'Caminandes',
      seasons: [1],
      episodes: [1, 2],
      resolution: '1080p',
      source: 'WEB-DL',
      codec: 'AVC',
      group: 'INV',
    },
  ],
  [
    'Sintel.2010.DTS-HD.MA.5.1-INV',
    { title: 'Sintel', audio: ['DTS-HD MA'], channels: ['5.1'], year: 2010, group: 'INV' },
  ],
  [
    'Каминандес.Сезон 1.Серия 2.WEBRip.1080p',
    { title: 'Каминандес', seasons: [1], episodes: [2], resolution: '1080p', source: 'WEBRip' },
  ],
  [
    'Каминандес 2 сезон (01-08 из 8) WEB-DL 1080p',
    {
      title: 'Каминандес',
      seasons: [2],
      episodes: [1, 2, 3, 4, 5, 6, 7, 8],
      resolution: '1080p',
      source: 'WEB-DL',
    },
  ],
];
