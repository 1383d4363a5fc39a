import { onTestFinished } from 'vitest';
import { type Link, type MediaRequest, type Release, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import { loadReleaseNameParser } from '../../src/release/index.ts';
import { type PendingStream, type ResolveContext, resolver } from '../../src/resolver.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';
import { startTestProxy } from '../support/proxy.ts';
import { recordingHost } from '../support/recording-host.ts';

export const SINTEL: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };

interface Played {
  /** A failure is given as it was thrown. */
  readonly outcome: PendingStream | Error;
  /** What the person was told. */
  readonly told: readonly string[];
  /** Of the proxy. */
  readonly lines: readonly string[];
  /** How many streams the proxy holds. */
  readonly sessions: number;
}

interface Choosing {
  readonly name?: string;
  readonly size?: number;
  readonly request?: MediaRequest;
  readonly via?: 'proxy' | 'player';
  /** Milliseconds. */
  readonly timeout?: number;
  readonly withProxy?: boolean;
  /** False: nothing but its name is known of the release, as in the service. */
  readonly isRead?: boolean;
}

/** Plays a link with the resolver and a real proxy. */
export async function playLink(
  link: Pick<Link, 'url'> & Partial<Link>,
  {
    name = 'Sintel.2010.1080p.BluRay.x264-DURIAN',
    size,
    request = SINTEL,
    via = 'proxy',
    timeout = 3_000,
    withProxy = true,
    isRead = true,
  }: Choosing = {},
): Promise<Played> {
  const proxy = await startTestProxy();
  const { properties, propertyValues } = recordingHost();
  propertyValues.set('svc.proxy_port', String(proxy.port)).set('svc.proxy_token', proxy.token);
  if (withProxy) onTestFinished(() => proxy.close());
  else await proxy.close();
  const told: string[] = [];
  const tell = (words: string) => told.push(words);
  const parse = await loadReleaseNameParser();
  const links = [{ guid: '1', indexer: 'Example', source: 'example', ...link, plays: true }] as const;
  const chosen: Release = {
    ...release({ name, links, ...(size !== undefined && { size }) }),
    quality: isRead ? parse(name) : UNKNOWN_QUALITY,
  };
  const context = {
    ...({} as ResolveContext),
    backend: { via: 'player' } as ResolveContext['backend'],
    progress: { update: () => Promise.resolve(), tell },
    ...{ properties, log: memoryLog(), signal: new AbortController().signal, timeout, directVia: via },
  };
  const outcome = await resolver
    .resolveRelease({ release: chosen }, request, context, resolver)
    .catch((error: unknown) => error as Error);
  return { outcome, told, lines: proxy.lines, sessions: proxy.sessions().length };
}
