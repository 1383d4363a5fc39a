import type { Link } from '../model/index.ts';

/** Which secrets each source's links may hold, by the source's id. */
export type Secrets = Readonly<Record<string, readonly string[]>>;

/**
 * Links without their secrets, for the disk. In place of a secret stands a mark that names it by its place among its
 * source's secrets, and the spelling that it had; no address and no id can hold such a mark by itself.
 */
export interface HiddenLinks {
  /** Undefined when something may be left that is a secret. */
  readonly hide: (link: Link) => Link | undefined;
  /** Undefined when the source, or its secret, is no longer there. */
  readonly reveal: (link: Link) => Link | undefined;
}

/** Characters of Unicode's private use, which an address that is one does not hold unencoded. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const MARK = new RegExp(`${OPEN}(\\d{1,4})\\.(\\d)${CLOSE}`, 'g');

/** As a secret may stand in an address: as it is, and percent-encoded in the usual ways. */
const SPELLINGS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) => encodeURIComponent(secret).replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
  (secret) => encodeURIComponent(secret).replaceAll('%20', '+'),
  // All that encodeURIComponent leaves and others do not.
  (secret) =>
    encodeURIComponent(secret).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
];

export function hiddenLinks(secrets: Secrets): HiddenLinks {
  const spelled = new Map(Object.entries(secrets).map(([source, values]) => [source, spellingsOf(values)]));
  const all = [...spelled.values()].flat();
  const mask = (text: string, source: string) => {
    if (text.includes(OPEN) || text.includes(CLOSE)) return undefined;
    let masked = text;
    for (const { spelling, mark } of spelled.get(source) ?? []) masked = masked.replaceAll(spelling, mark);
    const leaks = all.some(({ spelling }) => masked.includes(spelling)) || looksSecret(masked);
    return leaks ? undefined : masked;
  };
  const unmask = (text: string, source: string) => {
    const plain = text.replace(MARK, (mark, secret: string, spelling: string) => {
      const value = secrets[source]?.[Number(secret)] ?? '';
      return value === '' ? mark : (SPELLINGS[Number(spelling)]?.(value) ?? mark);
    });
    return plain.includes(OPEN) ? undefined : plain;
  };
  return { hide: (link) => changed(link, mask), reveal: (link) => changed(link, unmask) };
}

/** An indexer's id may be an address, with a key in it. */
function changed(link: Link, change: (text: string, source: string) => string | undefined): Link | undefined {
  const url = change(link.url, link.source);
  const guid = change(link.guid, link.source);
  return url === undefined || guid === undefined ? undefined : { ...link, url, guid };
}

/** Shorter ones stand in any address; under the name of a key they are still seen. */
const MIN_SECRET = 4;

/** Longest first: a secret that begins another one must leave nothing of it. */
function spellingsOf(secrets: readonly string[]): { spelling: string; mark: string }[] {
  return secrets
    .flatMap((secret, index) =>
      secret.length < MIN_SECRET
        ? []
        : SPELLINGS.map((spell, kind) => ({
            spelling: spell(secret),
            mark: `${OPEN}${index}.${kind}${CLOSE}`,
          })),
    )
    .sort((a, b) => b.spelling.length - a.spelling.length);
}

/** A user before the host, or a value under a name that keys have (protocols.md §5.7, §11.4) and that is no mark. */
function looksSecret(text: string): boolean {
  if (/:\/\/[^/?#]*@/.test(text)) return true;
  for (const [, value = ''] of text.matchAll(KEYED)) {
    if (value.replace(MARK, '') !== '') return true;
  }
  return false;
}

const KEY_NAME = String.raw`(?:[\w.-]{0,40}(?:api[_-]?key|token|passw(?:or)?d|passkey|secret)|key|auth|sig|pass|r)`;
/** Also in an address that is itself a parameter. */
const KEYED = new RegExp(String.raw`(?:[?&;]|%3f|%26)${KEY_NAME}(?:=|%3d)((?:(?!%26|%23)[^&#;])*)`, 'gi');
