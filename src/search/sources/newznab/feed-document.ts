import type { YieldToLoop } from '../../../io/wait.ts';
import { scanLargeXml, type XmlTag } from '../../../io/xml.ts';
import { scanPlainXml } from './plain-xml.ts';

/** An RSS answer, or whatever came in its place, read in one pass and no further than needed. */
export interface FeedDocument {
  readonly root: XmlTag;
  /** The text directly inside of the root: some write their error there. */
  readonly text: string;
  /** How many rows there are in all, where it says so. */
  readonly total?: number;
  readonly items: readonly FeedItem[];
}

/** All names in lower case; the first one counts where a name comes twice. */
export interface FeedItem {
  /** Text of the elements: title, guid, link, pubdate … */
  readonly texts: ReadonlyMap<string, string>;
  readonly enclosures: readonly ReadonlyMap<string, string>[];
  /** Newznab's name-value pairs. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** An answer has 100 items; some indexers ignore the limit. What comes after so many is not even read. */
const MAX_ITEMS = 1000;

/** Depths: rss is 1, its channel 2. */
const ROOT_DEPTH = 1;
const ITEM_DEPTH = 3;
const FIELD_DEPTH = 4;

/** @throws XmlError; as giveWay */
export async function readFeed(
  body: Uint8Array,
  maxBytes: number,
  giveWay: YieldToLoop,
): Promise<FeedDocument> {
  const plain = new FeedBuilder();
  if (await scanUntilLimit(() => scanPlainXml(body, plain, giveWay))) return plain.document();
  return await readWithFullParser(body, maxBytes, giveWay);
}

/** By the parser that knows every document. @throws XmlError; as giveWay */
export async function readWithFullParser(
  body: Uint8Array,
  maxBytes: number,
  giveWay: YieldToLoop,
): Promise<FeedDocument> {
  const reading = new FeedBuilder();
  await scanUntilLimit(async () => {
    await scanLargeXml(body, reading, { bytes: maxBytes }, giveWay);
    return true;
  });
  return reading.document();
}

/** @returns what the scan does, and true when it was ended early */
async function scanUntilLimit(scan: () => Promise<boolean>): Promise<boolean> {
  try {
    return await scan();
  } catch (error) {
    if (error instanceof ItemLimitReached) return true;
    throw error;
  }
}

/** Ends a scan early. */
class ItemLimitReached extends Error {}

class FeedBuilder {
  private depth = 0;
  private root: XmlTag = { name: '', namespace: '', attributes: new Map() };
  private rootText = '';
  private total: number | undefined;
  private readonly items: FeedItem[] = [];
  private item: ItemBuilder | undefined;
  private part = '';
  private partText = '';

  open = (tag: XmlTag): void => {
    this.depth++;
    const name = tag.name.toLowerCase();
    if (this.depth === ROOT_DEPTH) this.root = tag;
    else if (this.depth === ITEM_DEPTH && name === 'item') this.begin();
    else if (this.depth === ITEM_DEPTH && name === 'response') this.total = totalOf(tag);
    else if (this.depth === FIELD_DEPTH && this.item !== undefined) this.openPart(name, tag, this.item);
  };

  text = (text: string): void => {
    if (this.depth === ROOT_DEPTH) this.rootText += text;
    else if (this.depth === FIELD_DEPTH && this.item !== undefined) this.partText += text;
  };

  close = (): void => {
    if (this.depth === FIELD_DEPTH && this.item !== undefined)
      addFirst(this.item.texts, this.part, this.partText);
    else if (this.depth === ITEM_DEPTH) this.item = undefined;
    this.depth--;
  };

  document(): FeedDocument {
    const { root, rootText, total, items } = this;
    return { root, text: rootText.trim(), items, ...(total !== undefined && { total }) };
  }

  private begin(): void {
    if (this.items.length >= MAX_ITEMS) throw new ItemLimitReached();
    this.item = { texts: new Map(), enclosures: [], attributes: new Map() };
    this.items.push(this.item);
  }

  private openPart(name: string, { attributes }: XmlTag, item: ItemBuilder): void {
    this.part = name;
    this.partText = '';
    if (name === 'enclosure') item.enclosures.push(attributes);
    if (name === 'attr') addFirst(item.attributes, attributes.get('name') ?? '', attributes.get('value'));
  }
}

interface ItemBuilder {
  readonly texts: Map<string, string>;
  readonly enclosures: ReadonlyMap<string, string>[];
  readonly attributes: Map<string, string>;
}

function addFirst(map: Map<string, string>, name: string, value: string | undefined): void {
  const key = name.toLowerCase();
  if (key !== '' && value !== undefined && !map.has(key)) map.set(key, value.trim());
}

function totalOf({ attributes }: XmlTag): number | undefined {
  const total = Number(attributes.get('total') ?? Number.NaN);
  return Number.isInteger(total) && total >= 0 ? total : undefined;
}
