import type { Clip } from '../clips/index.ts';
import type { Faults } from '../faults.ts';
import type { Answer, ClipRange } from '../http/types.ts';
import type { ByteSpan } from '../posts.ts';
import type { Dialect } from './dialect.ts';
import type { Hole } from './files.ts';
import type { FileNode } from './tree.ts';

/** What of a file is asked for; `end` is not included. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The first article that would be read is not there. */
export const ARTICLE_GONE: Answer = { status: 404 };

/** The bytes of a GET and where they break off, or the answer that comes in their place. */
export function bytesFor(node: FileNode, range: Range, dialect: Dialect, faults: Faults): ClipRange | Answer {
  const trouble = emptyBody(faults, dialect);
  if (trouble !== undefined) return trouble;
  const { start, end } = range;
  const chain = node.articles === undefined ? undefined : spliced(node.clip, node.articles, start);
  if (node.articles !== undefined && chain === undefined) return ARTICLE_GONE;
  const holes: readonly Hole[] = (faults.missing === undefined ? node.lost : [faults.missing]) ?? [];
  const zeros = dialect.lostArticle === 'zeros';
  const ends = holes.filter(({ endsVolume }) => !zeros || endsVolume === true);
  // A dead article is noticed before the headers leave, as long as it is the first that is read.
  if (ends.some(({ from, to }) => start >= from && start < to)) return ARTICLE_GONE;
  const clip = zeros ? zeroed(chain ?? node.clip, holes) : (chain ?? node.clip);
  const broken = ends.map(({ from }) => from).filter((from) => from > start && from < end);
  const at = Math.min(...broken, chain?.size ?? Infinity);
  return { clip, start, end, ...(at < end ? { cut: { at, how: dialect.shortBody } } : {}) };
}

/** Empty, whatever is asked for: nothing tells it apart from a fault of the server's own. */
export function emptyBody({ provider }: Faults, dialect: Dialect): Answer | undefined {
  if (provider === undefined) return undefined;
  return { status: dialect.providerAway, after: provider === 'silent' ? dialect.providerSilence : 0 };
}

/**
 * What is read from `start` on when the articles follow each other as the NZB lists them, with nothing between two that
 * are no neighbours. Only the first is looked for by its place in the file.
 * @returns undefined when none of them holds `start`
 */
export function spliced(clip: Clip, articles: readonly ByteSpan[], start: number): Clip | undefined {
  const first = start === 0 ? 0 : articles.findIndex(({ from, to }) => start >= from && start < to);
  if (first === -1) return undefined;
  const pieces: (ByteSpan & { readonly source: number })[] = [];
  let at = start;
  for (const [i, { from, to }] of articles.slice(first).entries()) {
    const source = i === 0 && start > 0 ? start : from;
    pieces.push({ from: at, to: at + to - source, source });
    at += to - source;
  }
  return {
    name: clip.name,
    size: at,
    read(from, to) {
      const out = new Uint8Array(to - from);
      for (const piece of pieces) {
        const [begin, end] = [Math.max(from, piece.from), Math.min(to, piece.to)];
        if (begin >= end) continue;
        const shift = piece.source - piece.from;
        out.set(clip.read(begin + shift, end + shift), begin - from);
      }
      return out;
    },
  };
}

/** Zeros in place of what is gone. */
export function zeroed(clip: Clip, holes: readonly Hole[]): Clip {
  if (holes.length === 0) return clip;
  return {
    ...clip,
    read(start, end) {
      const out = clip.read(start, end);
      for (const { from, to } of holes)
        if (from < end && to > start) out.fill(0, Math.max(from, start) - start, Math.min(to, end) - start);
      return out;
    },
  };
}
