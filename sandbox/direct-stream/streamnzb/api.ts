import type { Answer, Incoming } from '../../http/types.ts';
import type { Wanted } from '../post.ts';
import { goError, goJson } from './go-http.ts';
import { findReleases, rows } from './lists.ts';
import type { StreamNzb } from './service.ts';

export const VERSION = '4.1.0-26f878c';

const UNAUTHORIZED = goJson(401, { error: 'Unauthorized' });
export const NOT_FOUND = goError(404, '404 page not found');

/** What is not the add-on. Two paths need no key; the others take any stream's token, or the administrator's. */
export function api(request: Incoming, service: StreamNzb): Answer {
  switch (request.path) {
    case '/health':
      return goJson(200, { addon: 'streamnzb', status: 'ok' });
    case '/api/info':
      return goJson(200, { version: VERSION });
    case '/api/login':
      return goJson(401, { success: false, error: 'Invalid credentials' });
  }
  const known = KEYED[request.path];
  if (known === undefined) return NOT_FOUND;
  const token = /^Bearer (.*)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
  return hasToken(token, service) ? known(request, service, token) : UNAUTHORIZED;
}

export const streamOf = (token: string, { settings }: StreamNzb) =>
  settings.streams.find((stream) => stream.token === token);

const hasToken = (token: string, service: StreamNzb) =>
  token === service.settings.adminToken || streamOf(token, service) !== undefined;

const KEYED: Readonly<Record<string, (request: Incoming, service: StreamNzb, token: string) => Answer>> = {
  '/api/config': () => goJson(200, {}),
  '/api/cache/clear': (_request, { memory }) => {
    memory.searches.clear();
    return goJson(200, { message: 'Search cache cleared.', status: 'success' });
  },
  '/api/nzb-attempts': ({ query }, { attempts }) =>
    goJson(200, attempts.all.slice(0, Number(query.get('limit') ?? 50))),
  '/api/search/streams': (request, service, token) => {
    const stream = streamOf(token, service) ?? service.settings.streams[0]!;
    return goJson(200, { streams: rows(wanted(request), stream, service) });
  },
  '/api/search/releases': (request, service) =>
    goJson(200, { releases: findReleases(wanted(request), service).map((post) => release(post, service)) }),
};

const wanted = ({ query }: Incoming): Wanted => ({
  type: query.get('type') ?? '',
  id: query.get('id') ?? '',
});

function release(
  { release: { guid, name, size } }: ReturnType<typeof findReleases>[number],
  service: StreamNzb,
) {
  const { url, apiKey, name: indexer } = service.settings.indexerAt;
  return {
    title: name,
    link: `${url}/api?t=get&id=${guid}&apikey=${encodeURIComponent(apiKey)}`,
    details_url: `${url}/details/${guid}`,
    size,
    indexer,
    availability: 'Unknown',
  };
}
