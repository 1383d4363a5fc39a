import { escapeXml } from '../http/types.ts';
import type { Dialect } from './dialect.ts';
import type { Node } from './tree.ts';

/** When everything in the share was changed last that has a date of its own. */
export const MODIFIED = 'Wed, 01 Jan 2025 12:00:00 GMT';

export function contentType(name: string, { types }: Dialect): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** What was asked, and how. */
export interface PropfindRequest {
  /** As it stands in the request, with a slash at its end or none. */
  readonly path: string;
  /** The request's own. */
  readonly host: string;
  readonly dialect: Dialect;
}

/** The multistatus document of a node and of what is up to `levels` below it. */
export function multistatus(node: Node, levels: number, asked: PropfindRequest): string {
  const path = asked.path.split('/').map(recoded).join('/');
  const responses = [...walk(path, node, levels)].map(([path, each]) => response(path, each, asked));
  return `<?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:">${responses.join('')}</D:multistatus>`;
}

/** The asked one with its slash; those below it without a slash at their end. */
function* walk(path: string, node: Node, levels: number): Generator<[string, Node]> {
  yield [path, node];
  if (node.kind === 'file' || levels === 0) return;
  const below = path.replace(/\/$/, '');
  for (const child of node.children) yield* walk(`${below}/${encodedSegment(child.name)}`, child, levels - 1);
}

/** As .NET writes a path: what a path may hold stays as it is. */
function encodedSegment(name: string): string {
  return encodeURIComponent(name).replace(/%(?:26|2B|24|2C|3B|3A|3D|40)/g, decodeURIComponent);
}

function recoded(segment: string): string {
  return encodedSegment(decodeURIComponent(segment));
}

const HOSTS = {
  // Its own name behind its front end.
  own: () => 'http://localhost:8080',
  asked: (host: string) => `http://${host}`,
};

function response(path: string, node: Node, { host, dialect }: PropfindRequest): string {
  const isFolder = node.kind === 'folder';
  const isFixed = isFolder && node.isFixed === true;
  const type = isFolder
    ? '<D:quota-available-bytes>9223372036854775807</D:quota-available-bytes><D:quota-used-bytes>0</D:quota-used-bytes>'
    : `<D:getcontenttype>${contentType(node.name, dialect)}</D:getcontenttype>`;
  return (
    `<D:response><D:href>${escapeXml(HOSTS[dialect.hrefHost](host) + path)}</D:href><D:propstat><D:prop>` +
    `<D:displayname>${escapeXml(node.name || '/')}</D:displayname>` +
    `<D:getcontentlength>${isFolder ? 0 : node.size}</D:getcontentlength>${type}` +
    `<D:getlastmodified>${isFixed ? dialect.epoch : MODIFIED}</D:getlastmodified>` +
    `<Z:Win32FileAttributes>${isFolder ? '00000010' : '00000080'}</Z:Win32FileAttributes>` +
    `<D:resourcetype>${isFolder ? '<D:collection />' : dialect.fileType}</D:resourcetype>` +
    `<D:iscollection>${isFolder ? 1 : 0}</D:iscollection>` +
    `</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
  );
}
