// Which Debian archive to take the root from: the one that this machine's own apt uses, else Debian's.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Archives {
  readonly main: string;
  readonly security: string;
}

const DEFAULTS: Archives = {
  main: 'http://deb.debian.org/debian',
  security: 'http://deb.debian.org/debian-security',
};

/** The addresses in one-line sources (sources.list(5)); options in brackets and comments are left out. */
export function oneLineUris(text: string): string[] {
  return [...text.matchAll(/^[ \t]*deb[ \t]+(?:\[[^\]\n]*\][ \t]*)?(\S+)/gm)].map(([, uri]) => uri ?? '');
}

/** The addresses in deb822 sources: `URIs:` with its continuation lines, of stanzas that are not switched off. */
export function deb822Uris(text: string): string[] {
  const stanzas = text.replace(/^#.*\n?/gm, '').split(/\n[ \t]*\n/);
  return stanzas.flatMap((stanza) => {
    if (/^Enabled:[ \t]*(?:no|false|without|off|disable)[ \t]*$/im.test(stanza)) return [];
    const uris = /^URIs:((?:.*)(?:\n[ \t]+.*)*)/im.exec(stanza)?.[1] ?? '';
    return uris.split(/\s+/).filter((uri) => uri !== '');
  });
}

/** Picks the archives from apt's addresses by how Debian mirrors are laid out: …/debian and …/debian-security. */
export function chooseArchives(uris: readonly string[]): Archives {
  const usable = uris.filter((uri) => /^https?:/.test(uri)).map((uri) => uri.replace(/\/+$/, ''));
  return {
    main: usable.find((uri) => uri.endsWith('/debian')) ?? DEFAULTS.main,
    security: usable.find((uri) => uri.endsWith('/debian-security')) ?? DEFAULTS.security,
  };
}

export function hostArchives(etc = '/etc/apt'): Archives {
  const parts = join(etc, 'sources.list.d');
  const names = existsSync(parts) ? readdirSync(parts).sort() : [];
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  return chooseArchives([
    ...oneLineUris(read(join(etc, 'sources.list'))),
    ...names.filter((n) => n.endsWith('.list')).flatMap((n) => oneLineUris(read(join(parts, n)))),
    ...names.filter((n) => n.endsWith('.sources')).flatMap((n) => deb822Uris(read(join(parts, n)))),
  ]);
}
