import { escapeXml } from '../http/types.ts';
import type { Dialect } from './dialect.ts';
import type { Node } from './tree.ts';

const TYPES: Record<string, string> = { mkv: 'video/x-matroska', mp4: 'video/mp4', txt: 'text/plain' };

export function contentType(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** The multistatus document of a node and of what is up to `levels` below it. */
export function multistatus(
  segments: readonly string[],
  node: Node,
  levels: number,
  dialect: Dialect,
  modified: string,
): string {
  const responses = [...walk(segments, node, levels)].map(([path, each]) =>
    response(path, each, dialect, modified),
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">${responses.join('')}</D:multistatus>`;
}

function* walk(path: readonly string[], node: Node, levels: number): Generator<[readonly string[], Node]> {
  yield [path, node];
  if (node.kind === 'file' || levels === 0) return;
  for (const child of node.children) yield* walk([...path, child.name], child, levels - 1);
}

function response(path: readonly string[], node: Node, dialect: Dialect, modified: string): string {
  const isFolder = node.kind === 'folder';
  const slash = isFolder && path.length > 0 ? '/' : '';
  const href = `${dialect.hrefHost}${dialect.sharePath}/${path.map(encodeURIComponent).join('/')}${slash}`;
  const size = isFolder ? 0 : node.clip.size;
  const type = isFolder ? '' : `<D:getcontenttype>${contentType(node.name)}</D:getcontenttype>`;
  return (
    `<D:response><D:href>${escapeXml(href)}</D:href><D:propstat><D:prop>` +
    `<D:displayname>${escapeXml(node.name)}</D:displayname>` +
    `<D:getcontentlength>${size}</D:getcontentlength>${type}` +
    `<D:getlastmodified>${modified}</D:getlastmodified>` +
    `<D:resourcetype>${isFolder ? '<D:collection/>' : dialect.fileType}</D:resourcetype>` +
    `<D:iscollection>${isFolder ? 1 : 0}</D:iscollection>` +
    `</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
  );
}
