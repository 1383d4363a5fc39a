import { type AioStreamsOptions, startAioStreams } from '../../../sandbox/direct-stream/aiostreams/index.ts';
import { downloadKey, startDirectStream } from '../../../sandbox/direct-stream/index.ts';
import { DirectPost } from '../../../sandbox/direct-stream/post.ts';
import { type StreamNzbOptions, startStreamNzb } from '../../../sandbox/direct-stream/streamnzb/index.ts';
import { BIG_BUCK_BUNNY, type CatalogueRelease } from '../../../sandbox/index.ts';
import { videoClip } from '../../../sandbox/video-clip.ts';
import { servingOf } from '../../../src/backends/direct-stream/serving.ts';
import type { DirectService } from '../../../src/model/index.ts';
import { BUFFER_POLICY } from '../../../src/stream-proxy/policy/buffer.ts';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';
import { type Policies, READ_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import type { RunningProxy } from '../../../src/stream-proxy.ts';
import { type Answer, askPrepare, requestProxy, startTestProxy } from '../../support/proxy.ts';

// Films of a streaming service, played through the proxy; their lists are asked as their add-ons write them.

export const MB = 1_000_000;

/** Nothing is read ahead, so that what happens in the middle of a film happens to the player. */
const QUICK: Partial<Policies> = {
  read: { ...READ_POLICY, pauses: [0, 20, 50], stallTimeout: 1_000 },
  buffer: { ...BUFFER_POLICY, prefetchBytes: 0, minIndexBytes: 0, sessionMemory: 2 * 1024 * 1024 },
  fills: {
    ...FILL_POLICY,
    maxShare: 0.5,
    confirmAfter: 50,
    recheckInterval: 50,
    reportAfter: 500,
    giveUpAfter: 4_000,
  },
};

let number = 0;

/** A post of one film, whose file is called as the post is. */
export const film = (name: string, size: number, more: Partial<CatalogueRelease> = {}): DirectPost =>
  new DirectPost({
    guid: `d1ec7000-0000-4000-8000-${String(++number).padStart(12, '0')}`,
    of: BIG_BUCK_BUNNY,
    name,
    categories: [2000],
    size: size + MB,
    videos: [{ path: `${name}.mkv`, container: 'mkv', size, seconds: 60 }],
    posted: '2026-11-22T15:00:00.000Z',
    grabs: 1,
    poster: 'lab@sandbox.invalid',
    usenetGroup: 'alt.binaries.sandbox',
    ...more,
  });

/** The bytes of a post's film. */
export function bytesOf({ release }: DirectPost): Buffer {
  const [first] = release.videos;
  const clip = videoClip(first!);
  return Buffer.from(clip.read(0, clip.size));
}

export interface Row {
  readonly name: string;
  readonly url: string;
}

export interface DirectLab {
  readonly proxy: RunningProxy & { readonly lines: string[] };
  rows(): Promise<readonly Row[]>;
  /** The answer to /prepare of a row. */
  prepare(row: Row, more?: object): Promise<Answer>;
  /** The URL of a row that plays. */
  open(row: Row, more?: object): Promise<string>;
  close(): Promise<void>;
}

/** As messages name them. */
export const SERVICE_NAMES: Readonly<Record<DirectService, string>> = {
  altmount: 'AltMount',
  aiostreams: 'AIOStreams',
  streamnzb: 'StreamNZB',
};

type Rows = () => Promise<readonly Row[]>;

async function startDirectLab(
  service: DirectService,
  rows: Rows,
  policies: Partial<Policies> = QUICK,
): Promise<DirectLab> {
  const proxy = await startTestProxy({
    policies,
    relist: async (listed) => {
      const row = (await rows()).find(({ name }) => name === listed);
      return row && { url: row.url, headers: {} };
    },
  });
  const prepare = ({ name, url }: Row, more: object = {}) =>
    askPrepare(proxy, {
      url,
      headers: {},
      name: `${name}.mkv`,
      serving: servingOf(service),
      listed: name,
      opening: { who: SERVICE_NAMES[service], wait: 10_000 },
      ...more,
    });
  return {
    proxy,
    rows,
    prepare,
    close: () => proxy.close(),
    open: async (row, more) => {
      const answer = await prepare(row, more);
      if (answer.status !== 200) throw new Error(`not prepared: ${answer.body.toString()}`);
      return (answer.json() as { url: string }).url;
    },
  };
}

interface Stream {
  readonly url: string;
  readonly description: string;
  /** AltMount's in place of it. */
  readonly title: string;
  readonly behaviorHints: { readonly filename: string };
}

/** The first line of a description is the add-on's. */
const listOf = async (addon: string): Promise<{ readonly streams: readonly Stream[] }> =>
  (await requestProxy(`${addon}/stream/movie/${BIG_BUCK_BUNNY.imdb}.json`)).json() as { streams: Stream[] };

export interface LabOptions<Options> {
  readonly failover?: boolean;
  readonly policies?: Partial<Policies>;
  readonly service?: Options;
}

/** One list of its own, without failover unless it is asked for. */
export async function startStreamNzbLab(
  posts: readonly DirectPost[],
  { failover = false, policies, service: more }: LabOptions<StreamNzbOptions> = {},
) {
  const service = await startStreamNzb({
    posts,
    streams: [{ name: 'own', token: 'own-token-1', failover, results: 'display_all' }],
    ...more,
  });
  const rows: Rows = async () =>
    (await listOf(service.addon())).streams.map(({ url, behaviorHints: { filename } }) => ({
      name: filename,
      url,
    }));
  return withService(service, await startDirectLab('streamnzb', rows, policies));
}

export async function startAioStreamsLab(
  posts: readonly DirectPost[],
  { failover = false, policies, service: more }: LabOptions<AioStreamsOptions> = {},
) {
  const service = await startAioStreams({ posts, failover, silence: 20, limits: 'off', ...more });
  const rows: Rows = async () =>
    (await listOf(service.addon)).streams.map(({ url, description }) => ({
      name: /📁 ([^\n/]+)/.exec(description)?.[1] ?? '',
      url,
    }));
  return withService(service, await startDirectLab('aiostreams', rows, policies));
}

/** AltMount by its add-on, whose rows have no size, and whose addresses lead to its streams. */
export async function startAltMountLab(
  posts: readonly DirectPost[],
  { policies }: Pick<LabOptions<never>, 'policies'> = {},
) {
  const releases = posts.map(({ release }) => release);
  const service = await startDirectStream('altmount', { apiKey: 'k', jobDuration: 20, posts: releases });
  const rows: Rows = async () => {
    const { streams } = await listOf(`${service.url}/stremio/${downloadKey('k')}`);
    const listed = streams.map(({ url, title }) => ({ name: title.split('\n')[0] ?? '', url }));
    return listed.filter(({ name }) => releases.some((each) => each.name === name));
  };
  return withService(service, await startDirectLab('altmount', rows, policies));
}

function withService<Service extends { close(): Promise<void> }>(service: Service, lab: DirectLab) {
  const close = async () => {
    await lab.close();
    await service.close();
  };
  return { ...lab, service, close };
}

/** What came of a body, whether it came whole, and where its first byte is that is not the film's own. */
export async function played(url: string, truth: Buffer, range = 'bytes=0-') {
  const response = await fetch(url, { headers: { range } }).catch(() => undefined);
  if (response === undefined) return { status: 0, count: 0, isWhole: false, wrong: 0, wrongAt: undefined };
  const first = Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0);
  const chunks: Uint8Array[] = [];
  const isWhole = await (async () => {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return true;
  })().catch(() => false);
  const bytes = Buffer.concat(chunks);
  let wrong = 0;
  let wrongAt: number | undefined;
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] !== truth[first + at]) {
      wrong++;
      wrongAt ??= first + at;
    }
  return { status: response.status, count: bytes.length, isWhole, wrong, wrongAt };
}
