import type { ByteRange, parseRange as parseRangeStage } from '../range.ts';
import { contentRange, rangeLength } from '../range.ts';
import type { HttpExchange } from '../stages.ts';
import { judgePreconditions } from './preconditions.ts';

interface ServedFile {
  readonly size: number;
  readonly mime: string;
  /** Strong. */
  readonly etag: string;
}

/** The bytes that are to follow, and what writes the head before them. */
export interface ChosenRange {
  readonly range: ByteRange;
  readonly writeHead: () => void;
}

/** What of the file a GET or HEAD is to get; undefined when its answer needs no body and has been given. */
export function chooseRange(
  { request, response }: HttpExchange,
  { size, mime, etag }: ServedFile,
  parseRange: typeof parseRangeStage,
): ChosenRange | undefined {
  const condition = judgePreconditions(request.method, request.headers, etag);
  if (condition.kind === 'not-modified') {
    response.writeHead(304, { etag, 'cache-control': 'no-store' }).end();
    return undefined;
  }
  if (condition.kind === 'failed') {
    response.writeHead(412, { etag, 'content-length': 0 }).end();
    return undefined;
  }
  const choice = parseRange(condition.range, size);
  if (choice.kind === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${size}`, 'content-length': 0 }).end();
    return undefined;
  }
  const isPart = choice.kind === 'part';
  const range = isPart ? choice.range : { first: 0, last: size - 1 };
  const writeHead = () => {
    response.writeHead(isPart ? 206 : 200, {
      'content-type': mime,
      'content-length': rangeLength(range),
      'accept-ranges': 'bytes',
      etag,
      'cache-control': 'no-store',
      ...(isPart && { 'content-range': contentRange(range, size) }),
    });
  };
  if (request.method !== 'HEAD') return { range, writeHead };
  writeHead();
  response.end();
  return undefined;
}
