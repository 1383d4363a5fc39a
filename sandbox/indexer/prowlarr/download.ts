import type { Answer, Incoming } from '../../http/types.ts';
import { errorDocument } from '../documents.ts';
import { grab } from '../index.ts';
import type { IndexerBehaviour } from '../member-indexer.ts';
import { Exception, NO_CACHE } from './answers.ts';
import { indexerOf, unavailableAnswer } from './availability.ts';
import { addressIn } from './links.ts';
import type { Prowlarr } from './prowlarr.ts';

/**
 * GET /{id}/download leads on to the indexer, and counts as a download at once (protocols.md §7.4).
 *
 * @throws Exception when there is no such indexer, or the link is none
 */
export function download({ query, method }: Incoming, id: number, prowlarr: Prowlarr): Answer {
  if (method !== 'GET') return { status: 405, body: '' };
  const indexer = indexerOf(id, prowlarr);
  const refused = unavailableAnswer(indexer, 'grab', prowlarr);
  if (refused !== undefined) return refused;
  const link = query.get('link');
  if (!link || !query.get('file')) throw badRequest('Invalid Prowlarr link');
  const location = addressIn(link);
  if (location === undefined) throw badRequest('Failed to normalize provided link');
  prowlarr.limits.count('grab', indexer);
  return { status: 301, headers: { location, ...NO_CACHE }, body: '' };
}

const badRequest = (message: string) => new Exception(500, 'Exceptions.BadRequestException', message);

/** What an indexer answers itself, where the link has led to. */
export function indexerDownload({ query }: Incoming, id: number, prowlarr: Prowlarr): Answer {
  const indexer = indexerOf(id, prowlarr);
  const guid = query.get('id') ?? '';
  indexer.grabs.push(guid);
  return ofTemper(indexer.download) ?? grab(guid, prowlarr.faults.nzb, indexer.listed());
}

const PAGE = '<html><body>Log in</body></html>';
/** Longer than what comes of it. */
const BROKEN_OFF = { name: '', size: 1000, read: () => new Uint8Array() };

/** undefined: the NZB. */
function ofTemper(temper: IndexerBehaviour): Answer | undefined {
  if (typeof temper === 'object') {
    if ('code' in temper) return errorDocument(temper.code, temper.description);
    const headers = temper.retryAfter === undefined ? {} : { 'retry-after': String(temper.retryAfter) };
    return { status: temper.status, headers, body: '' };
  }
  switch (temper) {
    case 'dead':
      return { status: 200, hang: true };
    case 'resets':
      return { status: 200, body: { clip: BROKEN_OFF, start: 0, end: 1000, cut: { at: 0, how: 'reset' } } };
    case 'empty':
      return { status: 200, headers: { 'content-type': 'application/x-nzb' }, body: '' };
    case 'malformed-xml':
      return { status: 200, headers: { 'content-type': 'application/x-nzb' }, body: '<nzb><file' };
    case 'page':
    case 'xml-page':
      return { status: 200, headers: { 'content-type': 'text/html' }, body: PAGE };
    case 'good':
    case 'bare-item':
      return undefined;
  }
}
