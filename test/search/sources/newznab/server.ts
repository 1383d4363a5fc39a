import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from '../../../support/http-server.ts';

/** What a small Newznab server answers to one query: XML with status 200, or with a status of its own. */
export type Reply =
  | string
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> };
export type Query = Readonly<Record<string, string>>;

export interface NewznabServer {
  readonly url: string;
  /** The queries so far, the oldest first. */
  readonly queries: Query[];
}

/** A real server on loopback that answers each query after `answer`; a void answer is never sent. */
export async function newznabServer(
  answer: (query: Query, response: ServerResponse, request: IncomingMessage) => Reply | undefined,
): Promise<NewznabServer> {
  const queries: Query[] = [];
  const url = await serve((request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? '', 'http://host').searchParams);
    queries.push(query);
    const reply = answer(query, response, request);
    if (reply === undefined) return;
    const { status, body, headers } =
      typeof reply === 'string' ? { status: 200, body: reply, headers: {} } : reply;
    response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body);
  });
  return { url, queries };
}

export const CAPS = capsXml('q', 'q,season,ep,tvdbid', 'q,imdbid');

export function capsXml(search: string, tv: string, movie: string, limits = ''): string {
  const element = (name: string, params: string) =>
    params === '' ? '' : `<${name} available="yes" supportedParams="${params}"/>`;
  return `<caps>${limits}<searching>${element('search', search)}${element('tv-search', tv)}${element('movie-search', movie)}</searching></caps>`;
}

export const errorXml = (code: number, description = 'x') =>
  `<?xml version="1.0"?><error code="${code}" description="${description}"/>`;

/** A feed of these items; the address holds a key, as real ones do. */
export function feed(items: readonly string[], total?: number): string {
  const response = total === undefined ? '' : `<newznab:response offset="0" total="${total}"/>`;
  return `<?xml version="1.0"?><rss version="2.0" xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/"><channel>${response}${items.join('')}</channel></rss>`;
}

export function item(name: string, guid: string, attributes: Readonly<Record<string, string | number>> = {}) {
  const attr = Object.entries(attributes).map(
    ([key, value]) => `<newznab:attr name="${key}" value="${value}"/>`,
  );
  return `<item><title>${name}</title><guid>http://indexer.example/details/${guid}</guid><enclosure url="http://indexer.example/get/${guid}?r=key&amp;i=1" length="5" type="application/x-nzb"/>${attr.join('')}</item>`;
}
