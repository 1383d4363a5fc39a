import { ownValue } from '../../../io/own-property.ts';
import type { YieldToLoop } from '../../../io/wait.ts';
import type { XmlHandlers } from '../../../io/xml.ts';

/**
 * Walks through a document as nearly all feeds are: UTF-8, no DTD, every "&" in its place, all tags closed. It does so
 * in a quarter of the time of a full parser, which counts: a fresh process reads a thousand rows while somebody waits.
 *
 * @returns false for any other document, well-formed or not: it is to be read anew by scanXml, which knows them all.
 *   The handlers may have been called until then.
 * @throws as giveWay, and whatever a handler throws
 */
export async function scanPlainXml(
  input: Uint8Array,
  handlers: Required<XmlHandlers>,
  giveWay: YieldToLoop,
): Promise<boolean> {
  if (input.length > MAX_BYTES) return false;
  const text = plainText(input);
  if (text === undefined) return false;
  try {
    for (const _ of new Scan(text, handlers).steps()) await giveWay();
    return true;
  } catch (error) {
    if (error instanceof NotPlainXml) return false;
    throw error;
  }
}

/** A thousand rows have 3 MB. What is larger is read in pieces. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Characters between two steps. */
const CHUNK = 16 * 1024;

class NotPlainXml extends Error {}

/** What XML 1.0 allows nowhere. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFD\uFFFE\uFFFF]/;
/** No other encoding than UTF-8. */
const DECLARATION = /^\s*<\?xml version="1\.0"(?: encoding="utf-8")?(?: standalone="(?:yes|no)")?\s?\?>/i;

function plainText(input: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(input);
  const declaration = DECLARATION.exec(text)?.[0] ?? '';
  if (FORBIDDEN.test(text)) return undefined;
  return text.slice(declaration.length).replaceAll('\r\n', '\n');
}

/** The same as scanXml allows, or less. */
const MAX_BETWEEN_TAGS = 64 * 1024;
const MAX_DEPTH = 64;
const MAX_ELEMENTS = 200_000;
/** An opening or closing tag: slash, prefix, name, attributes, slash. All that repeats is bounded. */
const TAG =
  /<(\/?)((?:[A-Za-z_][\w.-]{0,99}:)?)([A-Za-z_][\w.-]{0,99})((?:\s{1,99}[A-Za-z_][\w.:-]{0,99}="[^"<]{0,9999}"){0,64})\s{0,99}(\/?)>/y;
const ATTRIBUTE = /([\w.-]+)(:?)([\w.:-]*)="([^"]*)"/g;
const LOCAL_NAME = /^[A-Za-z_][\w.-]*$/;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

class Scan {
  private readonly open: string[] = [];
  private elements = 0;
  private at = 0;
  private readonly text: string;
  private readonly handlers: Required<XmlHandlers>;

  constructor(text: string, handlers: Required<XmlHandlers>) {
    this.text = text;
    this.handlers = handlers;
  }

  /** Runs through it, with a step after each 16 KiB. @throws NotPlainXml */
  *steps(): Generator<void, void> {
    const { text } = this;
    let next = CHUNK;
    for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', this.at)) {
      this.characters(text.slice(this.at, start));
      if (text[start + 1] === '!') this.at = this.skipSpecial(start);
      else this.at = this.tag(start);
      if (this.at < next) continue;
      next = this.at + CHUNK;
      yield;
    }
    this.characters(text.slice(this.at));
    if (this.open.length > 0 || this.elements === 0) throw new NotPlainXml();
  }

  private characters(raw: string): void {
    if (raw.length > MAX_BETWEEN_TAGS || raw.includes(']]>')) throw new NotPlainXml();
    if (this.open.length > 0) this.handlers.text(decodeReferences(raw));
    else if (raw.trim() !== '') throw new NotPlainXml();
  }

  /** A comment or a CDATA section; a DTD is for the other parser. */
  private skipSpecial(start: number): number {
    const { text } = this;
    if (text.startsWith('<!--', start)) return this.comment(start + 4);
    if (!text.startsWith('<![CDATA[', start) || this.open.length === 0) throw new NotPlainXml();
    const end = this.endOf(']]>', start + 9);
    this.handlers.text(text.slice(start + 9, end - 3));
    return end;
  }

  private comment(start: number): number {
    const end = this.endOf('-->', start);
    if (this.text.indexOf('--', start) < end - 3) throw new NotPlainXml();
    return end;
  }

  private endOf(mark: string, from: number): number {
    const end = this.text.indexOf(mark, from);
    if (end < 0 || end - from > MAX_BETWEEN_TAGS) throw new NotPlainXml();
    return end + mark.length;
  }

  private tag(start: number): number {
    TAG.lastIndex = start;
    const found = TAG.exec(this.text);
    if (found === null) throw new NotPlainXml();
    const [, closing = '', prefix = '', name = '', attributes = '', empty = ''] = found;
    if (/^xml/i.test(prefix) || (closing !== '' && (attributes !== '' || empty !== '')))
      throw new NotPlainXml();
    if (closing === '') this.onOpen(prefix, name, attributes);
    if (closing !== '' || empty !== '') this.onClose(prefix, name);
    return TAG.lastIndex;
  }

  private onOpen(prefix: string, name: string, attributes: string): void {
    // One root; nothing of its kind beside it.
    if (this.open.length === 0 && this.elements > 0) throw new NotPlainXml();
    this.open.push(prefix + name);
    if (++this.elements > MAX_ELEMENTS || this.open.length > MAX_DEPTH) throw new NotPlainXml();
    this.handlers.open({ name, namespace: prefix.slice(0, -1), attributes: attributesIn(attributes) });
  }

  private onClose(prefix: string, name: string): void {
    if (this.open.pop() !== prefix + name) throw new NotPlainXml();
    this.handlers.close(name);
  }
}

/** By local name, as scanXml gives them. */
function attributesIn(list: string): ReadonlyMap<string, string> {
  if (list === '') return NO_ATTRIBUTES;
  const attributes = new Map<string, string>();
  const seen = new Set<string>();
  for (const [, first = '', colon, second = '', value = ''] of list.matchAll(ATTRIBUTE)) {
    const name = colon === '' ? first : second;
    if (seen.has(first + second) || !LOCAL_NAME.test(name) || isUnusualPrefix(first, second, value))
      throw new NotPlainXml();
    seen.add(first + second);
    if (colon === '' || (first !== 'xmlns' && !attributes.has(name)))
      attributes.set(name, decodeReferences(value).replace(/[\t\n]/g, ' '));
  }
  return attributes;
}

/** "xml" and what begins so has rules of its own, but for the usual `xmlns:newznab="…"`. */
const isUnusualPrefix = (first: string, second: string, value: string) =>
  second !== '' && /^xml/i.test(first) && (first !== 'xmlns' || value.trim() === '' || /^xml/i.test(second));

const NAMED_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeReferences(raw: string): string {
  return raw.includes('&') ? raw.replace(/&(?:#(\d{1,5});|([a-z]{1,4});)?/g, resolveReference) : raw;
}

function resolveReference(_all: string, number: string | undefined, name = ''): string {
  const character = number === undefined ? ownValue(NAMED_ENTITIES, name) : characterOf(Number(number));
  if (character === undefined) throw new NotPlainXml();
  return character;
}

/** Numbers may stand for what is forbidden: that, too, is for the other parser. */
const characterOf = (code: number) => (code >= 32 && code < 0xd800 ? String.fromCharCode(code) : undefined);
