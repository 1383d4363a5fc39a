import { CATALOGUE, type CatalogueRelease } from '../catalogue.ts';
import { type Answer, type Handler, type Incoming, xml } from '../http/types.ts';
import { capsDocument, errorDocument, feedDocument } from './documents.ts';
import type { IndexerFaults } from './faults.ts';
import { flood } from './flood.ts';
import { nzbOf } from './nzb.ts';
import { findReleases, type Kind, type Page, type SearchSupport } from './search.ts';

export interface IndexerOptions {
  readonly apiKey: string;
  readonly support: SearchSupport;
  readonly faults: IndexerFaults;
  /** The indexer's own address; known only once its port is open. */
  readonly url: () => string;
}

/** A Newznab indexer over the catalogue: caps, search, tvsearch, movie and get. */
export function indexer(options: IndexerOptions): Handler {
  return (request) => {
    if (request.path !== '/api') return { status: 404, body: 'Not Found' };
    if (request.method !== 'GET') return { status: 405, body: 'Method Not Allowed' };
    return answer(request, options);
  };
}

/** The answer to a wrong key. */
export function wrongKey(): Answer {
  return errorDocument(100, 'Incorrect user credentials');
}

function answer({ query }: Incoming, { apiKey, support, faults, url }: IndexerOptions): Answer {
  const kind = query.get('t');
  if (kind === 'caps') return capsDocument(support);
  if (query.get('apikey') !== apiKey) return wrongKey();
  switch (kind) {
    case 'search':
    case 'tvsearch':
    case 'movie': {
      const page = pageOf(kind, query, support, faults);
      if (page === undefined) return errorDocument(203, 'Function not available');
      const key = encodeURIComponent(apiKey);
      const partsOf = ({ guid }: CatalogueRelease) => ({
        url: `${url()}/api?t=get&id=${guid}&apikey=${key}`,
      });
      return feedDocument(page, query.get('extended') === '1', partsOf);
    }
    case 'get':
      return grab(query.get('id') ?? '', faults.nzb);
    case null:
    case '':
      return errorDocument(200, 'Missing parameter (t)');
    default:
      return errorDocument(202, 'No such function');
  }
}

/** What a search lists; undefined: it does not know this kind. */
function pageOf(
  kind: Kind,
  query: URLSearchParams,
  support: SearchSupport,
  { search }: IndexerFaults,
): Page | undefined {
  if (search === 'kindless' && kind !== 'search') return undefined;
  if (search === 'empty') return { offset: 0, total: 0, releases: [] };
  if (search === 'flood') return { offset: 0, total: flood().length, releases: flood() };
  return findReleases(kind, query, support);
}

/** The NZB of one of the posts, or what comes in its place. */
export function grab(guid: string, fault: IndexerFaults['nzb'], posts = CATALOGUE): Answer {
  if (fault !== undefined) return refusedGrab(fault);
  const release = posts.find((each) => each.guid === guid);
  if (release === undefined) return errorDocument(300, 'No such item');
  const headers = {
    'content-type': 'application/x-nzb',
    'content-disposition': `attachment; filename="${release.name}.nzb"`,
  };
  return { status: 200, headers, body: nzbOf(release) };
}

function refusedGrab(kind: NonNullable<IndexerFaults['nzb']>): Answer {
  switch (kind) {
    case 'empty-body':
      return { status: 200, headers: { 'content-type': 'application/x-nzb' }, body: '' };
    case 'error':
      return errorDocument(900, 'Something went wrong');
    case 'limit-reached':
      return errorDocument(501, 'Download limit reached');
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html><body>Log in</body></html>',
      };
    case 'no-files':
      return xml(200, '<?xml version="1.0"?><nzb xmlns="http://www.newzbin.com/DTD/2003/nzb"></nzb>');
    case 'broken-xml':
      return xml(200, '<?xml version="1.0"?><nzb><file poster="x" date="1" subject="y"><groups>');
  }
}
