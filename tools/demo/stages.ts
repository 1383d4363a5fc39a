import type { RecordedRequest } from '../../sandbox/index.ts';

/** A line of the demo's closing table. */
export interface Stage {
  readonly name: string;
  readonly ms: number;
  readonly detail: string;
}

/** What each stage of resolving took, as the services on the other end of the wire saw it. */
export function resolveStages(
  requests: readonly RecordedRequest[],
  started: number,
  handedOver: number,
): Stage[] {
  const first = (test: (request: RecordedRequest) => boolean) => requests.find(test)?.at ?? Number.NaN;
  const asked = (key: string, value: string) => first(({ query }) => query[key] === value);
  const search = first(({ service }) => service === 'indexer');
  const nzb = asked('t', 'get');
  const submit = asked('mode', 'addfile');
  // What the backend holds already is asked for beside the search.
  const folder = first(({ method, at }) => method === 'PROPFIND' && at > submit);
  const bytes = first(({ service, method }) => service === 'webdav' && method === 'GET');
  return [
    { name: 'start', ms: search - started, detail: 'until the first request at the indexer' },
    { name: 'search and choose', ms: nzb - search, detail: 'until the NZB is asked for' },
    { name: 'fetch the NZB', ms: submit - nzb, detail: 'until it is handed to the backend' },
    { name: 'backend gets ready', ms: folder - submit, detail: 'until its files are listed' },
    { name: 'find the film', ms: bytes - folder, detail: 'until its first byte is asked for' },
    { name: 'prove and hand over', ms: handedOver - bytes, detail: 'until the local URL is out' },
  ];
}
