import type { Link } from '../../model/index.ts';
import { SECRET_PARAMETER } from '../sources/common/fields.ts';

/** Which secrets each source's links may hold, by the source's id. */
export type SourceSecrets = Readonly<Record<string, readonly string[]>>;

/**
 * Links without their secrets, for the disk. In place of a secret stands a mark that names it by its place among its
 * source's secrets, the spelling that it had, and the source where it is another than the link's; no address and no id can hold such a mark by itself.
 */
export interface LinkMasker {
  /** Undefined when something may be left that is a secret. */
  readonly mask: (link: Link) => Link | undefined;
  /** Undefined when a source, or its secret, is no longer there. */
  readonly unmask: (link: Link) => Link | undefined;
}

/** Characters of Unicode's private use, which an address that is one does not hold unencoded. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const MARK = new RegExp(`${OPEN}(\\d{1,4})\\.(\\d)(?:\\.([^${OPEN}${CLOSE}]*))?${CLOSE}`, 'g');

/** As a secret may stand in an address: as it is, percent-encoded in the usual ways, and in one case. */
const SPELLINGS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) => encodeURIComponent(secret).replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
  (secret) => encodeURIComponent(secret).replaceAll('%20', '+'),
  // All that encodeURIComponent leaves and others do not.
  (secret) =>
    encodeURIComponent(secret).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
  (secret) => secret.toLowerCase(),
  (secret) => secret.toUpperCase(),
];

export function openLinkMasker(secrets: SourceSecrets): LinkMasker {
  const maskers = new Map<string, SourceMasker>();
  const maskerFor = (source: string) => {
    const masking = maskers.get(source) ?? openSourceMasker(secrets, source);
    maskers.set(source, masking);
    return masking;
  };
  const mask = (text: string, source: string) => {
    if (text.includes(OPEN) || text.includes(CLOSE)) return undefined;
    const masking = maskerFor(source);
    const masked = masking.mask(text);
    const leaks = masking.hasSecret(masked.replace(MARK, OPEN)) || hasLikelySecret(masked);
    return leaks ? undefined : masked;
  };
  const unmask = (text: string, source: string) => {
    const plain = text.replace(MARK, (mark, secret: string, spelling: string, other?: string) => {
      const value = secrets[other === undefined ? source : decodeURIComponent(other)]?.[Number(secret)] ?? '';
      return value === '' ? mark : (SPELLINGS[Number(spelling)]?.(value) ?? mark);
    });
    return plain.includes(OPEN) ? undefined : plain;
  };
  return { mask: (link) => mapLink(link, mask), unmask: (link) => mapLink(link, unmask) };
}

/** An indexer's id may be an address, with a key in it. */
function mapLink(link: Link, change: (text: string, source: string) => string | undefined): Link | undefined {
  const url = change(link.url, link.source);
  const guid = change(link.guid, link.source);
  return url === undefined || guid === undefined ? undefined : { ...link, url, guid };
}

/** Characters. Shorter ones stand in any address; under the name of a key they are still seen. */
const MIN_SECRET = 4;
/** The same for other sources' secrets, among which are users' names: "films" is part of many a host's name. */
const MIN_FOREIGN_SECRET = 8;

interface SourceMasker {
  readonly mask: (text: string) => string;
  /** Whether any of the secrets is left, in whatever case. */
  readonly hasSecret: (text: string) => boolean;
}

/** The masking of one source's links. It takes one pass, so that no mark is ever taken for a secret. */
function openSourceMasker(secrets: SourceSecrets, source: string): SourceMasker {
  const own = spellingsOf(secrets[source] ?? [], MIN_SECRET, '');
  const foreign = Object.entries(secrets)
    .filter(([id]) => id !== source)
    .flatMap(([id, values]) => spellingsOf(values, MIN_FOREIGN_SECRET, `.${encodeURIComponent(id)}`));
  // Longest first: a secret that begins another one must leave nothing of it.
  const all = [...own, ...foreign].sort((a, b) => b.spelling.length - a.spelling.length);
  if (all.length === 0) return { mask: (text) => text, hasSecret: () => false };
  const marks = new Map(all.toReversed().map(({ spelling, mark }) => [spelling, mark]));
  const pattern = all.map(({ spelling }) => spelling.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const exact = new RegExp(pattern, 'g');
  const anyCase = new RegExp(pattern, 'i');
  return {
    mask: (text) => text.replace(exact, (spelling) => marks.get(spelling) ?? OPEN),
    hasSecret: (text) => anyCase.test(text),
  };
}

interface Spelling {
  readonly spelling: string;
  readonly mark: string;
}

function spellingsOf(secrets: readonly string[], shortest: number, suffix: string): Spelling[] {
  return secrets.flatMap((secret, index) =>
    secret.length < shortest
      ? []
      : SPELLINGS.map((spell, kind) => ({
          spelling: spell(secret),
          mark: `${OPEN}${index}.${kind}${suffix}${CLOSE}`,
        })),
  );
}

/** A user before the host, or a value under a name that keys have (protocols.md §5.7, §11.4) and that is no mark. */
function hasLikelySecret(text: string): boolean {
  if (/:\/\/[^/?#]*@/.test(text)) return true;
  for (const [, name = '', value = ''] of text.matchAll(PARAMETER)) {
    if (isKeyName(name) && value.replace(MARK, '') !== '') return true;
  }
  return false;
}

/** Also in an address that is itself a parameter; so a value is only looked at, and its own parameters are found. */
const PARAMETER = /(?:[?&;]|%3f|%26)([\w.-]+)(?:=|%3d)(?=((?:(?!%26|%23)[^&#;])*))/gi;

/** A user's number is no key: it opens nothing by itself, and stands beside the key in many links. */
const isKeyName = (name: string) =>
  (SECRET_PARAMETER.test(name) && !/^(?:i|user)$/i.test(name)) || /^(?:k|hash|sig|.*secret.*)$/i.test(name);
