import { createHash } from 'node:crypto';
import type { DirectPost, Wanted } from '../post.ts';
import { type AioStreams, base } from './service.ts';

const hex = (kind: string, text: string) => createHash(kind).update(text).digest('hex');
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What it calls encrypted: JSON of three fields. Here the second one says what is meant. */
const sealed = (secret: string) => encoded({ i: 'AAAAAAAAAAAAAAAAAAAAAA==', e: secret, t: 'a' });

function unsealed(text: string): string | undefined {
  const value = decoded(text);
  return typeof value === 'object' && value !== null && 'e' in value && typeof value.e === 'string'
    ? value.e
    : undefined;
}

/** Whether it can have made that part of an address. */
export const isSealed = (text: string): boolean => unsealed(text) !== undefined;

/** What a play address says in clear; the NZB's address has the person's key in it. */
export interface FileInfo {
  readonly type: 'usenet';
  readonly nzb: string;
  readonly title: string;
  readonly hash: string;
  readonly releaseKey: string;
  readonly indexer: string;
  /** Of the file in the release; -1: it was never opened. */
  readonly index: number;
}

export function fileInfo(
  { release }: DirectPost,
  index: number,
  { settings: { indexerAt } }: AioStreams,
): FileInfo {
  const { name: indexer, url, apiKey } = indexerAt;
  return {
    type: 'usenet',
    nzb: `${url}/api?t=get&id=${release.guid}&apikey=${encodeURIComponent(apiKey)}`,
    title: release.name,
    hash: hex('md5', release.guid),
    // By size, poster and date.
    releaseKey: `wd1:${hex('md5', `${release.size} ${release.poster} ${release.posted}`)}`,
    indexer,
    index,
  };
}

interface PlayAddress {
  readonly info: FileInfo;
  readonly wanted: Wanted;
  /** "-", or where it stands in which list for failover. */
  readonly failover: string;
  readonly name: string;
}

export function playAddress({ info, wanted, failover, name }: PlayAddress, service: AioStreams): string {
  const id = hex('sha256', `${wanted.type} ${wanted.id}`);
  service.wanted.set(id, wanted);
  const parts = [sealed('store'), failover, encoded(info), id, encodeURIComponent(name)];
  return `${base(service)}/api/v1/debrid/playback/${parts.join('/')}`;
}

/** What a play address means; undefined: nothing. */
export function readPlayAddress(
  path: string,
  service: AioStreams,
): { readonly post: DirectPost; readonly wanted: Wanted; readonly failover: string } | undefined {
  const [auth = '', failover = '', info = '', id = ''] = path.split('/');
  const told = decoded(info);
  const hash = typeof told === 'object' && told !== null && 'hash' in told ? told.hash : undefined;
  const post = service.posts.find(({ release }) => hex('md5', release.guid) === hash);
  const wanted = service.wanted.get(id);
  return !isSealed(auth) || post === undefined || wanted === undefined
    ? undefined
    : { post, wanted, failover };
}

/** A file of a release, as its byte address names it: good as long as the release is. */
export const byteAddress = ({ release }: DirectPost, video: number, service: AioStreams): string =>
  `${base(service)}/api/v1/usenet/stream/${sealed(`${release.guid} ${video}`)}`;

export function readByteAddress(
  token: string,
  { posts }: AioStreams,
): { readonly post: DirectPost; readonly video: number } | undefined {
  const [guid, video] = (unsealed(token) ?? '').split(' ');
  const post = posts.find(({ release }) => release.guid === guid);
  return post === undefined ? undefined : { post, video: Number(video) };
}

export const etagOf = ({ release }: DirectPost, video: number, size: number): string =>
  `"u-${hex('sha1', `${release.guid} ${video}`).slice(0, 20)}-${size.toString(16)}"`;
