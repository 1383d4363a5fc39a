import { describe, expect, it } from 'vitest';
import { declaredEpisodesOf } from '../../src/job-files/declared-episodes.ts';
import type { Quality } from '../../src/model/index.ts';
import { loadReleaseNameParser } from '../../src/release/index.ts';

const parse = await loadReleaseNameParser();

const numbers = (letter: string, [first, ...more]: readonly number[]) =>
  first === undefined ? '' : `${letter}${first}${more.length === 0 ? '' : `-${more.at(-1) ?? first}`}`;
const code = ({ seasons, episodes }: Pick<Quality, 'seasons' | 'episodes'>) =>
  `${numbers('S', seasons)}${numbers('E', episodes)}`;

/** Names, which numbers they tell ("S1-3": seasons 1 to 3; "S1E2-4": episodes 2 to 4), and under which title. */
type Rows = readonly (readonly [name: string, code: string, title: string])[];

const reads = (rows: Rows) => {
  it.each(rows)('%s: %s of %s', (name, expected, title) => {
    const quality = parse(name);
    expect({ code: code(quality), title: quality.title }).toEqual({ code: expected, title });
  });
};

/** A file in a job is looked at without its tags, by the same rules. */
const readsFiles = (rows: Rows) => {
  it.each(rows)('the file %s: %s', (name, expected) => {
    expect(code(declaredEpisodesOf(name))).toBe(expected);
  });
};

describe('an episode that is told by its code', () => {
  const alone: Rows = [
    ['Open.Sky.S02E06.eps2.4.m4ster', 'S2E6', 'Open Sky'],
    ['Open.Sky.S02E06.eps2.4.m4ster.1080p.WEB.h264-INV', 'S2E6', 'Open Sky'],
    ['Open Sky S02E06 eps2 4 m4ster 720p', 'S2E6', 'Open Sky'],
    ['Open.Sky.S02E06.eps7.the.last.1080p', 'S2E6', 'Open Sky'],
    ['Open.Sky.S02E06.ep9.the.last.1080p', 'S2E6', 'Open Sky'],
    ['Open.Sky.S02E06.E12.Street.1080p', 'S2E6', 'Open Sky'],
    ['Open.Sky.S02E06.E2.1080p', 'S2E6', 'Open Sky'],
    ['Open Sky - S01E01 - 33', 'S1E1', 'Open Sky'],
    ['Open Sky - S01E01 - 33 [1080p]', 'S1E1', 'Open Sky'],
    ['Open Sky - S01E01 - 33 (1080p WEB-DL)', 'S1E1', 'Open Sky'],
    ['Open Sky - S01E01 – 33', 'S1E1', 'Open Sky'],
    ['Open Sky S01 E01 - 33', 'S1E1', 'Open Sky'],
    ['Open Sky S01 Episode 1 - 33', 'S1E1', 'Open Sky'],
    ['Caminandes - S01E02 - 03 [INV]', 'S1E2', 'Caminandes'],
    ['Caminandes - S01E02 - 100.mkv', 'S1E2', 'Caminandes'],
    ['Caminandes - S01E02-E03 - 100.mkv', 'S1E2-3', 'Caminandes'],
    ['Open Sky 5x09 - 100', 'S5E9', 'Open Sky'],
    ['Open Sky 5x09 - 100 [720p]', 'S5E9', 'Open Sky'],
    ['Open Sky - 5x09 - 10 (HDTV)', 'S5E9', 'Open Sky'],
    ['Open Sky 2x05 2x4 Blues', 'S2E5', 'Open Sky'],
    ['Open.Sky.2x05.2x03.and.a.half.HDTV', 'S2E5', 'Open Sky'],
    ['Show S4-24', 'S4E24', 'Show'],
    ['[INV] Show S4-24 [1080p]', 'S4E24', 'Show'],
    ['[INV] Show S4-24v2 [1080p].mkv', 'S4E24', 'Show'],
    ['[INV] Caminandes S2-03 (1080p)', 'S2E3', 'Caminandes'],
    ['[INV] Caminandes S2-03 - 100 (1080p)', 'S2E3', 'Caminandes'],
    ['[INV] Caminandes S2 - 03 (1080p)', 'S2E3', 'Caminandes'],
    ['Caminandes.S01E02x264-INV', 'S1E2', 'Caminandes'],
    ['Caminandes.S01E02-E03x265-INV', 'S1E2-3', 'Caminandes'],
    ['Caminandes.S01E02-720p.WEB', 'S1E2', 'Caminandes'],
    ['Caminandes.S01E02-101.1080p', 'S1E2', 'Caminandes'],
    ['Caminandes.S01E02-007.1080p', 'S1E2', 'Caminandes'],
    ['Caminandes.S01E02.S02E01.1080p', 'S1E2', 'Caminandes'],
    ['Caminandes.S01E02.1x07.720p', 'S1E2', 'Caminandes'],
    ['Caminandes.S01E02.Season.3.Finale', 'S1E2', 'Caminandes'],
    ['Caminandes S01E02, 03', 'S1E2', 'Caminandes'],
  ];
  describe('is not widened by what follows', () => {
    reads(alone);
    readsFiles(alone.filter(([name]) => !name.includes(' S2 - 03')));
  });

  describe('goes on where a mark says so', () => {
    reads([
      ['Caminandes.S01E01-E03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01E01-03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01E01-33.1080p', 'S1E1-33', 'Caminandes'],
      ['Caminandes.S01E099-101.1080p', 'S1E99-101', 'Caminandes'],
      ['Caminandes.S01E99-101.1080p', 'S1E99-101', 'Caminandes'],
      ['Caminandes.S1E9-12.1080p', 'S1E9-12', 'Caminandes'],
      ['Caminandes.S01E01-02v2.1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes.S01E01v2-03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01E01.-.E03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01E01–03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes S01E01~03 1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes S01E01 ~ 03 1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes 1x01 ~ 03 1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes S01E01 - E03 1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes S01E01 – E03 1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes S01E01 - S01E03 1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01E01-S01E03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01E01.S01E02.1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes.S01E01E02.1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes.S01E01E02E03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01E01.E02.1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes S01E01 E02 1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes S01E01 & E02 1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes S01E01, E02 1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes S01E01+02 1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes S01E01 to E03 1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01.E01-E03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.S01.E01.E02.1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes.1x01-03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.1x01-1x03.1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes 1x01 - 1x03 1080p', 'S1E1-3', 'Caminandes'],
      ['Caminandes.1x01x02.1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes.1x01.1x02.1080p', 'S1E1-2', 'Caminandes'],
      ['Caminandes.S01-S03.1080p', 'S1-3', 'Caminandes'],
      ['Caminandes S01 - S03 1080p', 'S1-3', 'Caminandes'],
      ['Caminandes.S01-03.1080p', 'S1-3', 'Caminandes'],
      ['Caminandes.S1-3.1080p', 'S1-3', 'Caminandes'],
      ['Caminandes.S09-11.1080p', 'S9-11', 'Caminandes'],
      ['Caminandes.S01S02.1080p', 'S1-2', 'Caminandes'],
      ['Caminandes S01 + S02 1080p', 'S1-2', 'Caminandes'],
      ['Caminandes S01 to S03 1080p', 'S1-3', 'Caminandes'],
    ]);
  });
});

