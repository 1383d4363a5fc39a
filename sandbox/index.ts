import { CATALOGUE, type CatalogueRelease } from './catalogue.ts';
import type { Clip } from './clips/index.ts';
import { type Faults, noFaults } from './faults.ts';
import { openPort, type Port } from './http/port.ts';
import { listener } from './http/serve.ts';
import type { RecordedRequest, ServiceName } from './http/types.ts';
import { indexer, wrongKey } from './indexer/index.ts';
import { DEFAULT_SUPPORT, type SearchSupport } from './indexer/search.ts';
import { type Dialect, NZBDAV } from './nzbdav/dialect.ts';
import { classify, nzbdav, nzbdavAlone, refuseKey } from './nzbdav/index.ts';
import { type SandboxJob } from './nzbdav/job.ts';
import { JobStore } from './nzbdav/jobs.ts';
import { nodeAt, tree } from './nzbdav/tree.ts';
import { type ModelOptions, type Provider, startProvider } from './provider/index.ts';

export * from './catalogue.ts';
export { type Clip, mkvClip, mp4Clip } from './clips/index.ts';
export { type Faults, noFaults } from './faults.ts';
export { monotonicTime } from './http/clock.ts';
export { type TransportFault, whenMethod, whenQuery } from './http/faults.ts';
export type { RecordedRequest, ServiceName } from './http/types.ts';
export type { SearchSupport } from './indexer/search.ts';
export { ALTMOUNT, type Dialect, INFINIDYSK, NZBDAV } from './nzbdav/dialect.ts';
export type { SandboxJob } from './nzbdav/job.ts';
export type { Provider } from './provider/index.ts';

export interface SandboxOptions {
  /** Milliseconds that a job takes, one after the other. Default 1500. */
  readonly jobDuration?: number;
  /** Of the WebDAV share. Default: the one that nzbdav begins with. */
  readonly username?: string;
  /** Default: nzbdav 0.6.4. */
  readonly dialect?: Dialect;
  /** What the indexer can search by. */
  readonly support?: SearchSupport;
  /** The line to the usenet provider that each GET of a file has to fetch over (provider/README.md); absent: none. */
  readonly provider?: Omit<ModelOptions, 'form'>;
  /** Releases that the backend can be given beside those of the catalogue; the indexer does not list them. */
  readonly posts?: readonly CatalogueRelease[];
  /** Milliseconds of AltMount's clock, at which jobs begin. Default: 5,000, and no more than a job takes. */
  readonly clock?: number;
  /** Milliseconds for which a job is held each time its provider cannot be had. Default: as the dialect has it. */
  readonly hold?: number;
}

export interface Sandbox {
  readonly indexer: { readonly name: string; readonly url: string; readonly apiKey: string };
  /** API and WebDAV listen on a port each, and each port serves both, as nzbdav's front end and back end do. */
  readonly backend: {
    readonly apiUrl: string;
    readonly apiKey: string;
    readonly webdavUrl: string;
    readonly username: string;
    readonly password: string;
  };
  /** Slipstream's settings for this sandbox, as text, by their ids. */
  readonly settings: Readonly<Record<string, string>>;
  /** Everything that was asked so far, the oldest first. Records of answers under way still change. */
  readonly requests: readonly RecordedRequest[];
  readonly faults: Faults;
  /**
   * What nzbdav reaches and nobody else, as containers do each other by names of their own: origins, by "host:port".
   * Changed by a test at any time.
   */
  readonly hosts: Map<string, string>;
  /** What was fetched over the line to the provider; undefined where there is none. */
  readonly provider: Provider | undefined;
  /** Waiting and running jobs first, then finished ones, the newest first. */
  jobs(): SandboxJob[];
  queueLength(): number;
  /** The source of a file on the share, by its path or URL (encoded or not); undefined when there is none. */
  clipOf(pathOrUrl: string): Clip | undefined;
  /** The videos of a finished job. */
  clipsOf(jobName: string): readonly Clip[];
  /** Refuses connections from now on and breaks off the open ones. */
  shut(service: ServiceName): Promise<void>;
  /** The same port again. */
  open(service: ServiceName): Promise<void>;
  /** Opens the port that nzbdav itself listens at, behind its front end, and gives its address. */
  openOwnPort(): Promise<string>;
  close(): Promise<void>;
}

/** Worth nothing, and easy to look for in logs, argv and files; with characters that URLs, JSON and XML write otherwise. */
export const CANARY = {
  indexerKey: 'canary/indexer"key=4f1d8a',
  apiKey: 'canary/api"key=93c07e',
  password: 'canary:webdav "password"/b25e61',
} as const;

