import { describe, expect, onTestFinished, test } from 'vitest';
import { startAioStreams } from '../../sandbox/direct-stream/aiostreams/index.ts';
import { startDirectStream } from '../../sandbox/direct-stream/index.ts';
import { DirectPost } from '../../sandbox/direct-stream/post.ts';
import { startStreamNzb } from '../../sandbox/direct-stream/streamnzb/index.ts';
import { CANARY, CATALOGUE, type RecordedRequest } from '../../sandbox/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('streams of services in a real Kodi 21');

/** Where the film is that a test goes to, in seconds: what is read ahead of its beginning does not reach there. */
const FAR = 600;

interface Service {
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** Ends with the test. */
async function running<S extends Service>(starting: Promise<S>): Promise<S> {
  const service = await starting;
  onTestFinished(() => service.close());
  return service;
}

/** A Kodi whose only source is an add-on, without a backend. */
const behindAddon = (address: string, settings: Readonly<Record<string, string>> = {}): Promise<Stage> =>
  stage(root!, {
    settings: { indexer_url: '', webdav_api_url: '', stremio_url: `${address}/manifest.json`, ...settings },
  });

const isBeyond = ({ kodi }: Stage, seconds: number) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
  );

/** Sintel plays in its full length, and is known for one of ours. */
async function begins(s: Stage): Promise<void> {
  const { kodi } = s;
  await s.open(`/play?${SINTEL}`);
  await isBeyond(s, 1);
  expect(await kodi.player.duration()).toBeCloseTo(888, 0);
  await kodi.until(
    'it is ours',
    async () => (await kodi.homeProperty('svc.playing')) === 'true' || undefined,
  );
}

async function goesFar(s: Stage): Promise<void> {
  await s.kodi.player.seek(FAR);
  await isBeyond(s, FAR + 0.5);
}

/** The player has the film from the proxy, and nobody but us has asked the service for it. */
async function isServedByProxy({ kodi }: Stage, service: Service): Promise<void> {
  const port = await kodi.homeProperty('svc.proxy_port');
  expect(await kodi.homeProperty('svc.stream_url')).toContain(`http://127.0.0.1:${port}/stream/`);
  expect(agentsOf(service).filter((agent) => !agent.startsWith('Slipstream'))).toEqual([]);
}

/** What was asked of the service for films. */
const playsOf = ({ requests }: Service) => requests.filter(({ service }) => service === 'webdav');
const agentsOf = (service: Service) => playsOf(service).map(({ headers }) => headers['user-agent'] ?? '');

/** Stops the player: no property, dialog, plugin process, session of the proxy or answer of the service is left. */
async function stopsClean(s: Stage, service: Service): Promise<void> {
  await s.kodi.player.stop();
  await s.nothingLeft();
  const isOpen = async () => (await s.sessions()).length > 0 || service.requests.some(({ done }) => !done);
  await s.kodi.until('nothing is open', async () => !(await isOpen()) || undefined);
}

describe.skipIf(!root)('a stream of a service in a real Kodi 21', () => {
  test('that AIOStreams lists plays through the proxy, can be sought in, and leaves nothing behind', async () => {
    const service = await running(startAioStreams());
    const s = await behindAddon(service.addon);
    await begins(s);
    await goesFar(s);
    await isServedByProxy(s, service);
    await stopsClean(s, service);
  });

  test('that AltMount gives for an NZB plays through the proxy, can be sought in, and leaves nothing behind', async () => {
    const service = await running(startDirectStream('altmount', { apiKey: CANARY.apiKey, jobDuration: 300 }));
    const settings = {
      playback_backend: 'direct',
      direct_kind: 'altmount',
      direct_url: service.url,
      direct_api_key: CANARY.apiKey,
    };
    const s = await stage(root!, { settings });
    await begins(s);
    await goesFar(s);
    await isServedByProxy(s, service);
    await stopsClean(s, service);
  });

  test('that StreamNZB lists goes on when its address has died, at the place where its list has it now', async () => {
    const service = await running(startStreamNzb());
    const s = await behindAddon(service.addon());
    await begins(s);
    const [{ release: chosen } = {}] = service.openings;
    const { place } = lastPlay(service);
    service.posts.unshift(newcomer());
    await service.restart();
    const before = service.requests.length;
    await goesFar(s);
    expect(service.requests.slice(before).some(({ status }) => status === 404)).toBe(true);
    expect(lastPlay(service)).toEqual({ status: 206, place: place + 1 });
    expect(service.openings.at(-1)?.release).toBe(chosen);
    await isServedByProxy(s, service);
    await stopsClean(s, service);
  });

  test('is opened by Kodi itself where the proxy is not to play it, and no property of ours tells its address', async () => {
    const service = await running(startAioStreams());
    const s = await behindAddon(service.addon, { direct_by_proxy: 'false' });
    await begins(s);
    await goesFar(s);
    expect(agentsOf(service).filter((agent) => !agent.includes('Kodi'))).toEqual([]);
    expect(await s.sessions()).toEqual([]);
    expect(await s.kodi.homeProperty('svc.stream_url')).not.toContain('/');
    await stopsClean(s, service);
  });
});

/** Another release of the film, which stands first in the list from now on. */
function newcomer(): DirectPost {
  const release = CATALOGUE.find(({ name }) => name.startsWith('Sintel.2010.1080p'))!;
  return new DirectPost({ ...release, guid: 'newcomer', name: 'Sintel.2010.1080p.WEB.H.264-NEWCOMER' });
}

/** The place in the list at which the film was asked for last, and with which status. */
function lastPlay(service: Service): { readonly status: number; readonly place: number } {
  const { path, status } = playsOf(service).at(-1)!;
  return { status, place: Number(/:(\d+)$/.exec(path)?.[1]) };
}
