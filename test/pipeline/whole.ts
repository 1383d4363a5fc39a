import {
  type CatalogueRelease,
  type Dialect,
  NZBDAV,
  type Sandbox,
  type SearchSupport,
  startSandbox,
} from '../../sandbox/index.ts';
import { route, router } from '../../src/router.ts';
import { startProxy } from '../../src/stream-proxy.ts';
import { memoryLog } from '../support/log.ts';
import { type RecordingHost, type RecordingOptions, recordingHost } from '../support/recording-host.ts';

/** The whole engine in one process: the sandbox on the wire, the real proxy, a recording host in front. */
export interface Whole {
  readonly sandbox: Sandbox;
  readonly host: RecordingHost;
  readonly log: ReturnType<typeof memoryLog>;
  /** Runs one plugin:// call to its end. */
  resolve(query: string, stages?: typeof router): Promise<boolean>;
  /** Runs one RunScript call to its end. */
  script(...args: string[]): Promise<boolean>;
  close(): Promise<void>;
}

export interface WholeOptions extends RecordingOptions {
  readonly jobDuration?: number;
  readonly withoutProxy?: boolean;
  /** Default: nzbdav. */
  readonly dialect?: Dialect;
  /** Releases that were posted beside those of the catalogue. */
  readonly posts?: readonly CatalogueRelease[];
  /** What the indexer can be asked by; default: ids and words. */
  readonly support?: SearchSupport;
}

/** Nothing is looked up outside of this machine. */
export const OFFLINE: typeof router = {
  ...router,
  addMetadata: (request) => Promise.resolve(request),
};

export async function startWhole(options: WholeOptions = {}): Promise<Whole> {
  const { jobDuration = 50, dialect = NZBDAV, posts = [], support } = options;
  const sandbox = await startSandbox({ jobDuration, dialect, posts, ...(support && { support }) });
  const log = memoryLog();
  const host = recordingHost({
    ...options,
    settings: {
      ...sandbox.settings,
      download_timeout: '10',
      auto_select: 'true',
      // What is tried next is next-choice.test.ts's to ask.
      max_attempts: '1',
      ...options.settings,
    },
  });
  const proxy = options.withoutProxy === true ? undefined : await startProxy({ listen: { port: 0 }, log });
  if (proxy !== undefined)
    host.propertyValues.set('svc.proxy_port', String(proxy.port)).set('svc.proxy_token', proxy.token);
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
    close: async () => {
      await proxy?.close();
      await sandbox.close();
    },
  };
}
