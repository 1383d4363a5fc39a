import { describe, expect, it } from 'vitest';
import { loadReleaseNameParser } from '../../src/release/index.ts';

const parse = await loadReleaseNameParser();

describe('a language before the year', () => {
  it.each([
    ['Film.Titel.German.2016.DL', 'Film Titel', ['de']],
    ['Film.Titel.German.2016.DL.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.2016.ML.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film Titel German 2016 DL 1080p', 'Film Titel', ['de']],
    ['Film Titel German (2016) DL 1080p', 'Film Titel', ['de']],
    ['Film.Titel.German.2016.Dubbed.1080p.WEB.h264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.2016.AC3D.BDRip.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.2016.EAC3D.1080p.WEB.h264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.2016.AC3MD.TS.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.2016.DTSD.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.DL.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.Dubbed.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.Dubbed.DL.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.Uncut.German.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.UNCUT.German.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.German.Uncut.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.Extended.German.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.Directors.Cut.German.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.UNCUT.GERMAN.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Film.Titel.GERMAN.2016.1080p.BluRay.x264-INV', 'Film Titel', ['de']],
    ['Sintel.French.2010.DUAL.1080p.WEB.h264-INV', 'Sintel', ['fr']],
    ['Sintel.Italian.2010.MULTi.1080p.WEB.h264-INV', 'Sintel', ['it']],
    ['Sintel.Spanish.2010.Dual.1080p.WEB.h264-INV', 'Sintel', ['es']],
    ['Big.Buck.Bunny.Hindi.2008.Dubbed.720p.WEBRip.x264-INV', 'Big Buck Bunny', ['hi']],
    ['Cosmos.Laundromat.Russian.2015.Dub.1080p.WEB-DL-INV', 'Cosmos Laundromat', ['ru']],
  ])('%s: %s in %j', (name, title, languages) => {
    const read = parse(name);
    expect({ title: read.title, languages: read.languages }).toEqual({ title, languages });
  });

  it.each([
    ['The.Good.German.2006.1080p.BluRay.x264-INV', 'The Good German'],
    ['The.Good.German.2006.German.DL.1080p.BluRay.x264-INV', 'The Good German'],
    ['The.German.2016.DL.1080p.BluRay.x264-INV', 'The German'],
    ['Broken.English.2007.1080p.BluRay.x264-INV', 'Broken English'],
    ['Mr.English.2014.FRENCH.DVDRip.XviD-INV', 'Mr English'],
    ['Mr.English.2014.FRENCH.DUAL.DVDRip.XviD-INV', 'Mr English'],
    ['EXTENDED.GERMAN.2010.1080p', 'EXTENDED GERMAN'],
  ])('%s is called %s', (name, title) => {
    expect(parse(name).title).toBe(title);
  });
});

describe('an edition before the year', () => {
  it.each([
    ['Open.Sky.UNCUT.2010.1080p.BluRay.x264-INV', 'Uncut'],
    ['Open.Sky.Uncut.2010.1080p.BluRay.x264-INV', 'Uncut'],
    ['Open Sky UNCUT (2010) 1080p', 'Uncut'],
    ['Open Sky (UNCUT) 2010 1080p', 'Uncut'],
    ['Open Sky [UNCUT] (2010) [1080p]', 'Uncut'],
    ['Open.Sky.UNCUT.German.2010.1080p', 'Uncut'],
    ['Open.Sky.UNCUT.GERMAN.2010.1080p', 'Uncut'],
    ['Open.Sky.UNCUT.German.DL.2010.1080p', 'Uncut'],
    ['Open.Sky.German.UNCUT.2010.1080p', 'Uncut'],
    ['Open.Sky.GERMAN.UNCUT.2010.1080p', 'Uncut'],
    ['Open.Sky.Extended.German.2010.DL.1080p', 'Extended'],
    ['Open.Sky.EXTENDED.FRENCH.2010.1080p', 'Extended'],
    ['Open.Sky.Unrated.Italian.2010.1080p', 'Unrated'],
    ['Open.Sky.Remastered.German.2010.1080p', 'Remastered'],
    ['Open.Sky.Directors.Cut.German.2010.1080p', "Director's Cut"],
    ['Open.Sky.German.Directors.Cut.2010.1080p', "Director's Cut"],
    ['Open Sky UNCUT 2010 1080p', 'Uncut'],
    ['Open Sky Uncut (2010) [1080p]', 'Uncut'],
    ['Open.Sky.uncut.2010.1080p.BluRay.x264-INV', 'Uncut'],
    ['Open.Sky.UNCUT.2010.German.DL.1080p.BluRay.x264-INV', 'Uncut'],
    ['Open.Sky.EXTENDED.2010.1080p.BluRay.x264-INV', 'Extended'],
    ['Open Sky (Extended) (2010) 1080p', 'Extended'],
    ['Open Sky [EXTENDED] 2010 1080p', 'Extended'],
    ['Open.Sky.German.Extended.2010.DL.1080p', 'Extended'],
    ['Open.Sky.UNRATED.2010.1080p.BluRay.x264-INV', 'Unrated'],
    ['Open Sky (Unrated) 2010 1080p', 'Unrated'],
    ['Open.Sky.REMASTERED.2010.1080p.BluRay.x264-INV', 'Remastered'],
    ['Open.Sky.DIRECTORS.CUT.2010.1080p.BluRay.x264-INV', "Director's Cut"],
    ["Open Sky (Director's Cut) (2010) 1080p", "Director's Cut"],
    ['Open.Sky.Directors.Cut.FRENCH.2010.1080p', "Director's Cut"],
  ])('%s: %s', (name, edition) => {
    const read = parse(name);
    expect({ title: read.title, year: read.year, editions: read.editions }).toEqual({
      title: 'Open Sky',
      year: 2010,
      editions: [edition],
    });
  });
});

