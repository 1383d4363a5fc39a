import type { Answer, Handler, Incoming } from '../../http/types.ts';
import { getnzb } from './downloads.ts';
import type { Hydra } from './hydra.ts';
import { newznab } from './newznab.ts';
import { errorPage, page, plainError } from './pages.ts';
import { stats } from './stats.ts';

/** NZBHydra2 8.9.1 as it was recorded (protocols.md §6). */
export function hydra(parts: Hydra): Handler {
  const { urlBase } = parts;
  return async (request) => {
    const { path } = request;
    if (path !== urlBase && !path.startsWith(`${urlBase}/`)) return NOT_ITS_OWN;
    const answer = await answerTo(path.slice(urlBase.length), request, parts);
    return { ...answer, headers: { ...ALWAYS, ...answer.headers } };
  };
}

/** Outside of its URL base. */
const NOT_ITS_OWN: Answer = {
  status: 404,
  headers: { 'content-type': 'text/html;charset=utf-8', 'content-language': 'en' },
  body: '<!doctype html><html><head><title>HTTP Status 404</title></head><body></body></html>',
};

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '0',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
};

async function answerTo(path: string, request: Incoming, parts: Hydra): Promise<Answer> {
  if (path === '/api/stats/indexers') return stats(request, parts);
  if (/^\/(?:api|api\/api|rss)$/.test(path)) return newznab(request, undefined, parts);
  const id = /^\/getnzb\/api\/([^/]+)$/.exec(path)?.[1];
  if (id !== undefined) return getnzb(id, request, parts);
  const name = /^\/api\/([^/]+)$/.exec(path)?.[1];
  // A slash within a name is none, however it is written.
  if (name !== undefined && /%2f/i.test(name)) return plainError(request.path, request.query);
  if (name !== undefined) return newznab(request, { name: decodeURIComponent(name) }, parts);
  return page(path, request, parts) ?? errorPage(404);
}
