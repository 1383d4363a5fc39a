import { CATALOGUE, type CatalogueRelease } from '../catalogue.ts';
import { noFaults } from '../faults.ts';
import { openPort } from '../http/port.ts';
import { listener } from '../http/serve.ts';
import type { Answer, Handler, RecordedRequest, ServiceName } from '../http/types.ts';
import { ALTMOUNT, type Dialect, INFINIDYSK } from '../nzbdav/dialect.ts';
import { type SandboxJob } from '../nzbdav/job.ts';
import { JobStore } from '../nzbdav/jobs.ts';
import { altMount } from './altmount.ts';
import type { DirectStreamFaults, DirectStreamParts } from './parts.ts';
import { streamNzb, UNAUTHORIZED } from './streamnzb/nzb-orders.ts';

export { WEBDAV_LOGIN } from './altmount.ts';
export { downloadKey } from './altmount-key.ts';
export type { DirectStreamFaults } from './parts.ts';

export type DirectStreamKind = 'altmount' | 'streamnzb';

export interface DirectStreamSandbox {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** What AltMount's add-on has fetched at the indexer. */
  readonly grabs: readonly string[];
  /** `api`: orders and what else is no stream; `webdav`: streams. */
  readonly faults: DirectStreamFaults;
  jobs(): SandboxJob[];
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A service on loopback that takes NZBs of the catalogue and answers with streams (protocols.md §8.1). */
export async function startDirectStream(
  kind: DirectStreamKind,
  options: {
    readonly apiKey: string;
    readonly jobDuration?: number;
    /** As SandboxOptions.clock. */
    readonly clock?: number;
    /** As SandboxOptions.posts. */
    readonly posts?: readonly CatalogueRelease[];
  },
): Promise<DirectStreamSandbox> {
  const { jobDuration: duration = 1500 } = options;
  const posts = [...CATALOGUE, ...(options.posts ?? [])];
  const faults: DirectStreamFaults = noFaults();
  const grabs: string[] = [];
  const requests: RecordedRequest[] = [];
  const jobs = new JobStore({
    duration,
    hold: ALTMOUNT.hold,
    clock: options.clock ?? Math.min(kind === 'altmount' ? ALTMOUNT.clock : 0, duration),
    dialect: kind === 'altmount' ? ALTMOUNT : PLAIN,
    faults,
    posts,
  });
  const closing = new AbortController();
  let url = '';
  const settles = Math.min(ALTMOUNT.settles, duration);
  const parts = {
    apiKey: options.apiKey,
    faults,
    jobs,
    posts,
    settles,
    grabs,
    url: () => url,
    closed: closing.signal,
  };
  const handle = inFront(kind === 'altmount' ? altMount(parts) : streamNzb(parts), parts);
  const port = await openPort(
    listener({
      classify: serviceOf,
      handle,
      refuseKey: () => refusedKey(kind),
      faults: (service) => faults[service],
      record: (request) => requests.push(request),
    }),
  );
  url = port.url;
  return {
    url,
    requests,
    grabs,
    faults,
    jobs: () => [...jobs.queue(), ...jobs.history()],
    shut: () => port.shut(),
    open: () => port.open(),
    close: async () => {
      closing.abort();
      await port.shut();
    },
  };
}

/** StreamNZB's jobs have no ways of their own here. */
const PLAIN: Dialect = { ...INFINIDYSK, failureWords: 'nzbdav' };

const serviceOf = (path: string): ServiceName =>
  path.startsWith('/api/files/') || path.includes('/play/direct-') || path.startsWith('/error/')
    ? 'webdav'
    : 'api';

function refusedKey(kind: DirectStreamKind): Answer {
  return kind === 'altmount'
    ? {
        status: 401,
        headers: JSON_TYPE,
        body: '{"error":{"code":"UNAUTHORIZED","details":"","message":"Invalid X-Api-Key"},"success":false}',
      }
    : UNAUTHORIZED;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The page for people at the root, and whatever keeps the service from answering at all. */
function inFront(handle: Handler, { faults }: DirectStreamParts): Handler {
  return (request) => {
    if (request.path === '/') return { status: 200, headers: { 'content-type': 'text/html' }, body: PAGE };
    if (faults.busy !== undefined && faults.busy.times > 0) {
      faults.busy.times--;
      return { status: 503, headers: { 'retry-after': faults.busy.retryAfter }, body: 'busy' };
    }
    return handle(request);
  };
}

const PAGE = '<!DOCTYPE html><html><head><title>Streams</title></head><body></body></html>';
