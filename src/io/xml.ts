import { SaxesParser } from 'saxes';
import type { YieldToLoop } from './wait.ts';
import { readableXml } from './xml-text.ts';

/**
 * XML from strangers: bounded in size, depth, count and in what stands between two tags, namespace-aware, DTDs skipped
 * and their entities never expanded (they stay as text). Tolerant of what real feeds get wrong and harms nobody: a bare
 * "&", control characters, an undeclared prefix, blanks before the declaration. Everything else that is not well-formed,
 * a cut-off document included, is an error.
 */
export interface XmlTag {
  /** Without its prefix. */
  readonly name: string;
  /** The namespace's URI; an undeclared prefix stands for itself; empty: none. */
  readonly namespace: string;
  /** By name without prefix; where two differ only by the prefix, the one without a prefix counts. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface XmlElement extends XmlTag {
  readonly children: readonly XmlElement[];
  /** The text directly inside, trimmed. */
  readonly text: string;
}

/** What scanXml reports, in document order. A handler may throw to end the scan. */
export interface XmlHandlers {
  readonly open?: (tag: XmlTag) => void;
  /** May come in several pieces for one element. */
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

export interface XmlLimits {
  /** Bytes of the document, and characters of it once it is mended. */
  readonly bytes?: number;
  /** Nested elements. */
  readonly depth?: number;
  /** Elements in all. */
  readonly elements?: number;
  /** Attributes of one element. */
  readonly attributes?: number;
  /** Characters of one attribute's value. */
  readonly attributeLength?: number;
}

const DEFAULT_LIMITS: Required<XmlLimits> = {
  bytes: 16 * 1024 * 1024,
  depth: 64,
  elements: 200_000,
  attributes: 64,
  attributeLength: 64 * 1024,
};

/**
 * Characters between two tags: text, comments, CDATA and instructions together; also of a tag itself. The parser joins
 * what belongs to one of them character by character, which takes seconds and gigabytes where there are millions.
 */
const MAX_BETWEEN_TAGS = 64 * 1024;
/** Characters. Those that are met have one line. */
const MAX_DOCTYPE = 8 * 1024;

/** Why a document was not read. The caller knows whose it is and turns this into a SlipstreamError. */
export class XmlError extends Error {
  readonly kind: 'malformed' | 'too-large';

  constructor(kind: 'malformed' | 'too-large', message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'XmlError';
    this.kind = kind;
  }
}

/** Reads a whole document of a few kilobytes into a tree, at one go. @throws XmlError */
export function parseXml(input: Uint8Array | string, limits: XmlLimits = {}): XmlElement {
  const tree = new TreeBuilder();
  scanXml(input, tree, limits);
  return tree.root();
}

/** As parseXml, for documents of megabytes: gives way between two pieces. @throws also as giveWay */
export async function parseLargeXml(
  input: Uint8Array,
  limits: XmlLimits,
  giveWay: YieldToLoop,
): Promise<XmlElement> {
  const tree = new TreeBuilder();
  await scanLargeXml(input, tree, limits, giveWay);
  return tree.root();
}

/** Keeps what is reported. */
class TreeBuilder implements XmlHandlers {
  readonly #top: OpenNode = { name: '', namespace: '', attributes: new Map(), children: [], text: '' };
  readonly #open = [this.#top];

  readonly open = (tag: XmlTag): void => {
    const element: OpenNode = { ...tag, children: [], text: '' };
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  };

  readonly text = (text: string): void => {
    const current = this.#open.at(-1);
    if (current !== undefined) current.text += text;
  };

  readonly close = (): void => {
    const closed = this.#open.pop();
    if (closed !== undefined) closed.text = closed.text.trim();
  };

