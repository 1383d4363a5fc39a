import type { Clip } from '../clips/index.ts';
import type { Faults } from '../faults.ts';
import type { Answer, ClipRange, Incoming } from '../http/types.ts';
import { articlesOf } from '../posts.ts';
import type { Provider } from '../provider/index.ts';
import { emptyBody, spliced, zeroed } from './bytes.ts';
import { ALTMOUNT } from './dialect.ts';
import type { Hole } from './files.ts';
import type { JobStore } from './jobs.ts';
import { contentType, MODIFIED } from './propfind.ts';
import type { FileNode } from './tree.ts';

/** An error as Go's library writes it. */
export const plainText = (status: number, text: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: `${text}\n`,
});

interface Served {
  /** Category, job and file, by which it is withdrawn. */
  readonly key: string;
  /** What answers from then on. */
  readonly gone: Answer;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface From {
  readonly jobs: JobStore;
  readonly faults: Faults;
  readonly provider?: Provider | undefined;
}

/**
 * A file as AltMount serves it. A suffix range, or one that ends behind the file, is answered 206 without a byte, and
 * withdraws the file for good; so does what has lost more articles than its limits allow, once a reader gets there.
 */
export function fileAnswer(
  request: Incoming,
  node: Pick<FileNode, 'name' | 'clip' | 'size' | 'lost' | 'articles'>,
  { key, gone, headers: more = {} }: Served,
  { jobs, faults, provider }: From,
): Answer {
  const { size } = node;
  if (jobs.withdrawn.has(key)) return gone;
  const trouble = emptyBody(faults, ALTMOUNT);
  if (trouble !== undefined) return trouble;
  const range = rangeIn(request.headers['range'], size);
  const headers = { 'accept-ranges': 'bytes', ...more };
  if (range === undefined || range.start >= size)
    return refusedRange(
      range === undefined ? 'invalid range' : 'invalid range: failed to overlap',
      size,
      headers,
    );
  const { start, end, isHarmful } = range;
  const type = contentType(node.name, ALTMOUNT);
  const told = { ...headers, 'content-type': type, 'last-modified': MODIFIED };
  const isPart = request.headers['range'] !== undefined;
  const status = isPart ? 206 : 200;
  const all = isPart ? { ...told, 'content-range': `bytes ${start}-${end - 1}/${size}` } : told;
  if (request.method === 'HEAD') return { status, headers: all, body: { clip: node.clip, start, end } };
  if (isHarmful) {
    jobs.withdrawn.add(key);
    return { status, headers: all, body: { clip: node.clip, start, end, cut: { at: start, how: 'reset' } } };
  }
  const body = bytesOf(node, { start, end }, () => jobs.withdrawn.add(key), faults);
  const named = /\d+-\d+\s*$/.test(request.headers['range'] ?? '') ? end : undefined;
  const fetch = provider && (() => provider.open(node.clip, start, named));
  return { status, headers: all, body: { ...body, ...(fetch !== undefined && { fetch }) } };
}

function refusedRange(text: string, size: number, headers: Readonly<Record<string, string>>): Answer {
  const refused = plainText(416, text);
  return { ...refused, headers: { ...headers, ...refused.headers, 'content-range': `bytes */${size}` } };
}

interface AskedRange {
  readonly start: number;
  /** Not included. */
  readonly end: number;
  /** It ends behind the file, or is counted from there. */
  readonly isHarmful: boolean;
}

/** @returns undefined for what is none */
function rangeIn(header: string | undefined, size: number): AskedRange | undefined {
  if (header === undefined) return { start: 0, end: size, isHarmful: false };
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  if (from === '') return { start: Math.max(0, size - Number(to)), end: size, isHarmful: true };
  const end = to === '' ? size : Number(to) + 1;
  return { start: Number(from), end: Math.min(end, size), isHarmful: end > size };
}

/** What may be lost of a file: articles in a row, articles, part of its bytes. */
const LIMITS = { row: 4, all: 64, share: 0.02 };

const articlesIn = ({ from, to }: Hole) => articlesOf(to - from).length;

function isPastLimits(holes: readonly Hole[], size: number): boolean {
  const counts = holes.map(articlesIn);
  const bytes = holes.reduce((sum, { from, to }) => sum + to - from, 0);
  const all = counts.reduce((sum, count) => sum + count, 0);
  return Math.max(0, ...counts) > LIMITS.row || all > LIMITS.all || bytes > LIMITS.share * size;
}

function bytesOf(
  node: Pick<FileNode, 'clip' | 'size' | 'lost' | 'articles'>,
  { start, end }: { readonly start: number; readonly end: number },
  withdraw: () => void,
  { missing }: Faults,
): ClipRange {
  const clip = (node.articles && spliced(node.clip, node.articles, start)) ?? node.clip;
  const holes: readonly Hole[] = (missing === undefined ? node.lost : [missing]) ?? [];
  if (!isPastLimits(holes, node.size)) return { clip: zeroed(clip, holes), start, end };
  const first = Math.min(...holes.map(({ from, to }) => (to > start ? Math.max(from, start) : Infinity)));
  if (first >= end) return { clip, start, end };
  return { clip: watched(clip, first, withdraw, start), start, end, cut: { at: first, how: 'reset' } };
}

/** Hears when a reader has got so far; at once, when it begins there. */
function watched(clip: Clip, at: number, reached: () => void, start: number): Clip {
  if (start >= at) reached();
  return {
    ...clip,
    read(from, to) {
      if (to >= at) reached();
      return clip.read(from, to);
    },
  };
}
