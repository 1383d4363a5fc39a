import { atLevel, boolean, group, page } from './schema.ts';

/** Everything is shown at first but whole discs, which hardly any player can play from a stream. */
export const QUALITY = page('quality', 30002, 'Quality', [
  group(30030, 'Resolution', resolutions()),
  group(30031, 'Source', sources()),
  group(30032, 'Dynamic range', dynamicRanges()),
  group(30033, 'Sound', sounds()),
  group(30034, 'Video format', codecs()),
]);

function resolutions() {
  const help = 'Offer releases in this resolution.';
  return [
    basicSwitch('allow_4320p', 30500, 'Show 4320p (8K)', help),
    basicSwitch('allow_2160p', 30200, 'Show 2160p (4K)', help),
    basicSwitch('allow_1440p', 30502, 'Show 1440p', help),
    basicSwitch('allow_1080p', 30202, 'Show 1080p', help),
    basicSwitch('allow_720p', 30204, 'Show 720p', help),
    basicSwitch('allow_sd', 30206, 'Show 576p and below', 'Offer releases in standard definition.'),
    basicSwitch(
      'allow_unknown_resolution',
      30208,
      'Show unknown resolutions',
      'Offer releases whose name does not tell the resolution.',
    ),
    basicSwitch(
      'allow_upscaled',
      30524,
      'Show upscaled',
      'Offer releases that were enlarged from a lower resolution.',
    ),
    basicSwitch('allow_3d', 30522, 'Show 3D', 'Offer releases in 3D.'),
  ] as const;
}

function sources() {
  return [
    standardSwitch(
      'allow_remux',
      30504,
      'Show remuxes',
      'Offer the untouched picture and sound of a disc in one file.',
    ),
    standardSwitch(
      'allow_bluray',
      30506,
      'Show Blu-ray encodes',
      'Offer releases made from a Blu-ray or HD DVD.',
    ),
    standardSwitch(
      'allow_web_dl',
      30508,
      'Show WEB-DL',
      'Offer releases as a streaming service delivers them.',
    ),
    standardSwitch(
      'allow_webrip',
      30510,
      'Show WEBRip',
      'Offer recordings and encodes of streaming services (WEBRip, HDRip).',
    ),
    standardSwitch('allow_tv', 30512, 'Show TV recordings', 'Offer recordings of broadcasts (HDTV, TV).'),
    standardSwitch('allow_dvd', 30514, 'Show DVD', 'Offer releases made from a DVD, LaserDisc or VHS tape.'),
    standardSwitch(
      'allow_camera',
      30516,
      'Show cinema recordings',
      'Offer recordings from a cinema and early copies (CAM, Telesync, Telecine, Screener, Workprint).',
    ),
    standardSwitch(
      'allow_unknown_source',
      30518,
      'Show unknown sources',
      'Offer releases whose name does not tell where they come from.',
    ),
    atLevel(
      'standard',
      boolean(
        'allow_discs',
        30520,
        'Show whole discs',
        'Offer releases that are a disc with its menus (ISO, BDMV) instead of one file. Few of them can be played.',
        false,
      ),
    ),
  ] as const;
}

function dynamicRanges() {
  const help = 'A release with several kinds is offered when one of them is switched on.';
  return [
    standardSwitch('allow_dolby_vision', 30526, 'Show Dolby Vision', help),
    standardSwitch(
      'allow_dolby_vision_alone',
      30528,
      'Show Dolby Vision without fallback',
      'Offer releases in Dolby Vision only. Other screens show them in wrong colours.',
    ),
    standardSwitch('allow_hdr10_plus', 30530, 'Show HDR10+', help),
    standardSwitch('allow_hdr10', 30532, 'Show HDR10', help),
    standardSwitch('allow_hlg', 30534, 'Show HLG', help),
    standardSwitch('allow_sdr', 30536, 'Show SDR', 'Offer releases whose name says SDR.'),
    standardSwitch(
      'allow_unknown_hdr',
      30538,
      'Show unknown dynamic range',
      'Offer releases whose name tells no dynamic range. Most of them are SDR.',
    ),
  ] as const;
}

function sounds() {
  const help = 'A release with several kinds of sound is offered when one of them is switched on.';
  return [
    standardSwitch('allow_atmos', 30540, 'Show Dolby Atmos', help),
    standardSwitch('allow_truehd', 30542, 'Show TrueHD', help),
    standardSwitch('allow_dts_x', 30544, 'Show DTS:X', help),
    standardSwitch('allow_dts_hd_ma', 30546, 'Show DTS-HD MA', help),
    standardSwitch('allow_dts_hd_hr', 30548, 'Show DTS-HD HR', help),
    standardSwitch('allow_dts', 30550, 'Show DTS', help),
    standardSwitch('allow_dd_plus', 30552, 'Show Dolby Digital Plus', help),
    standardSwitch('allow_dd', 30554, 'Show Dolby Digital', help),
    standardSwitch('allow_aac', 30556, 'Show AAC', help),
    standardSwitch('allow_lossless', 30558, 'Show FLAC, PCM and ALAC', help),
    standardSwitch('allow_other_audio', 30560, 'Show Opus, Vorbis and MP3', help),
    standardSwitch(
      'allow_unknown_audio',
      30562,
      'Show unknown sound',
      'Offer releases whose name does not tell the sound.',
    ),
  ] as const;
}

function codecs() {
  const help = 'Offer releases in this video format.';
  return [
    standardSwitch('allow_hevc', 30564, 'Show HEVC (H.265)', help),
    standardSwitch('allow_avc', 30566, 'Show AVC (H.264)', help),
    standardSwitch('allow_av1', 30568, 'Show AV1', help),
    standardSwitch('allow_vvc', 30570, 'Show VVC (H.266)', help),
    standardSwitch('allow_vp9', 30572, 'Show VP9', help),
    standardSwitch('allow_vc1', 30574, 'Show VC-1', help),
    standardSwitch('allow_mpeg2', 30576, 'Show MPEG-2', help),
    standardSwitch('allow_xvid', 30578, 'Show XviD and DivX', help),
    standardSwitch(
      'allow_unknown_codec',
      30580,
      'Show unknown video formats',
      'Offer releases whose name does not tell the video format.',
    ),
  ] as const;
}

/** Shown to everybody. */
function basicSwitch<const Id extends string>(id: Id, stringId: number, label: string, help: string) {
  return boolean(id, stringId, label, help, true);
}

/** Shown to whoever wants to see more than the least. */
function standardSwitch<const Id extends string>(id: Id, stringId: number, label: string, help: string) {
  return atLevel('standard', basicSwitch(id, stringId, label, help));
}
