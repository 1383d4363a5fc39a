import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mimeByName, VIDEO_EXTENSIONS } from '../../src/media/mime.ts';
import { mimeForPlayer, urlExtensionOf } from '../../src/media/player-mime.ts';
import { HEADS } from './heads.ts';

const MATROSKA = Object.values(HEADS.mkv)[0]!;

describe('what Kodi opens by itself', () => {
  it.each(VIDEO_EXTENSIONS)('may end as a video does: %s', (ending) => {
    const mime = mimeByName(`x.${ending}`);
    expect(mime).toMatch(/^video\//);
    for (const place of ['http://nas:3000/a/', 'smb://nas/films/', '/films/', 'C:\\films\\'])
      expect(urlExtensionOf(`${place}Sintel.2010.${ending.toUpperCase()}`)).toEqual({ kind: 'video', mime });
  });

  it.each([
    'http://nas:3000/Sintel.strm',
    'http://nas:3000/Sintel.mkv.STRM',
    'http://nas:3000/Sintel.m3u8?name=Sintel.mkv',
    'http://nas:3000/Sintel.m3u#Sintel.mkv',
    // Kodi ends the path of a URL at these, too.
    'http://nas:3000/Sintel.strm;Sintel.mkv',
    'http://nas:3000/Sintel.strm|x=/Sintel.mkv',
    'http://nas:3000/Sintel%2estrm',
    'http://nas:3000/Sintel.%73trm',
    'http://nas:3000/Sintel.strm%3bSintel.mkv%2f..%2fSintel.pls',
    'http://nas:3000/Sintel.zip',
    'smb://nas/films/Sintel.001',
    '/films/Sintel.xsp',
    'http://nas:3000/Sintel.strm ',
  ])('must not end as anything else does: %s', (address) => {
    expect(urlExtensionOf(address)).toMatchObject({ kind: 'other' });
    expect(() => mimeForPlayer(address, MATROSKA)).toThrow('its address ends in ".');
  });

  it.each([
    'http://nas:3000/play/3f9a1c',
    'http://nas:3000/Sintel.2010.1080p',
    'http://nas:3000/Sintel.2010.1080p.x264-GRP',
    'http://nas:3000/',
    'http://nas:3000/a.strm/Sintel',
    'http://nas:3000/Sintel.mkv;v=1',
  ])('is what its first bytes are where no ending tells: %s', (address) => {
    expect(urlExtensionOf(address)).toEqual({ kind: 'none' });
    expect(mimeForPlayer(address, MATROSKA)).toBe('video/x-matroska');
    for (const head of [Buffer.from('plugin://plugin.video.other/'), Buffer.from('#EXTM3U\n'), undefined])
      expect(() => mimeForPlayer(address, head)).toThrow('neither its address nor its first bytes');
  });

  it('is told to be what it holds before what it is called', () => {
    expect(mimeForPlayer('http://nas:3000/Sintel.avi', MATROSKA)).toBe('video/x-matroska');
    expect(mimeForPlayer('http://nas:3000/Sintel.avi')).toBe('video/x-msvideo');
  });

  it('never is a list, whatever stands around its ending', () => {
    const endings = ['strm', 'm3u', 'm3u8', 'pls', 'STRM', 'url', 'xspf', 'rar'];
    const around = fc.string({ maxLength: 12 }).map((text) => text.replaceAll('/', ''));
    fc.assert(
      fc.property(
        around,
        fc.constantFrom(...endings),
        fc.constantFrom('', '?a=.mkv', '#.mkv', ';.mkv', '|.mkv'),
        (text, ending, behind) => {
          expect(urlExtensionOf(`http://nas/${encodeURIComponent(text)}.${ending}${behind}`).kind).toBe(
            'other',
          );
        },
      ),
    );
  });
});
