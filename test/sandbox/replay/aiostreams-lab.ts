import { expect } from 'vitest';
import {
  type AioStreamsOptions,
  type AioStreamsSandbox,
  startAioStreams,
} from '../../../sandbox/direct-stream/aiostreams/index.ts';
import { type Got, get } from '../support/get.ts';
import { aioForm, aioHeaders } from './aiostreams-form.ts';
import { played, recordedPosts } from './aiostreams-posts.ts';
import { RECORDED_ORIGIN } from './aiostreams-transcript.ts';
import type { Exchange } from './transcript.ts';

export interface AioStreamsLab {
  readonly service: AioStreamsSandbox;
  /** Makes the addresses of the releases that are played from now on. */
  listPlayed(): Promise<void>;
  replay(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

const UUID = '00000000-0000-4000-8000-000000000001';
const FILM = 'tt9001001';

const sealedPassword = () =>
  Buffer.from(JSON.stringify({ i: 'AAAAAAAAAAAAAAAAAAAAAA==', e: 'EEEE', t: 'a' })).toString('base64url');

export async function startAioStreamsLab(options: AioStreamsOptions = {}): Promise<AioStreamsLab> {
  const service = await startAioStreams({
    user: { uuid: UUID, password: sealedPassword(), name: 'Lab AIO' },
    indexerAt: { name: 'LabIndexer', url: 'http://indexer.example', apiKey: 'INDEXERKEY0123456789' },
    posts: [],
    limits: 'off',
    ...options,
  });
  /** Recorded addresses that play, and ours. */
  const addresses = new Map<string, string>();
  return {
    service,
    listPlayed: async () => {
      service.posts.splice(0, Infinity, ...played(FILM));
      const { bytes } = await get(`${service.addon}/stream/movie/${FILM}.json`);
      const { streams } = JSON.parse(bytes.toString()) as { streams: { url: string }[] };
      for (const { url } of streams) addresses.set(url.split('/').at(-1)!, url);
      const { headers } = await get(streams[0]!.url);
      addresses.set('bytes', headers.location!);
    },
    replay: async (exchange) => {
      if (exchange.name.includes('stremio-stream') || exchange.name.includes('search-api'))
        stock(service, exchange);
      compare(exchange, await ask(service, exchange, addresses));
    },
    close: () => service.close(),
  };
}

/** Has what the recorded answer lists, opened or not. */
function stock({ posts, library }: AioStreamsSandbox, exchange: Exchange): void {
  const recorded = recordedPosts(exchange);
  posts.splice(0, Infinity, ...recorded.map(({ post }) => post));
  library.clear();
  for (const { post, isOpened } of recorded)
    if (isOpened) library.set(post.release.guid, { status: 'available', cached: new Set() });
}

function ask(
  service: AioStreamsSandbox,
  { request: { method, target, headers } }: Exchange,
  addresses: ReadonlyMap<string, string>,
): Promise<Got> {
  const { user } = service.settings;
  const path = target.replace(/(?<=\/stremio\/[^/]+\/)(?:eyJpIjoi[\w-]+|<encryptedPassword>)/, user.password);
  const url =
    addresses.get(target.split('/').at(-1)!) ??
    (target.includes('/usenet/stream/eyJ')
      ? addresses.get('bytes')!
      : service.url + path.replace('<uuid>', user.uuid));
  const login = Buffer.from(`${user.uuid}:${user.password}`).toString('base64');
  const given = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.startsWith('Basic <') ? `Basic ${login}` : value,
  ]);
  return get(url, Object.fromEntries(given), method);
}

function compare({ name, answer }: Exchange, came: Got): void {
  const { status, headers = {}, body } = answer;
  const recorded = body.kind === 'text' ? body.text : '';
  // Rows and addresses are as long as the names and secrets in them.
  const isExact = !name.includes('stremio-stream') && !recorded.includes('/api/v1/');
  const own = headers['content-length'] === undefined ? withoutLength(came.headers) : came.headers;
  expect([name, came.status]).toEqual([name, status]);
  expect([name, aioHeaders(own, isExact)]).toEqual([name, aioHeaders(headers, isExact)]);
  const text = came.bytes.toString('utf8');
  if (body.kind === 'bytes') expect([name, came.bytes.length]).toEqual([name, body.length]);
  else if (recorded.startsWith('{'))
    expect([name, aioForm(JSON.parse(text))]).toEqual([name, aioForm(JSON.parse(recorded))]);
  else expect([name, redirectForm(text)]).toEqual([name, redirectForm(recorded)]);
}

/** Of some answers the headers were not kept by which a body is known. */
const withoutLength = ({ etag: _, 'content-length': __, ...headers }: Got['headers']) => headers;

const redirectForm = (text: string) =>
  text.replace(/(?<=Redirecting to )https?:\/\/[^/]+/, RECORDED_ORIGIN).replace(/eyJpIjoi[\w-]+/, '<sealed>');
