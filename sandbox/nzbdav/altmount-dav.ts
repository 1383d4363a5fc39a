import { type Answer, escapeXml, type Incoming } from '../http/types.ts';
import { fileAnswer, plainText } from './altmount-bytes.ts';
import type { DavOptions } from './dav.ts';
import { ALTMOUNT } from './dialect.ts';
import { contentType, MODIFIED } from './propfind.ts';
import { type FileNode, type FolderNode, nodeAt, tree } from './tree.ts';

/** The WebDAV share of AltMount below /webdav (protocols.md §2.10). */
export function altmountDav(options: DavOptions): (request: Incoming) => Answer {
  return (request) => {
    const { username, password } = options;
    const login = Buffer.from(`${username}:${password}`).toString('base64');
    if (request.headers['authorization'] !== `Basic ${login}`) return altmountWrongLogin();
    if (request.path === '/webdav') return { status: 301, headers: { location: '/webdav/' } };
    if (request.method === 'OPTIONS') return { status: 200, headers: { allow: METHODS, dav: '1, 2' } };
    const answer = toAuthorised(request, options);
    return { ...answer, headers: { 'accept-ranges': 'bytes', ...answer.headers } };
  };
}

const METHODS = 'OPTIONS, GET, HEAD, DELETE, PROPFIND, MOVE, MKCOL';

export const altmountWrongLogin = (): Answer => ({
  status: 401,
  headers: {
    'www-authenticate': 'Basic realm="BASIC WebDAV REALM"',
    'content-type': 'text/plain; charset=utf-8',
  },
  body: '401 Unauthorized',
});

function toAuthorised(request: Incoming, options: DavOptions): Answer {
  const { jobs, dialect } = options;
  const segments = request.path.slice('/webdav'.length).split('/').filter(Boolean).map(decodeURIComponent);
  const key = segments.slice(1).join('/');
  const node = nodeAt(tree(jobs.mounts(), dialect), segments);
  const isListing = request.method === 'PROPFIND';
  if (node === undefined) return isListing ? status(404) : plainText(404, 'Not Found');
  switch (request.method) {
    case 'DELETE':
      return deletion(segments, options);
    case 'PROPFIND':
      return propfind(request, node, segments, options);
    case 'GET':
    case 'HEAD':
      if (node.kind === 'folder') return plainText(405, 'Method Not Allowed');
      return fileAnswer(request, node, { key, gone: WITHDRAWN }, options);
    default:
      return plainText(405, 'Method Not Allowed');
  }
}

const WITHDRAWN: Answer = plainText(404, 'File unavailable due to missing articles');

/** Without a line's end, as it answers to PROPFIND. */
const TEXTS: Record<number, string> = { 400: 'Bad Request', 404: 'Not Found' };
const status = (code: number): Answer => ({
  status: code,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: TEXTS[code] ?? '',
});

/** A job's folder goes; nothing else is asked for. */
function deletion([, category, name, ...below]: readonly string[], { jobs }: DavOptions): Answer {
  const mount = jobs.mounts().find((each) => each.category === category && each.folder === name);
  if (mount === undefined || below.length > 0) return plainText(405, 'Method Not Allowed');
  jobs.removeMount(mount);
  return { status: 204 };
}

const DEPTHS: Record<string, number> = { '0': 0, '1': 1, infinity: Infinity };
/** Longer answers come in chunks. */
const BUFFER = 2048;

function propfind(
  { path, headers }: Incoming,
  node: FileNode | FolderNode,
  segments: readonly string[],
  { jobs }: DavOptions,
): Answer {
  const levels = DEPTHS[headers['depth'] ?? 'infinity'];
  if (levels === undefined) return status(400);
  const isHidden = (below: readonly string[]) =>
    headers['x-show-corrupted'] !== 'true' && jobs.withdrawn.has(below.slice(1).join('/'));
  const own = node.kind === 'folder' && !path.endsWith('/') ? `${path}/` : path;
  const body = `<?xml version="1.0" encoding="UTF-8"?><D:multistatus xmlns:D="DAV:">${[
    ...walk(own, node, levels, segments, isHidden),
  ].join('')}</D:multistatus>`;
  return {
    status: 207,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body,
    chunked: Buffer.byteLength(body) > BUFFER,
  };
}

function* walk(
  path: string,
  node: FileNode | FolderNode,
  levels: number,
  segments: readonly string[],
  isHidden: (segments: readonly string[]) => boolean,
): Generator<string> {
  if (isHidden(segments)) return;
  yield response(path, node);
  if (node.kind === 'file' || levels === 0) return;
  for (const child of node.children) {
    const below = `${path}${encodeURIComponent(child.name)}${child.kind === 'folder' ? '/' : ''}`;
    yield* walk(below, child, levels - 1, [...segments, child.name], isHidden);
  }
}

const LOCK =
  '<D:supportedlock><D:lockentry xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry></D:supportedlock>';

function response(path: string, node: FileNode | FolderNode): string {
  const isFolder = node.kind === 'folder';
  const type = isFolder ? '<D:collection xmlns:D="DAV:"/>' : '';
  const ofFile = isFolder
    ? ''
    : `<D:getcontentlength>${node.size}</D:getcontentlength><D:getetag>"18ea7a7dfd50de00${node.size.toString(16)}"</D:getetag><D:getcontenttype>${contentType(node.name, ALTMOUNT)}</D:getcontenttype>`;
  return (
    `<D:response><D:href>${escapeXml(path)}</D:href><D:propstat><D:prop>` +
    `<D:resourcetype>${type}</D:resourcetype><D:displayname>${escapeXml(node.name)}</D:displayname>` +
    `<D:getlastmodified>${MODIFIED}</D:getlastmodified>${ofFile}${LOCK}` +
    `<filesystem-id xmlns="altmount:">altmount-nzbfs-v1</filesystem-id>` +
    `</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
  );
}
