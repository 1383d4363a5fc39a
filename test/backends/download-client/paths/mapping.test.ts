import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mapFolder,
  type PathRule,
  parsePathRule,
} from '../../../../src/backends/download-client/paths/mapping.ts';
import {
  parsePlayerFolder,
  pathInside,
} from '../../../../src/backends/download-client/paths/player-folder.ts';
import { parseServerPath } from '../../../../src/backends/download-client/paths/server-path.ts';
import { SlipstreamError } from '../../../../src/errors/index.ts';
import { redact } from '../../../../src/log/index.ts';

const rules = (...pairs: readonly (readonly [string, string])[]): PathRule[] =>
  pairs.map(([from, to]) => parsePathRule({ from, to })!);
const mapped = (storage: string, ...pairs: readonly (readonly [string, string])[]) =>
  mapFolder(storage, rules(...pairs))?.path;

describe('a finished folder', () => {
  it.each([
    ['/downloads/completed/Movies/Sintel', '/downloads/completed', '/mnt/nas', '/mnt/nas/Movies/Sintel'],
    ['/downloads/completed/Sintel', '/downloads/completed/', '/mnt/nas/', '/mnt/nas/Sintel'],
    ['/downloads//completed/./Sintel/', '/downloads/completed', '/mnt/nas', '/mnt/nas/Sintel'],
    ['/downloads/Sintel', '/', '/', '/downloads/Sintel'],
    ['/Downloads/Completed/Sintel', '/downloads/completed', '/mnt', '/mnt/Sintel'],
    ['D:\\Done\\Movies\\Sintel', 'd:/done', 'smb://nas/done', 'smb://nas/done/Movies/Sintel'],
    ['D:/Done/Sintel', 'D:\\Done\\', 'smb://nas/done/', 'smb://nas/done/Sintel'],
    ['D:\\Sintel', 'D:', 'nfs://nas/export', 'nfs://nas/export/Sintel'],
    ['\\\\NAS\\Share\\Done\\Sintel', '\\\\nas\\share', 'smb://nas/share', 'smb://nas/share/Done/Sintel'],
    ['/downloads/Sintel', '/downloads', 'C:\\Films\\', 'C:\\Films\\Sintel'],
    ['/downloads/Sintel', '/downloads', 'C:/', 'C:\\Sintel'],
    ['/downloads/Sintel', '/downloads', '\\\\nas\\films', '\\\\nas\\films\\Sintel'],
    ['/downloads', '/downloads', 'smb://nas/films', 'smb://nas/films'],
    // Kodi takes names as they are, and encodes them itself.
    ['/d/100% #1 Größe', '/d', 'smb://nas/My%20Films', 'smb://nas/My Films/100% #1 Größe'],
    ['/d/Sintel', '/d', 'SMB://nas:1445/films', 'smb://nas:1445/films/Sintel'],
    ['/d/Gro\u0308ße', '/d/Gr\u00f6ße', '/m', '/m'],
  ])('%s lies, by %s = %s, at %s', (storage, from, to, path) => {
    expect(mapped(storage, [from, to])).toBe(path);
  });

  it.each([
    ['beside the folder', '/downloads/completed2/Sintel', '/downloads/completed', '/mnt'],
    ['above it', '/downloads', '/downloads/completed', '/mnt'],
    ['on another drive', 'E:\\Done\\Sintel', 'D:\\Done', '/mnt'],
    ['on a drive instead of in the tree', 'D:\\Done', '/', '/mnt'],
    ['by a way upwards', '/downloads/completed/../../etc', '/downloads/completed', '/mnt'],
    ['by a relative path', 'completed/Sintel', '/', '/mnt'],
    ['nowhere', '', '/', '/mnt'],
    ['behind a letter that is a separator to the other side', '/d/a\\..\\..\\b', '/d', 'C:\\Films'],
    ['behind one that an address would take for a slash', '/d/a\\b', '/d', 'smb://nas/films'],
  ])('is not found %s', (_where, storage, from, to) => {
    expect(mapped(storage, [from, to])).toBeUndefined();
  });

  it('goes by the longest rule, in whatever order they stand', () => {
    const all = [
      ['/downloads', '/a'],
      ['/downloads/completed/Series', '/b'],
      ['/downloads/completed', '/c'],
    ] as const;
    for (const order of [all, all.toReversed()]) {
      expect(mapped('/downloads/completed/Series/Caminandes', ...order)).toBe('/b/Caminandes');
      expect(mapped('/downloads/completed/Movies/Sintel', ...order)).toBe('/c/Movies/Sintel');
      expect(mapped('/downloads/Sintel', ...order)).toBe('/a/Sintel');
    }
  });

  it('goes by the rule that is spelled exactly so, among those that differ in capital letters only', () => {
    const both = [
      ['/Films', '/large'],
      ['/films', '/small'],
    ] as const;
    expect(mapped('/films/Sintel', ...both)).toBe('/small/Sintel');
    expect(mapped('/Films/Sintel', ...both)).toBe('/large/Sintel');
  });

  it('never leads out of the folder, whatever its parts are', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', '\\', '/', 'a', 'C:'), fc.string({ maxLength: 8 }));
    const target = fc.constantFrom('/mnt/nas', 'smb://nas/films', 'C:\\Films', 'nfs://nas/x');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), target, (parts, to) => {
        const path = mapped(`/downloads/${parts.join('/')}`, ['/downloads', to]);
        if (path === undefined) return;
        expect(path.startsWith(to)).toBe(true);
        const inner = path.slice(to.length).split(/[/\\]/);
        // On Unix a backslash is a letter; behind it nothing leads anywhere.
        if (!to.startsWith('/')) expect(inner).not.toContain('..');
        expect(path.slice(to.length).split('/')).not.toContain('..');
      }),
    );
  });
});