describe('a year behind the season', () => {
  it.each([
    'Open Sky (Season 1) 2016 1080p',
    'Open Sky (Season 1) (2016) 1080p',
    'Open Sky (Season 1, 2016) 1080p',
    'Open Sky [Season 1] [2016] 1080p',
    'Open Sky (S01) 2016 1080p',
    'Open Sky (2016) (Season 1) 1080p',
    'Open Sky (Season 1) - 2016 - 1080p',
    'Open Sky (Season 1) Complete 2016 1080p',
    'Open Sky (Season 1) 1080p 2016',
    'Open Sky (Season 1) WEB-DL 1080p 2016',
    'Open Sky Season 1 Complete 2016 1080p',
    'Open.Sky.S01.COMPLETE.2016.1080p.WEB.h264-INV',
    'Open.Sky.S01.German.2016.1080p.WEB.h264-INV',
    'Open.Sky.S01.GERMAN.DL.2016.1080p.WEB.h264-INV',
    'Open.Sky.S01.1080p.2016.WEB.h264-INV',
    'Open Sky (Season 1) [2016] [1080p]',
    'Open Sky [S01] (2016) 1080p',
    'Open Sky (Season 1) 2016 [1080p] [WEB-DL]',
    'Open Sky (Season 1 Complete) 2016 1080p',
    'Open Sky Season 1 (2016) 1080p',
    'Open Sky S01 (2016) 1080p WEB-DL',
    'Open.Sky.S01.2016.1080p.WEB.h264-INV',
    'Open.Sky.S01.Complete.German.2016.1080p.WEB.h264-INV',
    'Open.Sky.S01.FRENCH.2016.1080p.WEB.h264-INV',
  ])('is read from %s', (name) => {
    const { title, seasons, year, resolution } = parse(name);
    expect({ title, seasons, year, resolution }).toEqual({
      title: 'Open Sky',
      seasons: [1],
      year: 2016,
      resolution: '1080p',
    });
  });

  it.each([
    'Open.Sky.S2016E01.1080p.WEB.h264-INV',
    'Open.Sky.S2016E01E02.1080p.WEB.h264-INV',
    'Open.Sky.2016x01.1080p.WEB.h264-INV',
    'Open.Sky.S2016.1080p.WEB.h264-INV',
  ])('is that by which the season is counted in %s', (name) => {
    const { title, seasons, year } = parse(name);
    expect({ title, seasons, year }).toEqual({ title: 'Open Sky', seasons: [2016], year: 2016 });
  });

  it("is none among the words of an episode's title, nor of several such seasons", () => {
    expect(parse('Open.Sky.S01E02.The.Summer.Of.2016.1080p.WEB.h264-INV').year).toBeUndefined();
    expect(parse('Open.Sky.S2016-S2018.1080p.WEB.h264-INV').year).toBeUndefined();
  });

  it('is that of the name beside such a season', () => {
    expect(parse('Open.Sky.2010.S2016E01.1080p.WEB.h264-INV')).toMatchObject({ seasons: [2016], year: 2010 });
  });
});

