import { TextDecoder } from 'node:util';

// Text that the XML parser can read: decoded, and with the two faults of real feeds mended that would otherwise cost
// the whole document: an "&" that starts no reference, and characters that XML forbids.

/**
 * Characters. Large enough to be quick, small enough to be parsed in about a millisecond, and for a 100 MB document to
 * need no second copy of itself.
 */
const PIECE = 16 * 1024;

/** Pieces of at most PIECE characters: what is mended may become five times as long. */
export function* readableXml(input: Uint8Array | string): Generator<string> {
  const mender = new XmlRepairer();
  let first = true;
  for (const piece of typeof input === 'string' ? slices(input) : decoded(input)) {
    const text = mender.mend(first ? piece.replace(/^[\uFEFF\s]+/, '') : piece);
    first &&= text === '';
    yield* slices(text);
  }
  yield* slices(mender.end());
}

function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

function* decoded(bytes: Uint8Array): Generator<string> {
  const decoder = decoderFor(bytes);
  for (let at = 0; at < bytes.length; at += PIECE)
    yield decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
  yield decoder.decode();
}

/** By byte order mark, else as the declaration says (many NZBs are ISO 8859-1), else UTF-8. */
function decoderFor(bytes: Uint8Array): TextDecoder {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const label = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  // A declaration that could be read as ASCII is not in UTF-16, whatever it says.
  if (/^utf-?16/i.test(label)) return new TextDecoder();
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

const CDATA_START = '<![CDATA[';
const CDATA_END = ']]>';
/** A reference or the start of a CDATA section that a piece's end cuts in two is at most this long. */
const LONGEST_MARK = 12;
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos);)(#\d{1,7};|#x[\da-fA-F]{1,6};)?/g;
/** What XML 1.0 allows nowhere. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Works piece by piece: inside of CDATA an "&" stands for itself and stays. */
class XmlRepairer {
  private held = '';
  private inCdata = false;

  mend(piece: string): string {
    return this.take(this.held + piece, false);
  }

  end(): string {
    return this.take(this.held, true);
  }

  private take(text: string, last: boolean): string {
    let out = '';
    let at = 0;
    for (;;) {
      const mark = this.inCdata ? CDATA_END : CDATA_START;
      const found = text.indexOf(mark, at);
      const end = found >= 0 ? found : last ? text.length : this.safeEnd(text, at);
      const part = text.slice(at, end).replace(FORBIDDEN, '\uFFFD');
      out += this.inCdata ? part : part.replace(REFERENCE, escapeUnlessReference);
      if (found < 0) {
        this.held = text.slice(end);
        return out;
      }
      out += mark;
      at = found + mark.length;
      this.inCdata = !this.inCdata;
    }
  }

  /** Where to stop, so that no mark is cut in two. */
  private safeEnd(text: string, from: number): number {
    const tail = Math.max(from, text.length - LONGEST_MARK);
    const offset = text.slice(tail).search(this.inCdata ? /\]/ : /[&<]/);
    return offset < 0 ? text.length : tail + offset;
  }
}

function escapeUnlessReference(match: string, numeric: string | undefined): string {
  return numeric !== undefined && isXmlCharacter(numeric) ? match : `&amp;${match.slice(1)}`;
}

function isXmlCharacter(reference: string): boolean {
  const digits = reference.slice(1, -1);
  const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}
