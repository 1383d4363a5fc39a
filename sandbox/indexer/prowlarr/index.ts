import type { Answer, Handler, Incoming } from '../../http/types.ts';
import { hasKey, page } from './access.ts';
import { Exception, exceptionAnswer, NO_CACHE, resourceAnswer, versioned } from './answers.ts';
import { download, indexerDownload } from './download.ts';
import { indexerResource } from './list.ts';
import { newznab } from './newznab.ts';
import { createProwlarr, type Prowlarr, type ProwlarrOptions } from './prowlarr.ts';
import { OWN_POSTS } from './rows.ts';
import { search } from './search.ts';
import { cooldownResources, healthResources, statusResource } from './status.ts';

/** Prowlarr 2.3.6 (protocols.md §7), and under an address of their own the posts of its indexers. */
export function prowlarr(options: ProwlarrOptions): Handler {
  const running = createProwlarr(options);
  return async (request) => {
    try {
      const own = AT_INDEXER.exec(request.path)?.[1];
      return own === undefined
        ? await answered(request, running)
        : indexerDownload(request, Number(own), running);
    } catch (error) {
      if (error instanceof Exception) return exceptionAnswer(error);
      throw error;
    }
  };
}

const AT_INDEXER = new RegExp(`^${OWN_POSTS}/(\\d+)/getnzb$`);
const API = /^\/(?:api|\d+\/(?:api|download))(?:\/|$)/;
const NEWZNAB = /^\/(?:(\d+)\/api|api\/v1\/indexer\/(\d+)\/newznab)$/;
const DOWNLOAD = /^\/(\d+)\/download$/;

async function answered(request: Incoming, running: Prowlarr): Promise<Answer> {
  const { urlBase } = running;
  const isInside = request.path === urlBase || request.path.startsWith(`${urlBase}/`);
  const path = isInside ? request.path.slice(urlBase.length) || '/' : request.path;
  if (path === '/ping') return resourceAnswer({ status: 'OK' });
  if (!API.test(path)) return page(request, path, running);
  if (!hasKey(request, running)) return { status: 401, body: '' };
  const answer = isInside ? await called(request, path, running) : withBase(request, urlBase);
  return path.startsWith('/api/v1') ? versioned(answer) : answer;
}

/** To the same call behind the URL base. */
function withBase({ path, query }: Incoming, urlBase: string): Answer {
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return { status: 307, headers: { location: `${urlBase}${path}${search}` }, body: '' };
}

function called(request: Incoming, path: string, running: Prowlarr): Answer | Promise<Answer> {
  const feed = NEWZNAB.exec(path);
  if (feed !== null) return newznab(request, Number(feed[1] ?? feed[2]), running);
  const link = DOWNLOAD.exec(path)?.[1];
  if (link !== undefined) return download(request, Number(link), running);
  switch (path) {
    case '/api/v1/system/status':
      return resourceAnswer(statusResource(running));
    case '/api/v1/health':
      return resourceAnswer(healthResources(running));
    case '/api/v1/indexer':
      return resourceAnswer(running.indexers.map((indexer) => indexerResource(indexer, running.faults)));
    case '/api/v1/indexerstatus':
      return resourceAnswer(cooldownResources(running));
    case '/api/v1/search':
      return search(request, running);
    default:
      return { status: 404, headers: NO_CACHE, body: '' };
  }
}
