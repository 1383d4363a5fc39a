import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { fetchNzb } from '../../../src/backends/nzb/fetch.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { IndexerManager } from '../../../src/model/index.ts';
import { link, release } from '../../release/candidates.ts';
import { memoryLog } from '../../support/log.ts';
import { nzbText, postedFile } from '../../support/nzb.ts';

export const NZB = nzbText([postedFile('Sintel.2010.mkv', 2)]);
export const PROWLARR: IndexerManager = { software: 'Prowlarr', who: 'Prowlarr' };
export const HYDRA: IndexerManager = { software: 'NZBHydra2', who: 'NZBHydra2' };
export const SECRET = 'k3y';

const WAYS = { Prowlarr: '/base/3/download', NZBHydra2: '/base/getnzb/api/-42' };

/** A link through a manager that listens at `url`. */
export const through = (manager: IndexerManager, url: string) =>
  link({ url: `${url}${WAYS[manager.software]}?apikey=${SECRET}`, indexer: 'Good1', manager });

export const fetching = (...links: ReturnType<typeof link>[]) => {
  const [first = link(), ...others] = links;
  return fetchNzb(release({ links: [first, ...others] }), {
    signal: new AbortController().signal,
    log: memoryLog(),
    timeout: 5_000,
  });
};

export async function failure(...links: ReturnType<typeof link>[]): Promise<SlipstreamError> {
  const error: unknown = await fetching(...links).then(
    () => expect.fail('it was fetched'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof SlipstreamError)) throw new Error('expected a SlipstreamError', { cause: error });
  expect(`${error.message} ${JSON.stringify(error.explanation)}`).not.toContain(SECRET);
  return error;
}

export interface Said {
  readonly status: number;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: string;
}

export const answer =
  ({ status, headers = {}, body = '' }: Said) =>
  (_: unknown, response: ServerResponse) =>
    response.writeHead(status, { ...headers }).end(body);

/** As proxies answer. */
export const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
