import type { YieldToLoop } from '../../io/wait.ts';
import type { NzbContent, PostedFile, Segment } from './content.ts';
import { parseSubject } from './subject.ts';

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">
`;
const END = '</nzb>\n';
/** Segments that are written at a time. */
const SEGMENTS_PER_CHUNK = 1_000;

/**
 * The NZB as a well-formed document in UTF-8, whatever the indexer's was: nzbdav's parser refuses where ours is lenient.
 * Segments stand in the order that they are given in, by which nzbdav goes.
 * @throws as giveWay
 */
export async function writeNzb(content: NzbContent, giveWay: YieldToLoop): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = [Buffer.from(HEAD + headOf(content))];
  for (const text of piecesOf(content.files)) {
    await giveWay();
    pieces.push(Buffer.from(text));
  }
  return joined(pieces);
}

function headOf({ metas }: NzbContent): string {
  if (metas.length === 0) return '';
  const lines = metas.map(({ type, text }) => `<meta type="${escaped(type)}">${escaped(text)}</meta>\n`);
  return `<head>\n${lines.join('')}</head>\n`;
}

function* piecesOf(files: readonly PostedFile[]): Generator<string> {
  for (const { poster, date, subject, groups, segments } of files) {
    // A date that is none would stop a strict parser; without one it has none to read.
    const dated = date === '' ? '' : ` date="${escaped(date)}"`;
    const lines = groups.map((group) => `<group>${escaped(group)}</group>\n`);
    yield `<file poster="${escaped(poster)}"${dated} subject="${escaped(subject)}">\n<groups>\n${lines.join('')}</groups>\n<segments>\n`;
    for (let at = 0; at < segments.length; at += SEGMENTS_PER_CHUNK)
      yield segments
        .slice(at, at + SEGMENTS_PER_CHUNK)
        .map(segmentLine)
        .join('');
    yield '</segments>\n</file>\n';
  }
  yield END;
}

/**
 * A document that was written by `writeNzb`, in which files have other names in their subjects.
 * @param nameOf Undefined: it stays.
 */
export function renameFiles(
  nzb: Uint8Array<ArrayBuffer>,
  nameOf: (name: string) => string | undefined,
): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let kept = 0;
  for (const { name = '', at, line } of filesIn(nzb)) {
    const other = name === '' ? undefined : nameOf(name);
    const place = line.lastIndexOf(escaped(name));
    if (other === undefined || place < line.lastIndexOf(SUBJECT)) continue;
    const after = line.slice(place + escaped(name).length);
    pieces.push(nzb.subarray(kept, at), Buffer.from(line.slice(0, place) + escaped(other) + after));
    kept = at + Buffer.byteLength(line);
  }
  return pieces.length === 0 ? nzb : joined([...pieces, nzb.subarray(kept)]);
}

/** The names of the files in such a document, as far as their subjects tell them. */
export const fileNamesIn = (nzb: Uint8Array<ArrayBuffer>): string[] =>
  [...filesIn(nzb)].flatMap(({ name }) => name ?? []);

/** Such a document with those of its files alone that have these names. */
export function keepFiles(nzb: Uint8Array<ArrayBuffer>, names: readonly string[]): Uint8Array<ArrayBuffer> {
  const files = [...filesIn(nzb)];
  const end = nzb.length - END.length;
  const kept = files.flatMap(({ name, at }, index) =>
    name !== undefined && names.includes(name) ? [nzb.subarray(at, files[index + 1]?.at ?? end)] : [],
  );
  return joined([nzb.subarray(0, files[0]?.at ?? end), ...kept, nzb.subarray(end)]);
}

/** Each file, the line with which it begins, and the name that this tells. */
function* filesIn(nzb: Uint8Array<ArrayBuffer>) {
  const document = Buffer.from(nzb.buffer, nzb.byteOffset, nzb.byteLength);
  for (let at = document.indexOf(FILE); at !== -1; at = document.indexOf(FILE, at + FILE.length)) {
    const line = document.toString('utf8', at, document.indexOf('\n', at));
    const { name } = parseSubject(plain(line.slice(line.lastIndexOf(SUBJECT) + SUBJECT.length, -2)));
    yield { name, at, line };
  }
}

const FILE = '<file poster="';
const SUBJECT = ' subject="';

const segmentLine = ({ id, bytes, number }: Segment) =>
  `<segment bytes="${bytes}"${number === undefined ? '' : ` number="${number}"`}>${escaped(id)}</segment>\n`;

/** Line ends and tabs as references: a parser would make blanks of them in an attribute, and "\n" of "\r" in a text. */
const escaped = (text: string) =>
  MARKS.test(text) ? text.replace(/./gsu, (character) => ESCAPES[character] ?? character) : text;

const MARKS = /[&<>"\r\n\t]/;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

const plain = (text: string) =>
  Object.entries(ESCAPES).reduceRight((all, [character, escape]) => all.replaceAll(escape, character), text);

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
