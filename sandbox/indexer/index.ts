import { CATALOGUE } from '../catalogue.ts';
import type { Faults } from '../faults.ts';
import { type Answer, type Handler, type Incoming, xml } from '../http/types.ts';
import { capsDocument, errorDocument, feedDocument } from './documents.ts';
import { nzbOf } from './nzb.ts';
import { find, type SearchSupport } from './search.ts';

export interface IndexerOptions {
  readonly apiKey: string;
  readonly support: SearchSupport;
  readonly faults: Faults;
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
      const page = find(kind, query, support);
      const shown = faults.search === 'empty' ? { offset: 0, total: 0, releases: [] } : page;
      const getUrl = (guid: string) => `${url()}/api?t=get&id=${guid}&apikey=${encodeURIComponent(apiKey)}`;
      return feedDocument(shown, query.get('extended') === '1', getUrl);
    }
    case 'get':
      return grab(query.get('id') ?? '', faults);
    case null:
    case '':
      return errorDocument(200, 'Missing parameter (t)');
    default:
      return errorDocument(202, 'No such function');
  }
}

function grab(guid: string, faults: Faults): Answer {
  if (faults.nzb !== undefined) return refusedGrab(faults.nzb);
  const release = CATALOGUE.find((each) => each.guid === guid);
  if (release === undefined) return errorDocument(300, 'No such item');
  const headers = {
    'content-type': 'application/x-nzb',
    'content-disposition': `attachment; filename="${release.name}.nzb"`,
  };
  return { status: 200, headers, body: nzbOf(release) };
}

function refusedGrab(kind: NonNullable<Faults['nzb']>): Answer {
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