const USERNAME = 'admin';

/** Starts an indexer and an nzbdav on loopback, with open films in them. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    jobDuration = 1500,
    username = USERNAME,
    dialect = NZBDAV,
    support = DEFAULT_SUPPORT,
    posts = [],
  } = options;
  const faults = noFaults();
  const requests: RecordedRequest[] = [];
  const hosts = new Map<string, string>();
  const provider = options.provider && startProvider({ ...options.provider, form: dialect.family });
  const jobs = new JobStore({
    duration: jobDuration,
    hold: options.hold ?? dialect.hold,
    clock: options.clock ?? Math.min(dialect.clock, jobDuration),
    dialect,
    faults,
    posts: [...CATALOGUE, ...posts],
  });
  const shared = {
    faults: (service: ServiceName) => faults[service],
    record: (request: RecordedRequest) => requests.push(request),
  };
  const backend = {
    ...CANARY,
    username,
    dialect,
    jobs,
    faults,
    hosts,
    provider,
    settles: Math.min(dialect.settles, jobDuration),
  };
  const atBackend = {
    ...shared,
    classify: (path: string) => classify(path, dialect),
    refuseKey: (service: ServiceName) => refuseKey(service, dialect),
  };
  const ports: Record<ServiceName, Port> = await openPorts(
    listener({
      ...shared,
      classify: () => 'indexer',
      refuseKey: wrongKey,
      handle: indexer({ apiKey: CANARY.indexerKey, support, faults, url: () => ports.indexer.url }),
    }),
    listener({ ...atBackend, handle: nzbdav(backend) }),
  );
  const own: Port[] = [];
  return {
    ...addresses(ports, username),
    requests,
    faults,
    hosts,
    provider,
    jobs: () => [...jobs.queue(), ...jobs.history()],
    queueLength: () => jobs.queue().length,
    clipOf: (path) => clipAt(jobs, dialect, path),
    clipsOf: (name) => clipsOfJob(jobs, name),
    shut: (service) => ports[service].shut(),
    open: (service) => ports[service].open(),
    async openOwnPort() {
      const port = await openPort(listener({ ...atBackend, handle: nzbdavAlone(backend) }));
      own.push(port);
      return port.url;
    },
    async close() {
      await Promise.all([...Object.values(ports), ...own].map((port) => port.shut()));
    },
  };
}

type Listener = ReturnType<typeof listener>;

async function openPorts(forIndexer: Listener, forBackend: Listener): Promise<Record<ServiceName, Port>> {
  const [indexerPort, api, webdav] = await Promise.all([
    openPort(forIndexer),
    openPort(forBackend),
    openPort(forBackend),
  ]);
  return { indexer: indexerPort, api, webdav };
}

function addresses(
  ports: Record<ServiceName, Port>,
  username: string,
): Pick<Sandbox, 'indexer' | 'backend' | 'settings'> {
  const name = 'Sandbox';
  return {
    indexer: { name, url: ports.indexer.url, apiKey: CANARY.indexerKey },
    backend: {
      apiUrl: ports.api.url,
      apiKey: CANARY.apiKey,
      webdavUrl: ports.webdav.url,
      username,
      password: CANARY.password,
    },
    settings: {
      indexer_name: name,
      indexer_url: ports.indexer.url,
      indexer_api_key: CANARY.indexerKey,
      webdav_api_url: ports.api.url,
      webdav_api_key: CANARY.apiKey,
      webdav_url: ports.webdav.url,
      webdav_username: username,
      webdav_password: CANARY.password,
    },
  };
}

function clipAt(jobs: JobStore, dialect: Dialect, pathOrUrl: string): Clip | undefined {
  const path = pathOrUrl.replace(/^https?:\/\/[^/]+/, '').slice(dialect.sharePath.length);
  const segments = path.split('/').filter((segment) => segment !== '');
  const root = tree(jobs.mounts(), dialect);
  const node = nodeAt(root, segments) ?? nodeAt(root, segments.map(decodeURIComponent));
  return node?.kind === 'file' ? node.clip : undefined;
}

function clipsOfJob(jobs: JobStore, name: string): Clip[] {
  const job = jobs.history().find((each) => each.name === name);
  const mount = jobs.mounts().find((each) => each.folder === job?.folder && each.category === job.category);
  return mount?.files.map((file) => file.clip) ?? [];
}
