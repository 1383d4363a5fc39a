import { XmlError, type XmlHandlers, type XmlTag } from '../../io/xml.ts';
import { parseSubject } from './subject.ts';

/** What an NZB holds, in the document's order; every text as it stands there, unescaped. */
export interface NzbContent {
  readonly metas: readonly Meta[];
  readonly files: readonly PostedFile[];
}

export interface Meta {
  readonly type: string;
  readonly text: string;
}

/** One file of a post. Empty texts: the document does not say. */
export interface PostedFile {
  readonly subject: string;
  readonly poster: string;
  readonly date: string;
  readonly groups: readonly string[];
  readonly segments: readonly Segment[];
}

/** One article. */
export interface Segment {
  /** Its message id, without the blanks that may stand around it. */
  readonly id: string;
  /** Of the article as posted, or of what is in it: some posting programs write that. 0: the document does not say. */
  readonly bytes: number;
  /** From 1, with some posting programs from 0; undefined: the document does not say, or nothing of sense. */
  readonly number: number | undefined;
}

/** Hears a document (readNzbDocument) and keeps what an NZB holds. */
export interface ContentReader {
  readonly handlers: XmlHandlers;
  readonly content: NzbContent;
}

type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/**
 * Twice as many as the largest known post has; more would hold up a film that plays. Elements of one article that is one
 * of several by its subject are not counted: some posts have one for each article of a file.
 */
export const MAX_FILES = 20_000;

/** Its handlers throw an XmlError for a document of more than MAX_FILES. */
export function contentReader(): ContentReader {
  const metas: Meta[] = [];
  const files: PostedFile[] = [];
  let file: Growing<PostedFile> | undefined;
  /** The element whose text is being read. */
  let element: XmlTag | undefined;
  let text = '';
  let whole = 0;
  const keep = ({ name, attributes }: XmlTag) => {
    if (name === 'meta') metas.push({ type: attributes.get('type') ?? '', text });
    else if (name === 'group') file?.groups.push(text);
    else file?.segments.push(segmentOf(attributes, text));
  };
  return {
    content: { metas, files },
    handlers: {
      open: (tag) => {
        if (tag.name === 'file') files.push((file = fileOf(tag.attributes)));
        if (!READ.has(tag.name)) return;
        element = tag;
        text = '';
      },
      text: (piece) => {
        if (element !== undefined) text += piece;
      },
      close: (name) => {
        if (name === 'file' && file !== undefined) {
          if (!isPiece(file) && ++whole > MAX_FILES)
            throw new XmlError('too-large', `more than ${MAX_FILES} files`);
          file = undefined;
        }
        if (element?.name !== name) return;
        keep(element);
        element = undefined;
      },
    },
  };
}

const isPiece = ({ subject, segments }: PostedFile): boolean =>
  segments.length <= 1 && (parseSubject(subject).parts ?? 1) > 1;

/** Elements whose text counts. */
const READ: ReadonlySet<string> = new Set(['meta', 'group', 'segment']);

const fileOf = (attributes: ReadonlyMap<string, string>): Growing<PostedFile> => ({
  subject: attributes.get('subject') ?? '',
  poster: attributes.get('poster') ?? '',
  date: attributes.get('date') ?? '',
  groups: [],
  segments: [],
});

const segmentOf = (attributes: ReadonlyMap<string, string>, text: string): Segment => ({
  id: text.trim(),
  bytes: wholeNumber(attributes.get('bytes')?.trim(), 1e12) ?? 0,
  number: wholeNumber(attributes.get('number')?.trim(), 1e7),
});

/** Undefined: it is none, or beyond anything sensible. Digit by digit: a pattern and Number() take five times as long. */
function wholeNumber(text: string | undefined, limit: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9 || number >= limit) return undefined;
    number = 10 * number + digit;
  }
  return number < limit ? number : undefined;
}

const ZERO = '0'.charCodeAt(0);
