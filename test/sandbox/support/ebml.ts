import type { Clip } from '../../../sandbox/index.ts';

/** A reader of EBML for the tests, written after RFC 8794 and sharing nothing with the sandbox's writer. */
export interface Ebml {
  readonly id: number;
  /** Offset of the content. */
  readonly data: number;
  readonly end: number;
}

export function elementAt(clip: Clip, at: number): Ebml {
  const bytes = clip.read(at, Math.min(at + 12, clip.size));
  const idLength = Math.clz32(bytes[0]!) - 23;
  const sizeByte = bytes[idLength]!;
  const sizeLength = Math.clz32(sizeByte) - 23;
  const id = number(bytes.subarray(0, idLength));
  // The marker bit is taken off first: with it, eight bytes would exceed what a number holds exactly.
  const first = sizeByte - 2 ** (8 - sizeLength);
  const size = first * 256 ** (sizeLength - 1) + number(bytes.subarray(idLength + 1, idLength + sizeLength));
  const data = at + idLength + sizeLength;
  return { id, data, end: data + size };
}

export function children(clip: Clip, parent: Ebml): Ebml[] {
  const found: Ebml[] = [];
  for (let at = parent.data; at < parent.end; at = found.at(-1)!.end) found.push(elementAt(clip, at));
  return found;
}

export function payload(clip: Clip, element: Ebml): Uint8Array {
  return clip.read(element.data, element.end);
}

export function unsigned(clip: Clip, element: Ebml): number {
  return number(payload(clip, element));
}

function number(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
