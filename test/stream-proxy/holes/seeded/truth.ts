import { mkvClip, mp4Clip } from '../../../../sandbox/clips/index.ts';
import { elementsOf } from '../../../media/matroska/film.ts';
import {
  type Content,
  clipContent,
  opaqueContent,
  packetContent,
} from '../../../support/fault-server/index.ts';
import type { HolePlay } from './plan.ts';

/** What only the judge knows of a film: its bytes, and where something must begin that no zeros can begin. */
export interface Truth {
  readonly content: Content;
  /** In order; empty where the container does not tell. */
  readonly begins: readonly number[];
}

export function truthOf({ container, size, seconds }: HolePlay): Truth {
  const name = 'Sintel';
  if (container === 'ts') return { content: packetContent(size), begins: [] };
  if (container === 'opaque') return { content: opaqueContent(size), begins: [] };
  if (container === 'mkv') {
    const clip = mkvClip({ name, seconds, size });
    const starts = elementsOf(Buffer.from(clip.read(0, size))).map(({ start }) => start);
    return { content: clipContent(clip), begins: starts };
  }
  const clip = mp4Clip({ name, seconds, size, index: container === 'mp4-front' ? 'front' : 'tail' });
  return { content: clipContent(clip), begins: samplesOf(Buffer.from(clip.read(0, size))) };
}

/** Where each chunk begins, by the offset tables, and each box at the top. */
function samplesOf(bytes: Buffer): number[] {
  const begins: number[] = [];
  for (let at = bytes.indexOf('stco'); at >= 0; at = bytes.indexOf('stco', at + 4)) {
    const count = bytes.readUInt32BE(at + 8);
    if (count > 100_000 || at + 12 + 4 * count > bytes.length) continue;
    for (let i = 0; i < count; i++) begins.push(bytes.readUInt32BE(at + 12 + 4 * i));
  }
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at)) begins.push(at);
  return begins.sort((a, b) => a - b);
}