  /** @throws XmlError when there was nothing */
  root(): XmlElement {
    const root = this.#top.children[0];
    if (root === undefined) throw new XmlError('malformed', 'no root element');
    return root;
  }
}

type OpenNode = XmlTag & { children: XmlElement[]; text: string };

/** Walks through a document without keeping it. @throws XmlError, and whatever a handler throws */
export function scanXml(input: Uint8Array | string, handlers: XmlHandlers, limits: XmlLimits = {}): void {
  const steps = scanSteps(input, handlers, limits);
  while (steps.next().done !== true);
}

/** As scanXml, for documents of megabytes: gives way between two pieces of 16 KiB. @throws also as giveWay */
export async function scanLargeXml(
  input: Uint8Array,
  handlers: XmlHandlers,
  limits: XmlLimits,
  giveWay: YieldToLoop,
): Promise<void> {
  for (const _ of scanSteps(input, handlers, limits)) await giveWay();
}

function* scanSteps(
  input: Uint8Array | string,
  handlers: XmlHandlers,
  limits: XmlLimits,
): Generator<void, void> {
  const limit = { ...DEFAULT_LIMITS, ...limits };
  if (input.length > limit.bytes) throw limitError('bytes', limit.bytes);
  const parser: Parser = new SaxesParser({ xmlns: true, position: false, resolvePrefix: keepPrefix });
  const watched = watch(parser, handlers, limit);
  let characters = 0;
  let between = 0;
  let tags = 0;
  for (const piece of readableXml(input)) {
    characters += piece.length;
    if (characters > limit.bytes) throw limitError('characters', limit.bytes);
    parser.write(piece);
    // Counted in whole pieces, which costs nothing.
    between = watched.tags === tags ? between + piece.length : 0;
    if (between > MAX_BETWEEN_TAGS) throw limitError('characters between two tags', MAX_BETWEEN_TAGS);
    tags = watched.tags;
    yield;
  }
  parser.close();
}

type Parser = SaxesParser<{ xmlns: true }>;

const keepPrefix = (prefix: string) => prefix;

/**
 * Six handlers at the most: with a seventh, V8 makes a dictionary of the parser, which reads at a third of the speed.
 * @returns how many tags there were, opening and closing ones
 */
function watch(parser: Parser, handlers: XmlHandlers, limit: Required<XmlLimits>): { readonly tags: number } {
  const seen = { tags: 0 };
  let depth = 0;
  let elements = 0;
  parser.on('error', (error) => {
    throw new XmlError('malformed', error.message, error);
  });
  parser.on('doctype', (doctype) => {
    if (doctype.length > MAX_DOCTYPE) throw limitError('characters in the DTD', MAX_DOCTYPE);
  });
  parser.on('opentag', (tag) => {
    seen.tags++;
    if (++depth > limit.depth) throw limitError('nested elements', limit.depth);
    if (++elements > limit.elements) throw limitError('elements', limit.elements);
    const attributes = Object.values(tag.attributes);
    checkAttributes(attributes, limit);
    handlers.open?.({
      name: tag.local,
      namespace: tag.uri,
      attributes: attributesByLocalName(attributes),
    });
  });
  parser.on('closetag', (tag) => {
    seen.tags++;
    depth--;
    handlers.close?.(tag.local);
  });
  const { text } = handlers;
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  return seen;
}

function checkAttributes(attributes: readonly Attribute[], limit: Required<XmlLimits>): void {
  if (attributes.length > limit.attributes) throw limitError('attributes', limit.attributes);
  for (const { value } of attributes) {
    if (value.length > limit.attributeLength)
      throw limitError('characters in an attribute', limit.attributeLength);
  }
}

interface Attribute {
  readonly prefix: string;
  readonly local: string;
  readonly value: string;
}

function attributesByLocalName(attributes: readonly Attribute[]): Map<string, string> {
  const byName = new Map<string, string>();
  for (const { prefix, local, value } of attributes) {
    if (prefix === '' || (prefix !== 'xmlns' && !byName.has(local))) byName.set(local, value);
  }
  return byName;
}

/** The children with this name, whatever their namespace. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The first child with this name, whatever its namespace. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

const limitError = (what: string, limit: number) => new XmlError('too-large', `more than ${limit} ${what}`);
