import { describe, expect, it } from 'vitest';
import { apiBase, shareBase, type WebdavConfig } from '../../../src/backends/webdav/config.ts';

const CONFIG: WebdavConfig = {
  apiUrl: 'http://box:3000',
  apiKey: 'k',
  webdavUrl: '',
  username: '',
  password: '',
  movieCategory: '',
  tvCategory: '',
};

describe('an address that is none', () => {
  it('is called as its setting is', () => {
    expect(() => apiBase({ ...CONFIG, apiUrl: 'box' })).toThrow('The address of nzbdav is not a web address');
    expect(() => shareBase({ ...CONFIG, webdavUrl: 'box' })).toThrow(
      'The address of the WebDAV share is not',
    );
  });
});

describe('the address of the API', () => {
  const own = { movieCategory: 'Films', tvCategory: 'TV Shows' };
  const at = (path: string) => ({ ...CONFIG, ...own, apiUrl: `http://box:3000${path}` });
  const below = (url: string) => url.replace('http://box:3000', '');

  it.each([
    ['', '', false],
    ['/api', '', false],
    ['/sabnzbd', '', true],
    ['/sabnzbd/api/', '', true],
    ['/content', '', false],
    ['/Content/', '', false],
    ['/content/Films', '', false],
    ['/content/Serien', '', false],
    ['/completed-symlinks', '', false],
    ['/nzbs/TV%20Shows', '', false],
    ['/.ids', '', false],
    ['/view', '', false],
    ['/proxy/content', '/proxy', false],
    ['/complete/nzbdav/content/tv', '/complete/nzbdav', false],
    // AltMount's API is beside its share.
    ['/webdav/complete', '', false],
    ['/webdav/complete/stremio', '', false],
    ['/altmount/webdav/complete', '/altmount', false],
    // What stands before the API's own path is a reverse proxy's.
    ['/content/api', '/content', false],
    ['/content/sabnzbd/api', '/content', true],
    ['/sabnzbd/nzbdav', '/sabnzbd/nzbdav', false],
    ['/content/nzbdav', '/content/nzbdav', false],
    ['/webdav', '/webdav', false],
    ['/my-content', '/my-content', false],
  ])('of %j is %j, and so is that of the share where it has none of its own', (typed, base, namesSab) => {
    const { url, ...more } = apiBase(at(typed));
    expect([below(url), more]).toEqual([base, { hasSabPath: namesSab }]);
    expect(below(shareBase(at(typed)))).toBe(base);
  });
});

describe('the address of the share', () => {
  const shareOf = (path: string) => {
    const own = { movieCategory: 'Films', tvCategory: 'TV Shows' };
    return shareBase({ ...CONFIG, ...own, webdavUrl: `http://box:3000${path}` }).replace(
      'http://box:3000',
      '',
    );
  };

  it.each([
    ['', ''],
    ['/', ''],
    ['/content', ''],
    ['/Content/', ''],
    ['/content/movies/', ''],
    ['/completed-symlinks', ''],
    ['/nzbs/tv', ''],
    ['/.ids', ''],
    ['/view', ''],
    ['/api', ''],
    ['/sabnzbd/api', ''],
    ['/dav/content', '/dav'],
    ['/webdav/complete', '/webdav'],
    ['/webdav/complete/Movies', '/webdav'],
    ['/webdav', '/webdav'],
    ['/content/Serien', ''],
    ['/content/TV%20Shows', ''],
    ['/content/tv%20shows/', ''],
    ['/nzbs/TV%20Shows', ''],
    ['/nzbs/Films', ''],
    ['/content/100%', ''],
    ['/content/%E6%98%A0%E7%94%BB', ''],
    ['/content/Davids', ''],
    ['/completed-symlinks/Serien', ''],
    ['/proxy/completed-symlinks/4K', '/proxy'],
    ['/webdav/complete/stremio', '/webdav'],
    ['/proxy/webdav/complete/4k%20films', '/proxy/webdav'],
    ['/%63ontent/Serien', ''],
    ['/My%20Server/content/Serien', '/My%20Server'],
    ['/api/sabnzbd', ''],
    ['/proxy/api/sabnzbd', '/proxy'],
    ['/content/api', '/content'],
    ['/content/sabnzbd/api', '/content'],
    ['/proxy/content/films', '/proxy'],
    ['/complete/nzbdav/content/tv', '/complete/nzbdav'],
    ['/webdav/Complete/', '/webdav'],
    ['/sabnzbd/view', '/sabnzbd'],
  ])('leaves out what lies in it: %s', (typed, base) => {
    expect(shareOf(typed)).toBe(base);
  });

  it.each([
    '/contents',
    '/complete',
    '/complete/nzbdav',
    '/content/nzbdav',
    '/content/nzb%64av',
    '/content/nzbdav-4k',
    '/content/altmount',
    '/content/InfiniDysk',
    '/completed-symlinks/dav',
    '/content/Serien/Staffel',
    '/complete/Serien',
    '/complete/stremio',
    '/nzbs/Serien',
    '/.ids/a',
    '/TV%20Shows',
    '/myapi/sabnzbds',
    '/nas%2Fapi',
    '/nas%2Fcontent',
    '/my-view',
    '/nzbs/dav',
    '/media/content/dav',
    '/api/nzbdav',
    '/view/nzbdav',
    '/sabnzbd/nzbdav',
    '/movies',
    '/movies/tv',
    '/complete/movies',
    '/webdav/complete/nzbdav',
    '/contents/movies',
    '/my-content',
    '/Content%20of/nzbdav',
  ])('keeps the path of a reverse proxy: %s', (typed) => {
    expect(shareOf(typed)).toBe(typed);
    expect(shareOf(`${typed}/`)).toBe(typed);
    expect(shareOf(`${typed}/content`)).toBe(typed);
  });

  it('is below that of the API where it has none of its own', () => {
    expect(shareBase({ ...CONFIG, apiUrl: 'https://nas/complete/nzbdav/api' })).toBe(
      'https://nas/complete/nzbdav',
    );
  });
});
