import {
  CATALOGUE,
  type Dialect,
  type RecordedRequest,
  type Sandbox,
  SPRING,
  startSandbox,
  whenQuery,
} from '../../sandbox/index.ts';
import { poll } from '../../src/io/wait.ts';
import { client } from '../../test/sandbox/support/client.ts';
import { type Engine, startEngine } from '../../test/support/engine.ts';

const JOB_MS = 600;
const LOOK_AGAIN = 20;
const PATIENCE = 60_000;
/** Connections to the provider, and milliseconds of a round trip: as the real servers were measured. */
const LINE = { connections: 10, roundTrip: 30 };

/** A film that was asked for and whose job has become ready. */
export interface Started {
  readonly sandbox: Sandbox;
  /** What the player plays. */
  readonly url: string;
  /** When the backend was asked for the last time whether the job is ready, in milliseconds of performance.now(). */
  readonly ready: number;
  /** GETs and HEADs of the film so far, the oldest first. */
  requests(): readonly RecordedRequest[];
  /** Ends the service, and waits until nothing is fetched any more. */
  end(): Promise<void>;
}

const startWith = (dialect: Dialect, megabits: number) =>
  startSandbox({ dialect, jobDuration: JOB_MS, provider: { ...LINE, megabits } });

/** A sandbox with the cost model on, in which the job of the film is done. */
export async function startFilm(dialect: Dialect, megabits: number): Promise<Sandbox> {
  const sandbox = await startWith(dialect, megabits);
  const { guid, name } = CATALOGUE.find((release) => release.of === SPRING)!;
  const ask = client(sandbox, dialect.apiPath);
  await ask.submit(await ask.nzb(guid), `${name}.nzb`);
  await until('the job is done', () => sandbox.jobs()[0]?.state === 'completed');
  return sandbox;
}

/** Waits until nothing is fetched any more. */
export const lineIsIdle = (sandbox: Sandbox): Promise<void> =>
  until('the line is idle', () => isIdle(sandbox));

/** Lets the built engine play a film at a sandbox with the cost model on; all of it ends with the work. */
export async function withStarted<T>(
  dialect: Dialect,
  megabits: number,
  work: (started: Started) => Promise<T>,
): Promise<T> {
  const sandbox = await startWith(dialect, megabits);
  const service = startEngine({ command: 'service', start: { listen: { port: 0 } } });
  const stop = async () => {
    service.child.kill('SIGKILL');
    await service.ended;
  };
  try {
    await until('the service is up', () => service.properties.has('svc.proxy_port'));
    const url = await resolve(sandbox, service);
    const isFile = ({ service: of, method, path }: RecordedRequest) =>
      of === 'webdav' && ['GET', 'HEAD'].includes(method) && path.endsWith('.mkv');
    return await work({
      sandbox,
      url,
      ready:
        (sandbox.requests.findLast(whenQuery('mode', 'history'))?.at ?? Number.NaN) - performance.timeOrigin,
      requests: () => sandbox.requests.filter(isFile),
      end: async () => {
        await stop();
        await lineIsIdle(sandbox);
      },
    });
  } finally {
    await stop();
    await sandbox.close();
  }
}

const isIdle = ({ provider }: Sandbox) =>
  provider?.gets.every(({ closed }) => closed !== undefined) === true &&
  provider.fetches.every(({ state }) => state !== 'asked');

/** The plugin's process, from the click to the answer to Kodi. */
async function resolve(sandbox: Sandbox, { properties }: Engine): Promise<string> {
  const { kind, title, year, imdb } = SPRING;
  const query = new URLSearchParams({ type: kind, title, year: String(year), imdb });
  const engine = startEngine({
    command: 'plugin',
    start: { argv: ['plugin://plugin.video.slipstream/play', '1', `?${query.toString()}`, ''] },
    settings: { ...sandbox.settings, auto_select: 'true', cache_minutes: '0' },
    properties,
  });
  const resolved = () => engine.calls.find(({ method }) => method === 'resolve')?.params['item'];
  await until('the film is resolved', () => resolved() !== undefined);
  const item = resolved() as { readonly url: string } | null;
  if (item === null) throw new Error(`the resolve failed: ${engine.stderr.join('')}`);
  return item.url;
}

/** @throws Error when it does not come */
async function until(what: string, isTrue: () => boolean): Promise<void> {
  const came = await poll(() => Promise.resolve(isTrue() || undefined), {
    signal: new AbortController().signal,
    interval: () => LOOK_AGAIN,
    deadline: PATIENCE,
  });
  if (came === undefined) throw new Error(`${what}: not within ${PATIENCE / 1000} s`);
}