describe('numbers beside words', () => {
  describe('are no range without its mark', () => {
    const rows: Rows = [
      ['01 - 12 Season 1', 'S1', '01 - 12'],
      ['01-12 Season 1', 'S1', '01-12'],
      ['Open Sky 01 - 12 Season 1', 'S1', 'Open Sky 01 - 12'],
      ['Open Sky 01 - 12 Season 1 1080p WEB-DL', 'S1', 'Open Sky 01 - 12'],
      ['Open Sky 1-3 Season 1', 'S1', 'Open Sky 1-3'],
      ['Gundam 00 - 2nd Season', 'S2', 'Gundam 00'],
      ['Gundam 00 - 2nd Season 1080p', 'S2', 'Gundam 00'],
      ['Open Sky Season 1 Episode 5 - 100', 'S1E5', 'Open Sky'],
      ['Open Sky Season 1 Episode 5 - 100 Ways', 'S1E5', 'Open Sky'],
      ['Open Sky Season 1 Episode 5 – 100 Ways', 'S1E5', 'Open Sky'],
      ['Open Sky Season 1 Ep 5 - 100 Ways', 'S1E5', 'Open Sky'],
      ['Open Sky - Season 1 - Episode 5 - 12', 'S1E5', 'Open Sky'],
      ['Open Sky Staffel 1 Folge 5 - 100', 'S1E5', 'Open Sky'],
      ['Open Sky Temporada 1 Capitulo 5 - 100', 'S1E5', 'Open Sky'],
      ['Open Sky Season 1 Episode 5, 100 Ways', 'S1E5', 'Open Sky'],
      ['Open Sky Season 1 Episode 5 & 100 Ways', 'S1E5', 'Open Sky'],
      ['Open Sky Season 1 Episode 5 and 100 Ways', 'S1E5', 'Open Sky'],
      ['Open Sky Season 1 Episode 5 a 12 Step Plan', 'S1E5', 'Open Sky'],
      ['Open Sky Season 2 - 24', 'S2E24', 'Open Sky'],
      ['Open Sky Season 2 a 12 Step Plan', 'S2', 'Open Sky'],
      ['Open Sky - Episode 5 - 100', 'E5', 'Open Sky'],
      ['Open Sky - Episode 5 - 100 Ways', 'E5', 'Open Sky'],
      ['Open Sky E05 - 100', 'E5', 'Open Sky'],
      ['Open Sky EP05 eps2 4', 'E5', 'Open Sky'],
      ['Open Sky 00 - 12 серия', 'E12', 'Open Sky 00'],
      ['Series 1 Disk 2 of 2', '', 'Series 1 Disk 2 of 2'],
      ['Open Sky Series 1 Disk 2 of 2', 'S1', 'Open Sky'],
      ['Open Sky Season 1 Disc 2 of 3', 'S1', 'Open Sky'],
      ['Open Sky Season 1 DVD 2 of 3', 'S1', 'Open Sky'],
      ['Open Sky Season 1 Disc 2of3', 'S1', 'Open Sky'],
      ['Open Sky Season 1 Volume 2 of 3', 'S1', 'Open Sky'],
      ['Open Sky Season 1 Box 2 of 3', 'S1', 'Open Sky'],
      ['Open Sky Season 1 Discs 1-2 of 4', 'S1', 'Open Sky'],
      ['Open Sky Pack 2 of 5', '', 'Open Sky Pack 2 of 5'],
    ];
    reads(rows);
  });

  describe('are a range with it', () => {
    reads([
      ['Open Sky Season 1-3', 'S1-3', 'Open Sky'],
      ['Open Sky Seasons 1 - 3', 'S1-3', 'Open Sky'],
      ['Open Sky Seasons 1, 2 & 3', 'S1-3', 'Open Sky'],
      ['Open Sky Season 1 & 2', 'S1-2', 'Open Sky'],
      ['Open Sky Season 1 and 2', 'S1-2', 'Open Sky'],
      ['Open Sky Season 1 to 3', 'S1-3', 'Open Sky'],
      ['Open Sky Staffel 1-3', 'S1-3', 'Open Sky'],
      ['Open Sky Staffel 1 bis 3', 'S1-3', 'Open Sky'],
      ['Open Sky Staffeln 1 - 3', 'S1-3', 'Open Sky'],
      ['Open Sky Temporada 1 a 3', 'S1-3', 'Open Sky'],
      ['Open Sky Saisons 1 - 3', 'S1-3', 'Open Sky'],
      ['Open Sky Saison 1 à 3', 'S1-3', 'Open Sky'],
      ['Open Sky 1st-3rd Season', 'S1-3', 'Open Sky'],
      ['Open Sky 1 - 3 сезон', 'S1-3', 'Open Sky'],
      ['Open Sky 1-3 сезоны', 'S1-3', 'Open Sky'],
      ['Open Sky Сезоны 1 - 3', 'S1-3', 'Open Sky'],
      ['Open Sky Season 1 Episode 1-3', 'S1E1-3', 'Open Sky'],
      ['Open Sky Season 1 Episodes 1 - 3', 'S1E1-3', 'Open Sky'],
      ['Open Sky Season 1 Episodes 1 to 3', 'S1E1-3', 'Open Sky'],
      ['Open Sky Season 1 Episode 1 and 2', 'S1E1-2', 'Open Sky'],
      ['Open Sky Season 1 Episode 1 & 2', 'S1E1-2', 'Open Sky'],
      ['Open Sky Staffel 1 Folgen 1 - 3', 'S1E1-3', 'Open Sky'],
      ['Open Sky Temporada 1 Capitulos 1 - 3', 'S1E1-3', 'Open Sky'],
      ['Open Sky Temporada 1 Capitulo 1 a 3', 'S1E1-3', 'Open Sky'],
      ['Open Sky E01-E03', 'E1-3', 'Open Sky'],
      ['Open Sky E01 - E03', 'E1-3', 'Open Sky'],
      ['Open Sky E01-03', 'E1-3', 'Open Sky'],
      ['Open Sky 1 - 3 серии', 'E1-3', 'Open Sky'],
      ['Open Sky Series 1 Part 2 of 2', 'S1E2', 'Open Sky'],
      ['Open Sky 2 of 6', 'E2', 'Open Sky'],
      ['Open Sky 01-02 of 12', 'E1-2', 'Open Sky'],
      ['Open Sky Ep 1-2 of 12', 'E1-2', 'Open Sky'],
      ['Open Sky Ep 1 - 2 of 12', 'E1-2', 'Open Sky'],
    ]);
  });
});

