import { type Answer, type Handler, type Incoming, titledPage } from '../../http/types.ts';
import { isSealed } from './addresses.ts';
import { errorAnswer, INVALID_USER, jsonAnswer } from './answers.ts';
import { byteStream } from './bytes.ts';
import { clipAnswer } from './clips.ts';
import { limitAnswer } from './limits.ts';
import { playback } from './play.ts';
import { onlyError, rows } from './rows.ts';
import { searchApi } from './search-api.ts';
import type { AioStreams } from './service.ts';

/** AIOStreams 2.33.2 with its own usenet engine, as it was recorded (protocols.md §8.4 to §8.9). */
export function aioStreams(service: AioStreams): Handler {
  return (request) => {
    const { path } = request;
    const [, play] = /^\/api\/v1\/debrid\/playback\/(.+)$/.exec(path) ?? [];
    if (play !== undefined) return playback(request, play, service);
    const [, token] = /^\/api\/v1\/usenet\/stream\/([^/]+)/.exec(path) ?? [];
    if (token !== undefined) return byteStream(request, token, service);
    if (path === '/api/v1/search') return limitAnswer('search', service) ?? searchApi(request, service);
    if (path.startsWith('/stremio/')) return addon(path.slice('/stremio'.length), request, service);
    return clipAnswer(path, request.headers) ?? titledPage('AIOStreams');
  };
}

function addon(path: string, request: Incoming, service: AioStreams): Answer {
  if (path === '/manifest.json') return jsonAnswer(200, PUBLIC);
  if (path.startsWith('/stream/')) return jsonAnswer(200, onlyError('Please configure the addon first'));
  const [, uuid = '', password = '', rest = ''] = /^\/([^/]+)\/([^/]+)(\/.*)$/.exec(path) ?? [];
  const { user } = service.settings;
  const isUser = uuid === user.uuid && password === user.password;
  if (rest === '/manifest.json')
    return limitAnswer('manifest', service) ?? manifest(isUser, password, service);
  const [, type, id] = /^\/stream\/([^/]+)\/(.+)\.json$/.exec(rest) ?? [];
  if (type === undefined || id === undefined) return titledPage('AIOStreams');
  const limited = limitAnswer('list', service);
  if (limited !== undefined) return limited;
  if (!isUser) return jsonAnswer(200, onlyError('User not found'));
  const tellsAll = (request.headers['user-agent'] ?? '').includes('AIOStreams/');
  return jsonAnswer(200, { streams: rows({ type, id: decodeURIComponent(id) }, tellsAll, service) });
}

function manifest(isUser: boolean, password: string, { settings: { user } }: AioStreams): Answer {
  if (!isSealed(password))
    return errorAnswer(500, 'ENCRYPTION_ERROR', 'An error occurred in the encryption service');
  if (!isUser) return INVALID_USER;
  return jsonAnswer(200, {
    ...PUBLIC,
    name: user.name,
    id: `${PUBLIC.id}.${user.uuid.slice(0, 12)}`,
    types: TYPES,
    resources: [
      { name: 'stream', types: TYPES, idPrefixes: ['tt', 'imdb', 'mal', 'tvdb', 'tmdb', 'kitsu'] },
      { name: 'catalog', types: [] },
    ],
    behaviorHints: { configurable: true, configurationRequired: false },
  });
}

const TYPES = ['movie', 'series', 'anime'];

const PUBLIC = {
  name: 'AIOStreams',
  id: 'com.aiostreams.viren070',
  version: '0.0.0',
  description: 'unknown',
  catalogs: [],
  resources: [],
  types: [],
  logo: 'https://raw.githubusercontent.com/Viren070/AIOStreams/refs/heads/main/packages/frontend/public/logo.png',
  behaviorHints: { configurable: true, configurationRequired: true },
  addonCatalogs: [],
};
