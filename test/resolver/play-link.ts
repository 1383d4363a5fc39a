import { onTestFinished } from 'vitest';
import { type Link, type MediaRequest, type Release, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import { loadReleaseNameParser } from '../../src/release/index.ts';
import { type PendingStream, type ResolveContext, resolver } from '../../src/resolver.ts';
import type { ProxyOptions } from '../../src/stream-proxy.ts';
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
  /** How many streams the proxy holds. */
  readonly sessions: number;
}

interface Playing {
  readonly request?: MediaRequest;
  readonly via?: 'proxy' | 'player';
  /** Milliseconds. */
  readonly timeout?: number;
  readonly withProxy?: boolean;
  /** The proxy's, and the resolver's own. */
  readonly relist?: NonNullable<ProxyOptions['relist']>;
}

interface Choosing extends Playing {
  readonly name?: string;
  readonly size?: number;
  /** Of its archive. */
  readonly password?: string;
  /** Links that it has after the given one; these may be NZBs. */
  readonly others?: readonly GivenLink[];
  /** False: nothing but its name is known of the release, as in the service. */
  readonly isRead?: boolean;
}

type GivenLink = Pick<Link, 'url'> & Partial<Link>;

/** Plays a link with the resolver and a real proxy. */
export async function playLink(given: GivenLink, options: Choosing = {}): Promise<Played> {
  const chosen = await releaseWith(given, options);
  return await played(options, (context, request) =>
    resolver.resolveRelease({ kind: 'found', release: chosen }, request, context, resolver),
  );
}

/** Plays the first of several links that can be played. */
export async function playFirst(given: readonly GivenLink[], options: Playing = {}): Promise<Played> {
  const releases = await Promise.all(given.map((link) => releaseWith(link, {})));
  const choices = {
    next: () => {
      const next = releases.shift();
      return Promise.resolve(next && ({ kind: 'found', release: next } as const));
    },
  };
  return await played(options, (context, request) =>
    resolver.resolveFirst(choices, request, { ...context, attempts: 3 }, resolver),
  );
}

async function releaseWith(
  link: GivenLink,
  { name = 'Sintel.2010.1080p.BluRay.x264-DURIAN', size, password, others = [], isRead = true }: Choosing,
): Promise<Release> {
  const parse = await loadReleaseNameParser();
  const whole = (each: GivenLink): Link => ({ guid: '1', indexer: 'Example', source: 'example', ...each });
  const links = [{ ...whole(link), plays: true }, ...others.map(whole)] as const;
  return {
    ...release({
      name,
      links,
      ...(size !== undefined && { size }),
      ...(password !== undefined && { password }),
    }),
    quality: isRead ? parse(name) : UNKNOWN_QUALITY,
  };
}

async function played(
  { request = SINTEL, via = 'proxy', timeout = 3_000, withProxy = true, relist }: Playing,
  play: (context: ResolveContext, request: MediaRequest) => Promise<PendingStream>,
): Promise<Played> {
  const proxy = await startTestProxy(relist === undefined ? {} : { relist });
  const { properties, propertyValues } = recordingHost();
  propertyValues.set('svc.proxy_port', String(proxy.port)).set('svc.proxy_token', proxy.token);
  if (withProxy) onTestFinished(() => proxy.close());
  else await proxy.close();
  const told: string[] = [];
  const tell = (words: string) => told.push(words);
  const context = {
    ...({} as ResolveContext),
    backend: { via: 'player' } as ResolveContext['backend'],
    progress: { update: () => Promise.resolve(), printLine: tell },
    properties,
    log: memoryLog(),
    signal: new AbortController().signal,
    timeout,
    directVia: via,
    ...(relist !== undefined && { relist }),
  };
  const outcome = await play(context, request).catch((error: unknown) => error as Error);
  return { outcome, told, sessions: proxy.sessions().length };
}
