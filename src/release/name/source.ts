import { exactPhrasesFor, type Phrase, phrasesFor } from './tags.ts';

/** Where the picture comes from, and what was done to it. */
export const SOURCE: readonly Phrase[] = [
  ...phrasesFor('strong', { source: 'BluRay', pressed: true }, 'bluray, blu ray'),
  ...phrasesFor(
    'strong',
    { source: 'BluRay' },
    'bdrip, bd rip, brrip, br rip, bdmux, blurayrip, blu rayrip, bluray rip, blu ray rip, bdlight, hdlight bluray, bluraydisc, bdr, mbluray, m bluray',
  ),
  ...phrasesFor('late', { source: 'BluRay' }, 'bd, br'),
  ...phrasesFor(
    'strong',
    { source: 'BluRay', remux: true },
    'bdremux, bd remux, bluray remux, blu ray remux, brremux, blurayremux',
  ),
  ...phrasesFor('strong', { source: 'DVD', remux: true }, 'dvdremux, dvd remux'),
  ...phrasesFor('strong', { remux: true }, 'remux'),
  ...phrasesFor(
    'strong',
    { source: 'BluRay', disc: true },
    'complete bluray, complete blu ray, full bluray, full blu ray, full bd, bdmv, bd25, bd50, bd66, bd100, bd 25, bd 50, bd 66, bd 100, bd5, bd9, bluray disc, blu ray disc, complete bd, bluray untouched, untouched bluray, br disk, brdisk, bd disk, bluray disk, full uhd bluray, full uhd blu ray, complete hddvd, complete mbluray',
  ),
  ...phrasesFor(
    'strong',
    { source: 'DVD', disc: true },
    'dvd5, dvd9, dvd 5, dvd 9, dvdr5, dvdr9, dvd r, dvdr, full dvd, complete dvd, video ts, 2xdvd9, 2xdvd5, mdvdr',
  ),
  ...phrasesFor('late', { disc: true, container: 'iso' }, 'iso'),
  ...phrasesFor(
    'strong',
    { source: 'BluRay', disc: true, container: 'iso' },
    'bluray iso, bd iso, bdiso, blu ray iso',
  ),
  ...phrasesFor('strong', { source: 'DVD', disc: true, container: 'iso' }, 'dvd iso, dvdiso'),
  ...phrasesFor(
    'late',
    { disc: true },
    'full disc, fulldisc, complete disc, disc, disc1, disc2, disc3, disc4, disc5, disc6, disc7, disc8, disc 1, disc 2, disc 3, disc 4, disc 5, disc 6, disk 1, disk 2, disk 3, disk 4, disk 5, disk 6',
  ),

  ...phrasesFor(
    'strong',
    { source: 'WEB-DL' },
    'webdl, web dl, webhd, web hd, webdlmux, web dlmux, web download, webmux',
  ),
  ...phrasesFor('weak', { source: 'WEB-DL' }, 'web'),
  ...phrasesFor(
    'strong',
    { source: 'WEBRip' },
    'webrip, web rip, webcap, web cap, webdlrip, web dlrip, web dl rip, webripmux, vodrip, vod rip',
  ),

  ...phrasesFor('strong', { source: 'HD-DVD' }, 'hddvd, hd dvd, hddvdrip, hd dvdrip'),
  ...phrasesFor(
    'strong',
    { source: 'HDTV' },
    'hdtv, hdtvrip, hdtv rip, ahdtv, pdtv, hd tv, dvbrip, dvb rip, dvb t2, hdtvmux, uhdtv',
  ),
  ...phrasesFor('late', { source: 'HDTV' }, 'dvb, dvb t, dvb s, dvb s2, dvb c, hdsat'),
  ...phrasesFor('strong', { source: 'HDRip' }, 'hdrip, hd rip'),
  ...phrasesFor('strong', { source: 'DVD' }, 'dvdrip, dvd rip, dvdmux, dvd r5'),
  ...phrasesFor('late', { source: 'DVD' }, 'dvd, r5, r6, dvd1, dvd2'),
  ...phrasesFor(
    'strong',
    { source: 'TV' },
    'sdtv, dsr, dsrip, dsr rip, satrip, sat rip, tvrip, tv rip, dthrip, dth rip, dtvrip, dtv, ppv rip, ppvrip, iptvrip, iptv, tvcap, digitalrip',
  ),
  ...phrasesFor('late', { source: 'TV' }, 'dth'),
  ...phrasesFor('strong', { source: 'VHS' }, 'vhsrip, vhs rip'),
  ...phrasesFor('late', { source: 'VHS' }, 'vhs'),
  ...phrasesFor('strong', { source: 'LaserDisc' }, 'laserdisc, ldrip, ld rip, laserdiscrip'),
  ...phrasesFor(
    'strong',
    { source: 'Screener' },
    'screener, dvdscr, dvd scr, dvdscreener, dvd screener, bdscr, bd scr, webscr, web scr, hdscr, scrrip, brscr, vhsscr, vhs scr, web screener, webscreener, bd screener',
  ),
  ...phrasesFor('late', { source: 'Screener' }, 'scr'),
  ...phrasesFor('strong', { source: 'Telecine' }, 'telecine, hdtc, hd tc, tcrip'),
  ...exactPhrasesFor('late', { source: 'Telecine' }, 'TC'),
  ...phrasesFor(
    'strong',
    { source: 'Telesync' },
    'telesync, hdts, hd ts, tsrip, hqts, hd telesync, hdtelesync, pdvd, predvd, predvdrip, pre dvdrip, pdvdrip, pre dvd, ts rip',
  ),
  ...exactPhrasesFor('late', { source: 'Telesync' }, 'TS'),
  ...phrasesFor(
    'strong',
    { source: 'CAM' },
    'camrip, cam rip, hdcam, hd cam, hqcam, hdcamrip, hd camrip, newcam',
  ),
  ...phrasesFor('weak', { source: 'CAM' }, 'cam'),
  ...phrasesFor('strong', { source: 'Workprint' }, 'workprint, work print'),
  ...exactPhrasesFor('late', { source: 'Workprint' }, 'WP'),

  ...phrasesFor('strong', { proper: true, revision: 2 }, 'real proper, proper real, proper2, proper 2'),
  ...phrasesFor('weak', { proper: true, revision: 1 }, 'proper, real'),
  ...phrasesFor('strong', { repack: true, revision: 1 }, 'repack, rerip, repack1'),
  ...phrasesFor('strong', { repack: true, revision: 2 }, 'repack2, repack 2, rerip2, real repack, repackv2'),
  ...phrasesFor('strong', { repack: true, revision: 3 }, 'repack3, repack 3, rerip3, repackv3'),
  ...phrasesFor('strong', { repack: true, revision: 4 }, 'repack4'),
  ...phrasesFor('strong', { proper: true, revision: 3 }, 'proper3, real real proper'),
  ...phrasesFor('strong', { proper: true, repack: true, revision: 2 }, 'proper repack, repack proper'),
  ...phrasesFor('late', { revision: 1 }, 'v2'),
  ...phrasesFor('late', { revision: 2 }, 'v3'),
  ...phrasesFor('late', { revision: 3 }, 'v4'),

  ...exactPhrasesFor('late', { container: 'mkv' }, 'MKV, mkv, Mkv'),
  ...exactPhrasesFor('late', { container: 'mp4' }, 'MP4, mp4, Mp4'),
  ...exactPhrasesFor('late', { container: 'avi' }, 'AVI, avi, Avi'),
  ...exactPhrasesFor('late', { container: 'wmv' }, 'WMV, wmv'),
  ...exactPhrasesFor('late', { container: 'm2ts' }, 'M2TS, m2ts'),
];

/** Words that tell nothing of ours, but belong to the tags: they end no chain of them. */
export const FILLER: readonly Phrase[] = [
  ...phrasesFor('weak', {}, 'internal, retail, limited'),
  ...phrasesFor(
    'late',
    {},
    'int, stv, raw, raws, chaps, chapters, cd1, cd2, cd3, cd 1, cd 2, cd1of2, cd2of2, cd1of3, cd2of3, cd3of3, part1, part2, dxva, uncropped, b&w, bw, bonus disc, festival, ws, fs, ntsc, pal, widescreen, fullscreen, dirfix, nfofix, syncfix, read nfo, readnfo, untouched, hq, lq, mhd, hdlight, 4klight, light, line, ld, md, crf, crf18, crf20, hc, hardcoded, reencode, encode, doku, hfr, 60fps, 50fps, 24fps, 25fps, 30fps, 120fps, fps, convert, ntb, rip, commentary, extras, bonus, hd, sd, ppv, vod',
  ),
];
