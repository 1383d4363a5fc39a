import { type Answer, type Handler, type Incoming, titledPage } from '../../http/types.ts';
import { api, NOT_FOUND, streamOf, VERSION } from './api.ts';
import { goError, goJson } from './go-http.ts';
import { rows } from './lists.ts';
import { failureFilm, nextRelease, play } from './play.ts';
import type { StreamNzb } from './service.ts';
import type { ConfiguredStream } from './session.ts';

const UNAUTHORIZED = goError(401, 'Unauthorized');
const ANYBODY = { 'access-control-allow-origin': '*' };

/** StreamNZB 4.1.0 as it was recorded (protocols.md §8.11): a Stremio add-on below each stream's token, and an API. */
export function streamNzbAddon(service: StreamNzb): Handler {
  return (request) => {
    const { path } = request;
    if (path === '/') return titledPage('StreamNZB');
    if (path === '/health' || path.startsWith('/api/')) return api(request, service);
    if (path === '/error/failure.mp4') return failureFilm(request.headers);
    const [, token = '', rest] = /^\/([^/]+)(\/.*)$/.exec(path) ?? [];
    const stream = streamOf(decodeURIComponent(token), service);
    if (stream === undefined) return UNAUTHORIZED;
    return addon(decodeURIComponent(rest ?? ''), request, stream, service);
  };
}

function addon(
  path: string,
  request: Incoming,
  stream: ConfiguredStream,
  service: StreamNzb,
): Answer | Promise<Answer> {
  if (path === '/manifest.json') return MANIFEST;
  if (path === '/configure') return { ...titledPage('StreamNZB'), headers: PAGE };
  const [, kind, id = ''] = /^\/(play|next)\/(.+)$/.exec(path) ?? [];
  if (kind === 'play') return play(request, { id, token: stream.token }, service);
  if (kind === 'next') return nextRelease(id, stream.token, service);
  if (!path.startsWith('/stream/')) return NOT_FOUND;
  const [, type, wanted] = /^\/stream\/([^/]+)\/(.+)\.json$/.exec(path) ?? [];
  if (type === undefined || wanted === undefined) return goError(400, 'Invalid stream URL');
  return goJson(200, { streams: rows({ type, id: wanted }, stream, service) }, ANYBODY);
}

const PAGE = { 'accept-ranges': 'bytes', 'content-type': 'text/html; charset=utf-8' };

const MANIFEST: Answer = {
  status: 200,
  headers: { ...ANYBODY, 'content-type': 'application/json' },
  body: JSON.stringify(
    {
      id: 'community.streamnzb',
      version: VERSION,
      name: 'StreamNZB',
      description: 'Stream content directly from Usenet',
      resources: ['stream'],
      types: ['movie', 'series'],
      catalogs: [],
      idPrefixes: ['tt', 'tmdb'],
      logo: 'https://cdn.discordapp.com/icons/1470288400157380710/6f397b4a2e9561dc7ad43526588cfd67.png',
      behaviorHints: {},
    },
    null,
    2,
  ),
};
