import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { asks, type Sandbox, startSandbox, type TransportFault } from '../../sandbox/index.ts';
import { route, router } from '../../src/router.ts';
import { startProxy } from '../../src/stream-proxy.ts';
import { memoryLog } from '../support/log.ts';
import { type RecordingHost, type RecordingOptions, recordingHost } from '../support/recording-host.ts';

/** The whole engine in one process: the sandbox on the wire, the real proxy, a recording host in front. */
export interface Pipeline {
  readonly sandbox: Sandbox;
  readonly host: RecordingHost;
  readonly log: ReturnType<typeof memoryLog>;
  /** Runs one plugin:// call to its end. */
  resolve(query: string, stages?: typeof router): Promise<boolean>;
  /** Runs one RunScript call to its end. */
  script(...args: string[]): Promise<boolean>;
}

export interface PipelineOptions extends RecordingOptions {
  readonly jobDuration?: number;
  readonly withoutProxy?: boolean;
}

/** Nothing is looked up outside of this machine. */
const OFFLINE: typeof router = { ...router, completeRequest: (request) => Promise.resolve(request) };

export const SINTEL = '?type=movie&title=Sintel&year=2010&imdb=tt1727587&tmdb=45745';

export async function pipeline(options: PipelineOptions = {}): Promise<Pipeline> {
  const sandbox = await startSandbox({ jobDuration: options.jobDuration ?? 50 });
  const log = memoryLog();
  const host = recordingHost({
    ...options,
    settings: {
      ...sandbox.settings,
      ...{ download_timeout: '10', auto_select: 'true' },
      // What is tried next is next-choice.test.ts's to ask.
      max_attempts: '1',
      ...options.settings,
    },
  });
  onTestFinished(() => sandbox.close());
  if (options.withoutProxy !== true) {
    const proxy = await startProxy({ listen: { port: 0 }, log });
    onTestFinished(() => proxy.close());
    host.propertyValues.set('svc.proxy_port', String(proxy.port)).set('svc.proxy_token', proxy.token);
  }
  return {
    sandbox,
    host,
    log,
    resolve: (query, stages = OFFLINE) =>
      route(
        () => stages.parsePluginEntry(['plugin://plugin.video.slipstream/play', '1', query, 'resume:false']),
        'resolve',
        host,
        log,
        stages,
      ),
    script: (...args) =>
      route(() => router.parseScriptEntry(['addon.py', 'meta_play', ...args]), 'player', host, log, OFFLINE),
  };
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
  ['the indexer’s capabilities', 'indexer', asks('t', 'caps')],
  // By id and, where that finds nothing, by text.
  ['the search', 'indexer', ({ query }) => query['t'] === 'movie' || query['t'] === 'search'],
  ['the NZB', 'indexer', asks('t', 'get')],
  ['the submission', 'api', asks('mode', 'addfile')],
  ['the history', 'api', asks('mode', 'history')],
  ['the folder', 'webdav', (request) => request.method === 'PROPFIND'],
  ['the first bytes', 'webdav', (request) => request.method === 'GET'],
];
