import type { TransportFault } from '../http/faults.ts';
import { openPort } from '../http/port.ts';
import { listener } from '../http/serve.ts';
import type { Answer, Handler, RecordedRequest } from '../http/types.ts';
import type { IndexerFaults } from './faults.ts';
import { hydra } from './hydra/index.ts';
import { type HydraIndexer, hydraIndexers } from './hydra/indexer.ts';
import { Results } from './hydra/results.ts';
import { type HydraSettings, type HydraSetup, hydraSettings } from './hydra/settings.ts';
import { errorXml } from './hydra/xml.ts';
import { indexer, wrongKey } from './index.ts';
import { prowlarr } from './prowlarr/index.ts';
import { type ProwlarrIndexer, prowlarrIndexers } from './prowlarr/indexer.ts';
import type { ProwlarrSettings } from './prowlarr/prowlarr.ts';
import { DEFAULT_SUPPORT, type SearchSupport } from './search.ts';

/** Who is played: an indexer, or one of the managers of indexers. */
export type IndexerDialect = 'newznab' | 'hydra' | 'prowlarr';

export interface StartOptions {
  readonly apiKey: string;
  /** What a Newznab indexer can search by. */
  readonly support?: SearchSupport;
  /** A path before all others, as behind a reverse proxy. */
  readonly urlBase?: string;
  /** What a manager of indexers takes for its own address. Default: the true one. */
  readonly linkBase?: string;
  /** Behind Prowlarr. Default: four, of which two are of usenet and on, and share the catalogue out. */
  readonly behind?: readonly ProwlarrIndexer[];
  /** How Prowlarr is set up, and its times. */
  readonly prowlarr?: ProwlarrSettings;
  /** How NZBHydra2 is set up, and its times. */
  readonly hydra?: HydraSetup;
  /** Behind NZBHydra2. Default: two that share the catalogue out. */
  readonly hydraIndexers?: readonly HydraIndexer[];
}

/** A search service alone on a port, with the catalogue in it. */
export interface IndexerSandbox {
  /** With the path of `urlBase`. */
  readonly url: string;
  /** Everything that was asked so far, the oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Changed by a test at any time. */
  readonly faults: IndexerFaults & { wire: TransportFault[] };
  /** Behind Prowlarr; changed by a test at any time. */
  readonly indexers: ProwlarrIndexer[];
  /** Behind NZBHydra2; changed by a test at any time. */
  readonly hydraIndexers: HydraIndexer[];
  /** How NZBHydra2 is set up; changed by a test at any time. */
  readonly hydra: HydraSettings;
  /** NZBHydra2 forgets what it has listed, as it does after some days. */
  forgetResults(): void;
  /** The answer of a service whose limit is reached, for a `status` fault. */
  readonly limitBody: string;
  /** It is away: connections are refused from now on, and those that are open break off. */
  shut(): Promise<void>;
  /** It is back at the same port, with all that it knew. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export async function startIndexer(dialect: IndexerDialect, options: StartOptions): Promise<IndexerSandbox> {
  const faults: IndexerSandbox['faults'] = { wire: [] };
  const requests: RecordedRequest[] = [];
  const indexers = [...(options.behind ?? prowlarrIndexers())];
  const behindHydra = [...(options.hydraIndexers ?? hydraIndexers())];
  const settings = hydraSettings(options.hydra);
  const results = new Results();
  const closing = new AbortController();
  let base = '';
  const port = await openPort(
    listener({
      classify: () => 'indexer',
      handle: handlerOf(dialect, {
        ...options,
        faults,
        indexers,
        url: () => base,
        hydraIndexers: behindHydra,
        settings,
        results,
        closed: closing.signal,
      }),
      refuseKey: () => refusedKey(dialect),
      faults: () => faults.wire,
      record: (request) => requests.push(request),
    }),
  );
  base = port.url;
  return {
    url: `${port.url}${options.urlBase ?? ''}`,
    requests,
    faults,
    indexers,
    hydraIndexers: behindHydra,
    hydra: settings,
    forgetResults: () => {
      results.forget();
    },
    limitBody: dialect === 'prowlarr' ? LIMIT_JSON : LIMIT_XML,
    shut: () => port.shut(),
    open: () => port.open(),
    close: async () => {
      await port.shut();
      // What an answer still waits for ends with it.
      closing.abort();
    },
  };
}

const LIMIT_XML = '<error code="500" description="Request limit reached"/>';
const LIMIT_JSON = JSON.stringify({ message: 'Request limit reached', description: '' });

interface Parts extends StartOptions {
  readonly faults: IndexerFaults;
  readonly indexers: readonly ProwlarrIndexer[];
  readonly hydraIndexers: readonly HydraIndexer[];
  readonly settings: HydraSettings;
  readonly results: Results;
  readonly url: () => string;
  readonly closed: AbortSignal;
}

function handlerOf(dialect: IndexerDialect, parts: Parts): Handler {
  const { support = DEFAULT_SUPPORT, urlBase = '', linkBase } = parts;
  switch (dialect) {
    case 'newznab':
      return indexer({ ...parts, support });
    case 'hydra':
      return hydra({
        ...parts,
        urlBase,
        linkBase,
        indexers: parts.hydraIndexers,
        gathered: new Map(),
      });
    case 'prowlarr':
      return prowlarr({ ...parts, ...parts.prowlarr, urlBase, linkBase });
  }
}

function refusedKey(dialect: IndexerDialect): Answer {
  if (dialect === 'prowlarr') return { status: 401, body: '' };
  return dialect === 'hydra' ? errorXml(100, 'Wrong api key') : wrongKey();
}
