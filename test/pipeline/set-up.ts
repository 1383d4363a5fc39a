import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Sandbox, type TransportFault, whenQuery } from '../../sandbox/index.ts';
import type { RecordingHost } from '../support/recording-host.ts';
import { startWhole, type Whole, type WholeOptions } from './whole.ts';

export type Pipeline = Whole;

export const SINTEL = '?type=movie&title=Sintel&year=2010&imdb=tt1727587&tmdb=45745';

/** Its film has no stretch of padding, in which zeros would be the film's own. */
export const SPRING = '?type=movie&title=Spring&year=2019&imdb=tt9900002';

/** The whole engine, until the test ends. */
export async function pipeline(options: WholeOptions = {}): Promise<Pipeline> {
  const whole = await startWhole(options);
  onTestFinished(() => whole.close());
  return whole;
}

/**
 * The invariant of every play that came to nothing: the handle is answered once, and nothing is left behind. `rows`:
 * entries of the ledger that the service still has to look after.
 */
export async function expectNothingLeft({ sandbox, host }: Pipeline, rows = 0): Promise<void> {
  expect(host.resolved).toEqual([undefined]);
  expect(host.played).toEqual([]);
  expect(host.open()).toBe(0);
  expect([...host.propertyValues.keys()].filter((name) => !name.startsWith('svc.proxy_'))).toEqual([]);
  expect(sandbox.queueLength()).toBe(0);
  expect(await ledgerRows(host)).toHaveLength(rows);
}

export const ledgerRows = (host: RecordingHost): Promise<string[]> =>
  readdir(join(host.dataFolder, 'ledger')).catch(() => []);

/** A fault for each request that a play makes, in its order. */
export const STAGES: readonly [
  string,
  keyof Pick<Sandbox['faults'], 'indexer' | 'api' | 'webdav'>,
  TransportFault['when'],
][] = [
  ['the indexer’s capabilities', 'indexer', whenQuery('t', 'caps')],
  // By id and, where that finds nothing, by text.
  ['the search', 'indexer', ({ query }) => query['t'] === 'movie' || query['t'] === 'search'],
  ['the NZB', 'indexer', whenQuery('t', 'get')],
  ['the submission', 'api', whenQuery('mode', 'addfile')],
  ['the history', 'api', whenQuery('mode', 'history')],
  ['the folder', 'webdav', (request) => request.method === 'PROPFIND'],
  ['the first bytes', 'webdav', (request) => request.method === 'GET'],
];
