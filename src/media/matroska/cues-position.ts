import { type Header, readHeader } from './ebml.ts';
import { CLUSTER, CUES, SEEK, SEEK_HEAD, SEEK_ID, SEEK_POSITION, SEGMENT } from './ids.ts';

/** An element with its content, as far as the bytes reach. */
interface Element {
  readonly id: number;
  /** Offset of the content. */
  readonly data: number;
  readonly content: Buffer;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** Where the SeekHead in a file's first bytes says that its Cues are (RFC 9559 §6.3); undefined when it does not. */
export function cuesPosition(head: Uint8Array): number | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const segment = find(bytes, SEGMENT);
  const seekHead = segment && find(segment.content, SEEK_HEAD);
  if (segment === undefined || seekHead === undefined) return undefined;
  for (const { id, content } of elements(seekHead.content)) {
    if (id !== SEEK || numberOf(find(content, SEEK_ID)) !== CUES) continue;
    const position = numberOf(find(content, SEEK_POSITION));
    return position === undefined ? undefined : segment.data + position;
  }
  return undefined;
}

const find = (bytes: Buffer, wanted: number): Element | undefined => {
  for (const element of elements(bytes)) if (element.id === wanted) return element;
  return undefined;
};

/** One after the other, up to the first Cluster: no index of the file's start stands behind it. */
function* elements(bytes: Buffer): Generator<Element> {
  for (let at = 0; at < bytes.length; ) {
    const header: Header | 'cut' | 'invalid' = readHeader(bytes, at);
    if (typeof header !== 'object' || header.id === CLUSTER) return;
    const data = at + header.length;
    const end = data + (header.size ?? bytes.length);
    yield { id: header.id, data, content: bytes.subarray(data, end), isWhole: end <= bytes.length };
    at = end;
  }
}

/** An unsigned number (RFC 8794 §7.2), or an id as it stands. */
function numberOf(element: Element | undefined): number | undefined {
  if (element?.isWhole !== true) return undefined;
  const { content } = element;
  if (content.length === 0 || content.length > 8) return undefined;
  const value = content.reduce((sum, byte) => sum * 256 + byte, 0);
  return Number.isSafeInteger(value) ? value : undefined;
}