describe("NZBGet's own path", () => {
  it.each(['completed', './x', '', '~/x', 'C:x', '/a/../b', 'C:\\a\\..', `/${'a'.repeat(5000)}`, '/a\0b'])(
    'is refused: %s',
    (text) => {
      expect(parseServerPath(text)).toBeUndefined();
    },
  );
});

describe("the media centre's folder", () => {
  const failureOf = (text: string): SlipstreamError => {
    try {
      parsePlayerFolder(text);
    } catch (error) {
      if (error instanceof SlipstreamError) return error;
    }
    throw new Error(`not refused: ${text}`);
  };

  it.each([
    ['smb://nas/films', { protocol: 'smb', host: 'nas' }],
    ['smb://192.168.1.10:1445/films', { protocol: 'smb', host: '192.168.1.10', port: 1445 }],
    ['nfs://[fd00::1]/export', { protocol: 'nfs', host: 'fd00::1' }],
    ['nfs://nas:80/export', { protocol: 'nfs', host: 'nas', port: 80 }],
    // Windows opens it by SMB itself, and waits as long.
    ['\\\\nas\\films', { protocol: 'smb', host: 'nas' }],
    ['C:\\Films', undefined],
    ['/mnt/nas', undefined],
  ])('names the server that has to speak: %s', (text, server) => {
    expect(parsePlayerFolder(text).server).toEqual(server);
  });

  it.each(['smb://me:canary-5512@nas/films', 'nfs://me@nas/x', 'SMB://DOM;me:canary-5512@nas/x'])(
    'holds no user and no password: %s',
    (text) => {
      const { code, message, explanation } = failureOf(text);
      expect(code).toBe('INVALID_REQUEST');
      expect(explanation.next).toMatch(/Kodi/);
      expect(message + explanation.what + explanation.next).not.toContain('canary');
    },
  );

  it('makes a password that it is given a secret of the log all the same', () => {
    failureOf('smb://me:canary-7788@nas/films');
    expect(redact('canary-7788')).not.toContain('canary');
  });

  it.each([
    'http://nas/films',
    'ftp://nas/x',
    'films',
    '',
    'smb:///films',
    'smb://',
    'smb://nas/a/../b',
    '/mnt/../x',
    'C:\\a\\..\\b',
  ])('is refused: %s', (text) => {
    expect(failureOf(text).code).toBe('INVALID_REQUEST');
  });

  it('takes no name for a path', () => {
    const folder = parsePlayerFolder('smb://nas/films');
    for (const name of ['..', '.', 'a/b', 'a\\b']) expect(pathInside(folder, [name])).toBeUndefined();
    expect(pathInside(parsePlayerFolder('/mnt'), ['a\\b'])).toBe('/mnt/a\\b');
  });
});
