import type { IncomingMessage } from 'node:http';
import { isSameSecret } from '../../io/hash.ts';

/** What a request is for. */
export interface RequestPath {
  /** Every host that the request names; more than one is malformed (RFC 9112 §3.2). */
  readonly hosts: readonly string[];
  /** Without its query, otherwise as it was written. */
  readonly path: string;
}

/** Reads the target of a request. An absolute one names the host itself, and Host is ignored (RFC 9112 §3.2.2). */
export function requestPathOf({ url = '', headersDistinct }: IncomingMessage): RequestPath {
  const [, authority, rest] = /^http:\/\/([^/?]*)(.*)$/is.exec(url) ?? [];
  const hosts = headersDistinct['host'] ?? [];
  if (authority === undefined || hosts.length > 1) return { hosts, path: withoutQuery(url) };
  return { hosts: [authority], path: withoutQuery(rest ?? '') };
}

const withoutQuery = (target: string): string => target.replace(/\?.*$/s, '');

/**
 * Whether the request is meant for this proxy: a page that points a name of its own at 127.0.0.1 sends another Host.
 */
export function isOwnHost({ hosts }: RequestPath, port: number): boolean {
  return hosts.length === 1 && hosts[0] === `127.0.0.1:${port}`;
}

/**
 * Whether the request carries the token as its one `Authorization: Bearer` (RFC 6750 §2.1); takes equally long whatever
 * it carries.
 */
export function authorise({ headersDistinct }: IncomingMessage, token: string): boolean {
  const [field = '', another] = headersDistinct['authorization'] ?? [];
  const given = /^bearer +([\w.~+/-]+=*)$/i.exec(another === undefined ? field : '')?.[1] ?? '';
  return isSameSecret(given, token);
}
