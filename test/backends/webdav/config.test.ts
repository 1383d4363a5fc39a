import { describe, expect, it } from 'vitest';
import { apiBase, shareBase, type WebdavConfig } from '../../../src/backends/webdav/config.ts';

const CONFIG: WebdavConfig = {
  ...{ apiUrl: 'http://box:3000', apiKey: 'k', webdavUrl: '', username: '', password: '' },
  ...{ movieCategory: '', tvCategory: '' },
};

describe('an address that is none', () => {
  it('is called as its setting is', () => {
    expect(() => apiBase({ ...CONFIG, apiUrl: 'box' })).toThrow('The address of nzbdav is not a web address');
    expect(() => shareBase({ ...CONFIG, webdavUrl: 'box' })).toThrow(
      'The address of the WebDAV share is not',
    );
  });
});

describe('the address of the share', () => {
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
    ['/contents', '/contents'],
  ])('leaves out what lies in it: %s', (typed, base) => {
    expect(shareBase({ ...CONFIG, webdavUrl: `http://box:3000${typed}` })).toBe(`http://box:3000${base}`);
  });
});
