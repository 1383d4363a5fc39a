import { expect } from 'vitest';
import type { Quality, Release } from '../../../src/model/index.ts';
import {
  filterReleases,
  orderText,
  preferencesOf,
  rankCandidates,
  rankExplanation,
} from '../../../src/release/index.ts';
import { MEGABYTE } from '../../../src/release/units.ts';
import { parseSettings } from '../../../src/settings/index.ts';
import { candidate, link, release } from '../../release/candidates.ts';
import { type Effect, effect, type Raw } from './effect.ts';

const of = (raw: Raw) => preferencesOf(parseSettings(raw));

/** For each setting of the release stages a value, and a release that is rejected with it and passes without. */
const REJECTED: readonly [Raw, Partial<Release>, Partial<Quality>][] = [
  [{ allow_4320p: 'false' }, {}, { resolution: '4320p' }],
  [{ allow_2160p: 'false' }, {}, { resolution: '2160p' }],
  [{ allow_1440p: 'false' }, {}, { resolution: '1440p' }],
  [{ allow_1080p: 'false' }, {}, { resolution: '1080p' }],
  [{ allow_720p: 'false' }, {}, { resolution: '720p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '576p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '540p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '480p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '360p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '240p' }],
  [{ allow_unknown_resolution: 'false' }, {}, {}],
  [{ allow_upscaled: 'false' }, {}, { upscaled: true }],
  [{ allow_3d: 'false' }, {}, { threeD: true }],
  [{ allow_remux: 'false' }, {}, { remux: true }],
  [{ allow_bluray: 'false' }, {}, { source: 'BluRay' }],
  [{ allow_bluray: 'false' }, {}, { source: 'HD-DVD' }],
  [{ allow_web_dl: 'false' }, {}, { source: 'WEB-DL' }],
  [{ allow_webrip: 'false' }, {}, { source: 'WEBRip' }],
  [{ allow_webrip: 'false' }, {}, { source: 'HDRip' }],
  [{ allow_tv: 'false' }, {}, { source: 'HDTV' }],
  [{ allow_tv: 'false' }, {}, { source: 'TV' }],
  [{ allow_dvd: 'false' }, {}, { source: 'DVD' }],
  [{ allow_dvd: 'false' }, {}, { source: 'LaserDisc' }],
  [{ allow_dvd: 'false' }, {}, { source: 'VHS' }],
  [{ allow_camera: 'false' }, {}, { source: 'CAM' }],
  [{ allow_camera: 'false' }, {}, { source: 'Telesync' }],
  [{ allow_camera: 'false' }, {}, { source: 'Telecine' }],
  [{ allow_camera: 'false' }, {}, { source: 'Screener' }],
  [{ allow_camera: 'false' }, {}, { source: 'Workprint' }],
  [{ allow_unknown_source: 'false' }, {}, {}],
  [{ allow_discs: 'false' }, {}, { disc: true }],
  [{ allow_dolby_vision: 'false' }, {}, { hdr: ['DV'] }],
  [{ allow_dolby_vision_alone: 'false' }, {}, { hdr: ['DV'] }],
  [{ allow_hdr10_plus: 'false' }, {}, { hdr: ['HDR10+'] }],
  [{ allow_hdr10: 'false' }, {}, { hdr: ['HDR10'] }],
  [{ allow_hdr10: 'false' }, {}, { hdr: ['HDR'] }],
  [{ allow_hlg: 'false' }, {}, { hdr: ['HLG'] }],
  [{ allow_sdr: 'false' }, {}, { hdr: ['SDR'] }],
  [{ allow_unknown_hdr: 'false' }, {}, {}],
  [{ allow_atmos: 'false' }, {}, { audio: ['Atmos'] }],
  [{ allow_truehd: 'false' }, {}, { audio: ['TrueHD'] }],
  [{ allow_dts_x: 'false' }, {}, { audio: ['DTS:X'] }],
  [{ allow_dts_hd_ma: 'false' }, {}, { audio: ['DTS-HD MA'] }],
  [{ allow_dts_hd_hr: 'false' }, {}, { audio: ['DTS-HD HR'] }],
  [{ allow_dts_hd_ma: 'false', allow_dts_hd_hr: 'false' }, {}, { audio: ['DTS-HD'] }],
  [{ allow_dts: 'false' }, {}, { audio: ['DTS'] }],
  [{ allow_dd_plus: 'false' }, {}, { audio: ['DD+'] }],
  [{ allow_dd: 'false' }, {}, { audio: ['DD'] }],
  [{ allow_aac: 'false' }, {}, { audio: ['AAC'] }],
  [{ allow_lossless: 'false' }, {}, { audio: ['FLAC'] }],
  [{ allow_lossless: 'false' }, {}, { audio: ['PCM'] }],
  [{ allow_lossless: 'false' }, {}, { audio: ['ALAC'] }],
  [{ allow_other_audio: 'false' }, {}, { audio: ['Opus'] }],
  [{ allow_other_audio: 'false' }, {}, { audio: ['Vorbis'] }],
  [{ allow_other_audio: 'false' }, {}, { audio: ['MP3'] }],
  [{ allow_unknown_audio: 'false' }, {}, {}],
  [{ allow_hevc: 'false' }, {}, { codec: 'HEVC' }],
  [{ allow_avc: 'false' }, {}, { codec: 'AVC' }],
  [{ allow_av1: 'false' }, {}, { codec: 'AV1' }],
  [{ allow_vvc: 'false' }, {}, { codec: 'VVC' }],
  [{ allow_vp9: 'false' }, {}, { codec: 'VP9' }],
  [{ allow_vc1: 'false' }, {}, { codec: 'VC-1' }],
  [{ allow_mpeg2: 'false' }, {}, { codec: 'MPEG-2' }],
  [{ allow_xvid: 'false' }, {}, { codec: 'XviD' }],
  [{ allow_xvid: 'false' }, {}, { codec: 'DivX' }],
  [{ allow_unknown_codec: 'false' }, {}, {}],
  [{ required_words: 'remux' }, {}, {}],
  [{ excluded_words: 'web' }, {}, {}],
  [{ wanted_languages: 'de' }, {}, { languages: ['fr'] }],
  [{ excluded_groups: 'inv' }, {}, { group: 'INV' }],
  [{ min_size_mb: '2' }, { size: MEGABYTE }, {}],
  [{ max_size_mb: '2' }, { size: 3 * MEGABYTE }, {}],
  [{ min_mb_per_minute: '2' }, { size: MEGABYTE }, {}],
  [{ max_mb_per_minute: '2' }, { size: 1_000 * MEGABYTE }, {}],
  [{ min_age_days: '2' }, { posted: Date.now() }, {}],
  [{ max_age_days: '2' }, { posted: 0 }, {}],
  [{ min_grabs: '2' }, { grabs: 1 }, {}],
  [{ allow_protected: 'false' }, { passworded: true }, {}],
];
const OPEN: Raw = { allow_discs: 'true', allow_protected: 'true' };

/** For each setting of the sorting a value, and two releases that change places with it. */
const HD: Partial<Quality> = { resolution: '1080p' };
const GB = 1024 * MEGABYTE;
const SWAPPED: readonly [Raw, Release, Release][] = [
  [{ sort_by: 'largest' }, release({ size: 1 * GB }, HD), release({ size: 2 * GB })],
  [{ sort_by: 'smallest' }, release({ size: 2 * GB }, HD), release({ size: 1 * GB })],
  [{ sort_by: 'newest' }, release({ posted: 1 }, HD), release({ posted: 2 })],
  [{ bitrate_limit_mbit: '10' }, release({ size: 99 * GB }, HD), release({ size: 1 * GB })],
  [{ preferred_groups_1: 'inv' }, release({ size: 2 * GB }), release({ size: 1 * GB }, { group: 'INV' })],
  [{ preferred_groups_2: 'inv' }, release({ size: 2 * GB }), release({ size: 1 * GB }, { group: 'INV' })],
  [{ preferred_groups_3: 'inv' }, release({ size: 2 * GB }), release({ size: 1 * GB }, { group: 'INV' })],
  [
    { preferred_indexers: 'other' },
    release({ size: 2 * GB }),
    release({ size: 1 * GB, links: [link({ indexer: 'Other' })] }),
  ],
  [
    { wanted_languages: 'de, fr' },
    release({ size: 2 * GB }, { languages: ['fr'] }),
    release({ size: 1 * GB }, { languages: ['de'] }),
  ],
];

function rejects(raw: Raw, fields: Partial<Release>, quality: Partial<Quality>): Effect {
  return effect(raw, `rejects ${JSON.stringify({ ...fields, ...quality })}`, () => {
    const facts = { runtime: 100, originalLanguage: 'en' };
    const rejected = (settings: Raw) =>
      filterReleases([release(fields, quality)], of({ ...OPEN, ...settings }), facts)[0]?.rejections;
    expect(rejected(raw)).toHaveLength(1);
    expect(rejected({})).toEqual([]);
  });
}

function swaps(raw: Raw, first: Release, second: Release): Effect {
  return effect(raw, 'changes the order, and what is said of it', () => {
    const order = (settings: Raw) => {
      const preferences = of(settings);
      const candidates = filterReleases([first, second], preferences, { runtime: 100 });
      return rankCandidates(candidates, preferences).map((each) => each.release);
    };
    expect(order({})).toEqual([first, second]);
    expect(order(raw)).toEqual([second, first]);
    // The line over the list names no more than five; a row's details tell all that counts.
    const counting = (settings: Raw) =>
      rankExplanation(candidate(second), of(settings)).map(({ label }) => label);
    expect([orderText(of(raw)), counting(raw)]).not.toEqual([orderText(of({})), counting({})]);
  });
}

/** Quality, words, limits and sorting: what is offered, and in which order. */
export const RELEASE_EFFECTS: readonly Effect[] = [
  ...REJECTED.map((each) => rejects(...each)),
  ...SWAPPED.map((each) => swaps(...each)),
];
