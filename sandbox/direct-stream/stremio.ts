import { CATALOGUE, type CatalogueRelease } from '../catalogue.ts';
import type { TransportFault } from '../http/faults.ts';
import { openPort } from '../http/port.ts';
import { listener } from '../http/serve.ts';
import { type Answer, type Handler, type Incoming, json, type RecordedRequest } from '../http/types.ts';
import { videoClip } from '../video-clip.ts';
import { media, NOTICE } from './media.ts';

/** What goes wrong with an add-on, beside the wire. */
export interface StremioFaults {
  /** On lists and the manifest. */
  wire: TransportFault[];
  /** On addresses that play. */
  play: TransportFault[];
  search?: 'empty' | 'flood' | undefined;
  /** Put in front of what is listed. */
  rows?: readonly unknown[] | undefined;
  /** Streams ask for this header. */
  authorization?: string | undefined;
  /** So many openings are answered with this status and Retry-After first. */
  busy?: { times: number; readonly status: 425 | 502 | 503; readonly retryAfter: string } | undefined;
  /** What a stream turns out to be. */
  stream?: 'notice' | 'failure-video' | 'failure-told' | 'gone' | undefined;
}

export interface StremioSandbox {
  /** With the token in its path, as it is pasted without "/manifest.json". */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  readonly faults: StremioFaults;
  /** The answer of an add-on whose limit is reached, for a `status` fault. */
  readonly limitBody: string;
  close(): Promise<void>;
}

/** A Stremio add-on on loopback with the films and single episodes of the catalogue (protocols.md §8.2). */
export async function startStremio({ apiKey }: { readonly apiKey: string }): Promise<StremioSandbox> {
  const faults: StremioFaults = { wire: [], play: [] };
  const requests: RecordedRequest[] = [];
  const root = `/${encodeURIComponent(apiKey)}`;
  let url = '';
  const port = await openPort(
    listener({
      classify: (path) => (path.includes('/play/') || path.startsWith('/files/') ? 'webdav' : 'api'),
      handle: addon(root, faults, () => url),
      refuseKey: () => json(401, { error: 'Unauthorized' }),
      faults: (service) => (service === 'webdav' ? faults.play : faults.wire),
      record: (request) => requests.push(request),
    }),
  );
  url = port.url;
  return {
    url: `${url}${root}`,
    requests,
    faults,
    limitBody: JSON.stringify({ error: 'Request limit reached' }),
    close: () => port.shut(),
  };
}

function addon(root: string, faults: StremioFaults, url: () => string): Handler {
  return (request) => {
    if (request.path.startsWith('/files/')) return file(request, faults);
    if (request.path.startsWith('/static/')) return media(request, NOTICE);
    if (!request.path.startsWith(`${root}/`)) return json(401, { error: 'Unauthorized' });
    const path = decodeURIComponent(request.path.slice(root.length));
    if (path === '/manifest.json') return json(200, MANIFEST);
    const [, type, id] = /^\/stream\/(movie|series)\/([^/]+)\.json$/.exec(path) ?? [];
    if (type !== undefined && id !== undefined)
      return json(200, { streams: [...(faults.rows ?? []), ...listed(type, id, faults, `${url()}${root}`)] });
    const guid = /^\/play\/([\w-]+)\//.exec(path)?.[1];
    return guid === undefined ? { status: 404, body: 'Not Found' } : play(request, guid, faults);
  };
}

const MANIFEST = {
  id: 'org.sandbox.streams',
  version: '1.0.0',
  name: 'Sandbox streams',
  resources: [{ name: 'stream', types: ['movie', 'series'], idPrefixes: ['tt'] }],
  types: ['movie', 'series'],
  catalogs: [],
};

const FLOOD = 10_000;

function listed(type: string, id: string, { search, authorization }: StremioFaults, base: string): unknown[] {
  if (search === 'empty') return [];
  const found = CATALOGUE.filter((release) =>
    type === 'movie' ? isFilm(release, id) : isEpisode(release, id),
  );
  const rows = found.map((release) => rowOf(release, base, authorization));
  const [first] = rows;
  return search === 'flood' ? Array.from({ length: FLOOD }, () => first) : rows;
}

const isFilm = ({ of }: CatalogueRelease, id: string) => of.kind === 'movie' && of.imdb === id;

const isEpisode = ({ of, season, episode }: CatalogueRelease, id: string) =>
  episode !== undefined && `${of.imdb}:${String(season)}:${episode}` === id;

function rowOf(release: CatalogueRelease, base: string, authorization: string | undefined): unknown {
  const { name, guid, size, videos } = release;
  const container = videos[0]?.container === 'mkv' ? 'mkv' : 'mp4';
  return {
    name: 'Sandbox\n1080p',
    description: `${name}\n💾 ${size} B`,
    url: `${base}/play/${guid}/${name}.${container}`,
    behaviorHints: {
      filename: `${name}.${container}`,
      videoSize: size,
      bingeGroup: `sandbox|${name.split('-').at(-1) ?? ''}`,
      notWebReady: true,
      ...(authorization !== undefined && { proxyHeaders: { request: { Authorization: authorization } } }),
    },
  };
}

/** Several services answer HEAD with an error: what plays is asked for by GET. */
function play({ method, headers }: Incoming, guid: string, faults: StremioFaults): Answer {
  if (method !== 'GET') return { status: 405 };
  const { busy, stream, authorization } = faults;
  if (authorization !== undefined && headers['authorization'] !== authorization) return { status: 401 };
  if (busy !== undefined && busy.times > 0) {
    busy.times--;
    return { status: busy.status, headers: { 'retry-after': busy.retryAfter }, body: 'still downloading' };
  }
  const release = CATALOGUE.find((each) => each.guid === guid);
  if (release === undefined || stream === 'gone') return { status: 404, body: 'expired' };
  if (stream === 'notice' || release.health === 'dead')
    return { status: 307, headers: { location: '/static/download_failed.mp4' } };
  return { status: 302, headers: { location: `/files/${guid}/video?token=4bd1` } };
}

function file(request: Incoming, { stream }: StremioFaults): Answer {
  if (request.query.get('token') === null) return { status: 401 };
  if (stream === 'failure-video') return media(request, NOTICE);
  if (stream === 'failure-told') return told(media(request, NOTICE));
  const release = CATALOGUE.find(({ guid }) => request.path.includes(guid));
  const [video] = release?.videos ?? [];
  if (video === undefined) return { status: 404 };
  const answer = media(request, videoClip(video));
  const disposition = `attachment; filename="${video.path}"; filename*=UTF-8''${encodeURIComponent(video.path)}`;
  return { ...answer, headers: { ...answer.headers, 'content-disposition': disposition } };
}

/** As UsenetStreamer does, with status 200 or 206 (protocols.md §8.1). */
const told = (answer: Answer): Answer => ({
  ...answer,
  headers: {
    ...answer.headers,
    'x-nzbdav-failure': 'Article 1@x not found, see http://nzbdav.invalid/?apikey=1',
  },
});
