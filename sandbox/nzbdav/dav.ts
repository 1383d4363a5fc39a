import type { Faults } from '../faults.ts';
import type { Answer, Incoming } from '../http/types.ts';
import type { Provider } from '../provider/index.ts';
import { ARTICLE_GONE, bytesFor } from './bytes.ts';
import type { Dialect } from './dialect.ts';
import type { JobStore } from './jobs.ts';
import { contentType, MODIFIED, multistatus } from './propfind.ts';
import { rangeAnswer } from './range.ts';
import { type FileNode, nodeAt, tree } from './tree.ts';

export interface DavOptions {
  readonly username: string;
  readonly password: string;
  readonly dialect: Dialect;
  readonly jobs: JobStore;
  readonly faults: Faults;
  /** What it fetches the files from; absent: they are just there. */
  readonly provider?: Provider | undefined;
}

/** The WebDAV share: OPTIONS, PROPFIND, GET and HEAD. */
export function dav(options: DavOptions): (request: Incoming) => Answer {
  return (request) => {
    if (request.method === 'OPTIONS') return { status: 200, headers: METHODS };
    if (!authorised(request.headers['authorization'], options)) return wrongPassword();
    const answer = toAuthorised(request, options);
    // What goes wrong inside loses its headers.
    const isWhole = answer.status !== 500 && answer !== ARTICLE_GONE;
    const cookie = options.dialect.cookie && isWhole ? COOKIE : {};
    return { ...answer, headers: { ...answer.headers, ...cookie } };
  };
}

function toAuthorised(request: Incoming, options: DavOptions): Answer {
  const { dialect, jobs } = options;
  const segments = decodedSegments(request.path);
  const node = segments && nodeAt(tree(jobs.mounts(), dialect), segments);
  switch (request.method) {
    // It is read-only unless it is told otherwise.
    case 'DELETE':
    case 'PUT':
      return { status: 403 };
    default:
      if (segments === undefined || node === undefined) return { status: 404 };
  }
  switch (request.method) {
    case 'PROPFIND':
      return propfind(request, node, segments.length === 0, dialect);
    case 'GET':
    case 'HEAD':
      return node.kind === 'file' ? file(request, node, options) : ON_FOLDER;
    default:
      return { status: 405 };
  }
}

export function wrongPassword(): Answer {
  return { status: 401, headers: { 'www-authenticate': 'Basic realm="WebDAV"' } };
}

const ON_FOLDER: Answer = { status: 204, headers: { 'last-modified': MODIFIED } };

const ALLOWED = 'COPY, DELETE, GET, HEAD, LOCK, MKCOL, MOVE, OPTIONS, PROPFIND, PROPPATCH, PUT, UNLOCK';
const METHODS = { allow: ALLOWED, public: ALLOWED, dav: '1, 2', 'ms-author-via': 'DAV' };
const COOKIE = { 'set-cookie': 'nzb-webdav-backend=sandbox; max-age=3600; path=/; httponly' };

/** The scheme has to be spelled exactly "Basic". */
function authorised(header: string | undefined, { username, password }: DavOptions): boolean {
  return header === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function decodedSegments(path: string): string[] | undefined {
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

function propfind(
  { path, headers }: Incoming,
  node: NonNullable<ReturnType<typeof nodeAt>>,
  isRoot: boolean,
  dialect: Dialect,
): Answer {
  const depth = headers['depth'] ?? 'infinity';
  const isDeep = depth !== '0' && depth !== '1';
  if (isDeep && dialect.depths === 'shallow')
    return {
      status: 403,
      headers: { 'content-type': 'application/xml; charset=utf-8' },
      body: '<?xml version="1.0" encoding="utf-8"?><D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>',
      chunked: true,
    };
  // From the root the walk enters .ids with its million folders: for a client that is as good as never.
  if (isDeep && isRoot) return { status: 207, hang: true };
  return {
    status: 207,
    headers: { 'content-type': 'text/xml; charset="utf-8"' },
    body: multistatus(node, isDeep ? Infinity : Number(depth), {
      path,
      host: headers['host'] ?? '',
      dialect,
    }),
  };
}

function file(request: Incoming, node: FileNode, { dialect, faults, provider }: DavOptions): Answer {
  const { size } = node;
  const head = request.method === 'HEAD';
  const range = head && !dialect.rangedHead ? undefined : rangeOf(request, dialect);
  const answer = rangeAnswer(range, size, dialect);
  if (answer.status === 500) return { status: 500 };
  const headers = {
    'content-type': contentType(node.name, dialect),
    'last-modified': MODIFIED,
    ...(head && !dialect.headTellsRanges ? {} : { 'accept-ranges': 'bytes' }),
  };
  if (answer.status === 416)
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } };
  const { status, start, end, contentRange } = answer;
  const body = head ? { clip: node.clip, start, end } : bytesFor(node, { start, end }, dialect, faults);
  if ('status' in body) return body;
  return {
    status,
    headers: { ...headers, ...(contentRange === undefined ? {} : { 'content-range': contentRange }) },
    body:
      provider === undefined
        ? body
        : { ...body, fetch: () => provider.open(node.clip, start, namedEnd(request, end)) },
  };
}

/** `end`, where the request says that it wants no more. */
function namedEnd({ headers }: Incoming, end: number): number | undefined {
  return /\d+-\d+\s*$/.test(headers['range'] ?? '') ? end : undefined;
}

/** Upstream takes If-Range for a date; anything else in it makes the whole file the answer. */
function rangeOf({ headers }: Incoming, dialect: Dialect): string | undefined {
  const condition = headers['if-range'];
  const stale = condition !== undefined && Number.isNaN(Date.parse(condition));
  return stale && dialect.malformedRange === 'error' ? undefined : headers['range'];
}