describe("a number without a word behind a title's own number", () => {
  reads([
    ['Eyeshield 21 - 101', 'E101', 'Eyeshield 21'],
    ['[INV] Eyeshield 21 - 101 [1080p]', 'E101', 'Eyeshield 21'],
    ['[INV] Eyeshield 21 - 101v2 [1080p].mkv', 'E101', 'Eyeshield 21'],
    ['[INV]_Eyeshield_21_-_101_[1080p].mkv', 'E101', 'Eyeshield 21'],
    ['[INV] Eyeshield 21 – 101 [1080p]', 'E101', 'Eyeshield 21'],
    ['[INV] Eyeshield 21 - 30 of 145', 'E30', 'Eyeshield 21'],
    ['Gundam 00 - 12', 'E12', 'Gundam 00'],
    ['[INV] Gundam 00 - 12 [720p]', 'E12', 'Gundam 00'],
    ['[INV] Gundam 00 - 12 END [720p]', 'E12', 'Gundam 00'],
    ['[INV] Gundam 00 - 12 - Reunion [720p]', 'E12', 'Gundam 00'],
    ['[INV] Gundam 00 S2 - 12 [720p]', 'S2E12', 'Gundam 00'],
    ['[INV] Gundam 00 - 01 [720p]', 'E1', 'Gundam 00'],
    ['Cyborg 009 - 30', 'E30', 'Cyborg 009'],
    ['[INV] Cyborg 009 - 30 (1080p)', 'E30', 'Cyborg 009'],
    ['[INV] Cyborg 009 - 30 (DVDRip x264 AAC)', 'E30', 'Cyborg 009'],
    ['[INV] Cyborg 009 - 010 (1080p)', 'E10', 'Cyborg 009'],
    ['[INV] Agent 327 - 400 [1080p]', 'E400', 'Agent 327'],
    ['[INV] Agent 327 - 08 [1080p]', 'E8', 'Agent 327'],
    ['[INV] Caminandes 13 - 24 [1080p]', 'E24', 'Caminandes 13'],
    ['[INV] Caminandes 3 - 12 [1080p]', 'E12', 'Caminandes 3'],
    ['[INV] Caminandes - 05 - 12 [1080p]', 'E5', 'Caminandes'],
    ['[INV] Caminandes - 05 - 12 Llamas [1080p]', 'E5', 'Caminandes'],
    ['[INV] Caminandes 3 - 12v2 [1080p].mkv', 'E12', 'Caminandes 3'],
    ['[INV] Caminandes 3 - 12 END (1080p)', 'E12', 'Caminandes 3'],
    ['[INV] Caminandes 3 - 12 (1080p) [0A1B2C3D].mkv', 'E12', 'Caminandes 3'],
    ['[INV]_Agent_327_-_08_[1080p].mkv', 'E8', 'Agent 327'],
    ['[INV] Agent 327 – 08 [1080p]', 'E8', 'Agent 327'],
    ['[INV] Agent 327 - 08 - The Vault [1080p]', 'E8', 'Agent 327'],
    ['[INV] Agent 327 S2 - 08 [1080p]', 'S2E8', 'Agent 327'],
    ['Agent 327 - 08', 'E8', 'Agent 327'],
  ]);

  describe('is a range', () => {
    reads([
      ['[INV] Caminandes 01-12 [1080p]', 'E1-12', 'Caminandes'],
      ['[INV] Caminandes 13-24 [1080p]', 'E13-24', 'Caminandes'],
      ['[INV] Caminandes - 13-24 [1080p]', 'E13-24', 'Caminandes'],
      ['[INV] Caminandes 01 - 12 [1080p]', 'E1-12', 'Caminandes'],
      ['[INV] Caminandes - 01 - 12 [1080p]', 'E1-12', 'Caminandes'],
      ['[INV] Caminandes 001 - 120 [1080p]', 'E1-120', 'Caminandes'],
      ['[INV] Caminandes (01 - 12) [1080p]', 'E1-12', 'Caminandes'],
      ['[INV] Caminandes (13 - 24) [1080p]', 'E13-24', 'Caminandes'],
      ['[INV] Caminandes [13 - 24] [1080p]', 'E13-24', 'Caminandes'],
      ['[INV] Caminandes 13 ~ 24 [1080p]', 'E13-24', 'Caminandes'],
      ['[INV] Caminandes - 13 ~ 24 [1080p]', 'E13-24', 'Caminandes'],
      ['[INV] Caminandes (Season 2) 13 - 24 [1080p]', 'S2E13-24', 'Caminandes'],
      ['[INV] Caminandes S2 13 - 24 [1080p]', 'S2E13-24', 'Caminandes'],
      ['[INV] Caminandes S2 - 13-24 [1080p]', 'S2E13-24', 'Caminandes'],
      ['[INV] Caminandes - 05 & 06 [1080p]', 'E5-6', 'Caminandes'],
    ]);
  });
});