describe('tags that are glued', () => {
  it.each([
    ['Sintel (2010) [Bluray1080p]', '1080p', 'BluRay', undefined],
    ['Sintel.2010.BluRay1080p.x264-INV', '1080p', 'BluRay', 'AVC'],
    ['Sintel.2010.BluRay720p-INV', '720p', 'BluRay', undefined],
    ['Sintel.2010.1080pBluRay.x264-INV', '1080p', 'BluRay', 'AVC'],
    ['Sintel.2010.BDRip720p-INV', '720p', 'BluRay', undefined],
    ['Sintel.2010.WEBDL1080p-INV', '1080p', 'WEB-DL', undefined],
    ['Sintel.2010.WEB-DL1080p-INV', '1080p', 'WEB-DL', undefined],
    ['Sintel.2010.WEB1080p-INV', '1080p', 'WEB-DL', undefined],
    ['Sintel.2010.WEBRip2160p-INV', '2160p', 'WEBRip', undefined],
    ['Sintel.2010.DVDRip480p-INV', '480p', 'DVD', undefined],
    ['Sintel.2010.HDTV720p.x264-INV', '720p', 'HDTV', 'AVC'],
    ['Sintel.2010.HDTV1080i.h264-INV', '1080p', 'HDTV', 'AVC'],
    ['Sintel.2010.720pHDTV-INV', '720p', 'HDTV', undefined],
    ['Sintel.2010.HDTV720px264-INV', '720p', 'HDTV', 'AVC'],
    ['Sintel.2010.720pHDTVx264-INV', '720p', 'HDTV', 'AVC'],
    ['Sintel.2010.1080px264-INV', '1080p', undefined, 'AVC'],
    ['Sintel.2010.2160ph265-INV', '2160p', undefined, 'HEVC'],
    ['Sintel.2010.HDTVx264-INV', undefined, 'HDTV', 'AVC'],
    ['Sintel.2010.HDTVXviD-INV', undefined, 'HDTV', 'XviD'],
    ['Sintel.2010.PDTVx264-INV', undefined, 'HDTV', 'AVC'],
    ['Sintel.2010.WEBx264-INV', undefined, 'WEB-DL', 'AVC'],
    ['Sintel.2010.WEBh264-INV', undefined, 'WEB-DL', 'AVC'],
    ['Sintel.2010.WEB-DLx264-INV', undefined, 'WEB-DL', 'AVC'],
    ['Sintel.2010.WEBRipx264-INV', undefined, 'WEBRip', 'AVC'],
    ['Sintel.2010.BluRayx265-INV', undefined, 'BluRay', 'HEVC'],
    ['Sintel.2010.BluRayHEVC-INV', undefined, 'BluRay', 'HEVC'],
    ['Sintel.2010.BDRipx264-INV', undefined, 'BluRay', 'AVC'],
    ['Sintel.2010.DVDRipXviD-INV', undefined, 'DVD', 'XviD'],
    ['Sintel.2010.DVDRipx264-INV', undefined, 'DVD', 'AVC'],
    ['Sintel.2010.1280*720', '720p', undefined, undefined],
    ['Sintel 2010 [1280*720]', '720p', undefined, undefined],
    ['Sintel 2010 [1920×1080]', '1080p', undefined, undefined],
  ])('%s: %s %s %s', (name, resolution, source, codec) => {
    const read = parse(name);
    expect([read.title, read.year, read.resolution, read.source, read.codec]).toEqual([
      'Sintel',
      2010,
      resolution,
      source,
      codec,
    ]);
    expect(read.group).toBe(name.endsWith('-INV') ? 'INV' : undefined);
  });

  it('are read behind an episode', () => {
    const read = parse('Caminandes.S01E02.HDTVx264-INV');
    expect([read.episodes, read.source, read.codec, read.group]).toEqual([[2], 'HDTV', 'AVC', 'INV']);
  });
});

describe('sound as German groups write it', () => {
  it.each([
    ['AC3D.DL', 'DD'],
    ['AC3D', 'DD'],
    ['AC3.DL', 'DD'],
    ['AC3', 'DD'],
    ['AC3MD', 'DD'],
    ['AC3LD', 'DD'],
    ['AC3.Dubbed.DL', 'DD'],
    ['DL.AC3D', 'DD'],
    ['DD51.DL', 'DD'],
    ['DD20.DL', 'DD'],
    ['EAC3.DL', 'DD+'],
    ['EAC3D.DL', 'DD+'],
    ['EAC3D', 'DD+'],
    ['DL.EAC3D', 'DD+'],
    ['DDP51.DL', 'DD+'],
    ['DDPD.DL', 'DD+'],
    ['DTS.DL', 'DTS'],
    ['DTSD.DL', 'DTS'],
    ['DTSD', 'DTS'],
    ['DL.DTSD', 'DTS'],
    ['DL.AC3', 'DD'],
    ['Dubbed.AC3', 'DD'],
    ['Dubbed.DL.AC3', 'DD'],
    ['DD51', 'DD'],
    ['EAC3', 'DD+'],
    ['DL.EAC3', 'DD+'],
    ['EAC3.Dubbed.DL', 'DD+'],
    ['DDP51', 'DD+'],
    ['DTS', 'DTS'],
    ['DTS.Dubbed.DL', 'DTS'],
  ])('%s is %s', (sound, format) => {
    const read = parse(`Sintel.2010.German.${sound}.1080p.BluRay.x264-INV`);
    const { title, languages, audio, dual, group } = read;
    expect({ title, languages, audio, dual, group }).toEqual({
      title: 'Sintel',
      languages: ['de'],
      audio: [format],
      dual: sound.includes('DL'),
      group: 'INV',
    });
  });
});

