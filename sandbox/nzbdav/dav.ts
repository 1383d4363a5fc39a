import type { Faults } from '../faults.ts';
import type { Answer, Incoming } from '../http/types.ts';
import type { Dialect } from './dialect.ts';
import type { JobStore } from './jobs.ts';
import { contentType, multistatus } from './propfind.ts';
import { rangeAnswer } from './range.ts';
import { categoryFolder, type FileNode, nodeAt, tree } from './tree.ts';

export interface DavOptions {
  readonly username: string;
  readonly password: string;
  readonly dialect: Dialect;
  readonly jobs: JobStore;
  readonly faults: Faults;
}

const MODIFIED = 'Wed, 01 Jan 2025 12:00:00 GMT';

/** The WebDAV share: OPTIONS, PROPFIND, GET, HEAD and DELETE. */
export function dav(options: DavOptions): (request: Incoming) => Answer {
  return (request) => {
    if (request.method === 'OPTIONS') return { status: 200, headers: { allow: METHODS, dav: '1, 2' } };
    if (!authorised(request.headers['authorization'], options)) return wrongPassword();
    const segments = decodedSegments(request.path.slice(options.dialect.sharePath.length));
    const node = segments && nodeAt(tree(options.jobs.mounts(), options.dialect), segments);
    if (segments === undefined || node === undefined) return { status: 404 };
    switch (request.method) {
      case 'PROPFIND':
        return propfind(request, segments, node, options.dialect);
      case 'GET':
      case 'HEAD':
        return node.kind === 'file' ? file(request, node, options) : onFolder(options.dialect);
      case 'DELETE':
        return deletion(segments, options);
      default:
        return { status: 405 };
    }
  };
}

/** Of AltMount, and of a job's folder: nothing else is asked for here. */
function deletion([, category, name, ...below]: readonly string[], { dialect, jobs }: DavOptions): Answer {
  const mount = jobs
    .mounts()
    .find((each) => categoryFolder(each.category, dialect) === category && each.folder === name);
  if (dialect.family !== 'altmount' || mount === undefined || below.length > 0) return { status: 405 };
  jobs.removeMount(mount);
  return { status: 204 };
}

export function wrongPassword(): Answer {
  return { status: 401, headers: { 'www-authenticate': 'Basic realm="NzbDav", charset="UTF-8"' } };
}

const onFolder = ({ family }: Dialect): Answer => ({ status: family === 'altmount' ? 405 : 204 });

const METHODS = 'OPTIONS, PROPFIND, GET, HEAD';

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
  request: Incoming,
  segments: readonly string[],
  node: NonNullable<ReturnType<typeof nodeAt>>,
  dialect: Dialect,
): Answer {
  const depth = request.headers['depth'] ?? 'infinity';
  if (depth !== '0' && depth !== '1' && !dialect.deepPropfind)
    return { status: 403, body: '<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>' };
  if (!['0', '1', 'infinity'].includes(depth)) return { status: 400 };
  // From the root the walk enters .ids with its million folders: for a client that is as good as never.
  if (depth === 'infinity' && segments.length === 0 && dialect.family === 'nzbdav')
    return { status: 207, hang: true };
  const levels = depth === '0' ? 0 : depth === '1' ? 1 : Infinity;
  return {
    status: 207,
    headers: { 'content-type': 'text/xml; charset="utf-8"', ...COOKIE },
    body: multistatus(segments, node, levels, dialect, MODIFIED),
  };
}

const COOKIE = { 'set-cookie': 'nzb-webdav-backend=sandbox; max-age=3600; path=/; httponly' };

function file(request: Incoming, node: FileNode, { dialect, faults }: DavOptions): Answer {
  const { size } = node.clip;
  const head = request.method === 'HEAD';
  const answer = rangeAnswer(
    head && !dialect.rangedHead ? undefined : rangeOf(request, dialect),
    size,
    dialect,
  );
  if (answer.status === 500) return { status: 500 };
  if (answer.status === 416) return { status: 416, headers: { 'content-range': `bytes */${size}` } };
  const { status, start, end, contentRange } = answer;
  const missing = faults.missing ?? node.missing;
  // A dead article is noticed before the headers leave, as long as it is the first that is read.
  if (missing !== undefined && !head && start >= missing.from && start < missing.to) return { status: 404 };
  const hit = missing !== undefined && start < missing.from && end > missing.from;
  return {
    status,
    headers: {
      'content-type': contentType(node.name),
      'accept-ranges': 'bytes',
      'last-modified': MODIFIED,
      ...COOKIE,
      ...(contentRange === undefined ? {} : { 'content-range': contentRange }),
    },
    body: {
      clip: node.clip,
      start,
      end,
      ...(hit ? { cut: { at: missing.from, how: dialect.shortBody } } : {}),
    },
  };
}

/** Upstream takes If-Range for a date; anything else in it makes the whole file the answer. */
function rangeOf({ headers }: Incoming, dialect: Dialect): string | undefined {
  const condition = headers['if-range'];
  const stale = condition !== undefined && Number.isNaN(Date.parse(condition));
  return stale && dialect.malformedRange === 'error' ? undefined : headers['range'];
}