describe('a group that is called as a number', () => {
  it.each([
    ['Sintel.2010.1080p.BluRay.x264-S56', 'S56'],
    ['Sintel.2010.1080p.BluRay.x264-S56.mkv', 'S56'],
    ['Sintel.2010.1080p.BluRay.x264-S56.nzb', 'S56'],
    ['Sintel.2010.1080p.BluRay.x264-S56-Obfuscated', 'S56'],
    ['Sintel.2010.1080p.BluRay.x264-s56', 's56'],
    ['Sintel (2010) (1080p BluRay x264-S56)', 'S56'],
    ['Sintel (2010) [1080p BluRay x264-S56]', 'S56'],
    ['Sintel 2010 1080p BluRay x264-S56', 'S56'],
    ['Sintel.2010.1080p.WEB-DL.AAC2.0-S56', 'S56'],
    ['Sintel.2010.1080p.WEB-DL.DDP5.1-S56', 'S56'],
    ['Sintel.2010.1080p.WEB-DL.H.264-S4', 'S4'],
    ['Sintel.2010.1080p.WEB-S007', 'S007'],
    ['Sintel.2010.REMUX-E7', 'E7'],
    ['Sintel.2010.1080p.BluRay.x264-EP1', 'EP1'],
    ['Sintel.2010.2160p.WEB-DL.HDR.HEVC-S56', 'S56'],
    ['Sintel.2010.German.DL.1080p.BluRay.x264-S56', 'S56'],
    ['Sintel.2010.DVDRip.XviD-S56', 'S56'],
    ['Sintel.2010.PROPER.1080p.WEB.H264-S56', 'S56'],
    ['Sintel.2010.1080p.WEB.H264-e11', 'e11'],
  ])('%s is by %s', (name, group) => {
    const quality = parse(name);
    expect({ code: code(quality), group: quality.group }).toEqual({ code: '', group });
  });

  it.each([
    ['Caminandes.S01E02.1080p.WEB.x264-S56', 'S1E2', 'S56'],
    ['Caminandes.S01.1080p.WEB.x264-S56', 'S1', 'S56'],
    ['Caminandes.Season.1.1080p.WEB.x264-S56', 'S1', 'S56'],
    ['Caminandes.E05.1080p.WEB.x264-S56', 'E5', 'S56'],
    ['[INV] Caminandes - 05 [1080p x264-S56]', 'E5', 'S56'],
    ['Caminandes.1x02.720p.HDTV.x264-S56', 'S1E2', 'S56'],
    ['Caminandes.S01E02-E03.1080p.WEB.x264-S56', 'S1E2-3', 'S56'],
    ['Caminandes.S01E02.1080p.WEB.x264-E7', 'S1E2', 'E7'],
    ['Caminandes-S02', 'S2', undefined],
    ['Caminandes.S01-S02', 'S1-2', undefined],
    ['Caminandes.German-S02', 'S2', undefined],
  ])('%s: %s by %s', (name, expected, group) => {
    const quality = parse(name);
    expect({ code: code(quality), group: quality.group }).toEqual({ code: expected, group });
  });
});