describe('a group at the end', () => {
  it.each([
    // Without a dash
    ['Sintel 2010 1080p BluRay x264 INV', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264.INV', 'INV'],
    ['Sintel_2010_1080p_BluRay_x264_INV', 'INV'],
    ['Sintel 2010 1080p WEB-DL AAC2.0 INV', 'INV'],
    ['Sintel 2010 1080p WEB-DL H264 AAC2.0 INV', 'INV'],
    ['Sintel.2010.1080p.WEB-DL.x264.DDP5.1.iNVENT', 'iNVENT'],
    ['Sintel 2010 2160p WEB-DL x265 HDR INV', 'INV'],
    ['Sintel 2010 1080p BluRay x264 Atmos INV', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264.German.INV', 'INV'],
    ['Caminandes S01E02 1080p WEB INV', 'INV'],
    ['Sintel (2010) 1080p BluRay x264- INV', 'INV'],
    // In brackets
    ['Sintel (2010) [1080p] [INV]', 'INV'],
    ['Sintel (2010) [1080p] [INV-MORE]', 'INV-MORE'],
    ['Sintel (2010) [1080p] (INV-MORE)', 'INV-MORE'],
    ['Sintel (2010) [1080p] [BluRay] [5.1] [INV.MX]', 'INV.MX'],
    ['Sintel (2010) (1080p BluRay x265 INV)', 'INV'],
    ['Sintel (2010) (1080p BluRay x265 INV-MORE)', 'INV-MORE'],
    ['Sintel (2010) (1080p BluRay x265 10bit AAC 5.1 INV-MORE)', 'INV-MORE'],
    ['Sintel (2010) [1080p x265-INV-MORE]', 'INV-MORE'],
    // With hyphens
    ['Sintel.2010.1080p.BluRay.x264-INV-MORE', 'INV-MORE'],
    ['Sintel.2010.1080p.BluRay.x264-INV-AND-MORE', 'INV-AND-MORE'],
    ['Sintel.2010.1080p.BluRay.DD5.1.x264-I-N-V', 'I-N-V'],
    ['Sintel.2010.1080p.BluRay.x264-iN-V', 'iN-V'],
    ['Sintel.2010.1080p.WEB-DL-INV-MORE', 'INV-MORE'],
    // Followed by what re-posters add
    ['Sintel.2010.1080p.BluRay.x264-INV-RP', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264-INV-1', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264-INV-PRE', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264-INV.REPOST', 'INV'],
    ['Sintel.2010.1080p.WEB-DL.DDP5.1-INV-RP-Obfuscated', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264-INV-xpost-postbot', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264-INV-MORE-xpost', 'INV-MORE'],
    ['Sintel.2010.1080p.BluRay.x264-INV(site)', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264-INV{site}', 'INV'],
    ['Sintel.2010.1080p.BluRay.x264-INV[site]', 'INV'],
  ])('%s: %s', (name, group) => {
    expect(parse(name).group).toBe(group);
  });

  it.each([
    ['Sintel 2010 1080p WEB-DL AAC2.0 subtitled', undefined],
    ['Sintel (2010) 1080p (Final)', undefined],
    ['Sintel (2010) [1080p] [AMZN]', undefined],
    ['Sintel.2010.1080p.BluRay.x264-DTS', undefined],
    ['Sintel-Part-1', undefined],
  ])('%s has none', (name, group) => {
    expect(parse(name).group).toBe(group);
  });

  it('keeps the dashes and the numbers of a title', () => {
    expect(parse('Big-Buck-Bunny-2008-1080p-BluRay-x264-INV')).toMatchObject({
      title: 'Big Buck Bunny',
      group: 'INV',
    });
    expect(parse('Sintel-Part-1.mkv').title).toBe('Sintel Part 1');
  });
});
