import { describe, expect, it } from 'vitest';
import { chooseArchives, deb822Uris, oneLineUris } from '../../../tools/debian-root/sources.ts';

describe('oneLineUris', () => {
  it('reads deb lines with and without options, and nothing else', () => {
    const text = [
      '# deb http://off.example/debian trixie main',
      'deb http://one.example/debian trixie main',
      '  deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] https://two.example/debian/ trixie main contrib',
      'deb-src http://three.example/debian trixie main',
    ].join('\n');
    expect(oneLineUris(text)).toEqual(['http://one.example/debian', 'https://two.example/debian/']);
  });
});

describe('deb822Uris', () => {
  it('reads every address of every stanza that is on', () => {
    const text = `Types: deb
# http://comment.example/debian
URIs: http://one.example/debian
  http://two.example/debian
Suites: trixie

Enabled: no
Types: deb
URIs: http://off.example/debian

Types: deb
URIs: http://three.example/debian-security
`;
    expect(deb822Uris(text)).toEqual([
      'http://one.example/debian',
      'http://two.example/debian',
      'http://three.example/debian-security',
    ]);
  });
});

describe('chooseArchives', () => {
  it('takes the archives from among other repositories', () => {
    expect(
      chooseArchives([
        'https://tools.example/apt',
        'cdrom:[Debian]/debian',
        'https://mirror.example/debian/',
        'https://mirror.example/debian-security',
      ]),
    ).toEqual({ main: 'https://mirror.example/debian', security: 'https://mirror.example/debian-security' });
  });

  it("falls back to Debian's own when apt names none", () => {
    expect(chooseArchives(['http://archive.example/ubuntu'])).toEqual({
      main: 'http://deb.debian.org/debian',
      security: 'http://deb.debian.org/debian-security',
    });
  });
});
