import { startAioStreams } from '../../sandbox/direct-stream/aiostreams/index.ts';
import { downloadKey, startDirectStream } from '../../sandbox/direct-stream/index.ts';
import { startStreamNzb } from '../../sandbox/direct-stream/streamnzb/index.ts';
import { BIG_BUCK_BUNNY, type RecordedRequest } from '../../sandbox/index.ts';
import type { DirectService } from '../../src/model/index.ts';
import { film } from '../../test/stream-proxy/direct/lab.ts';
import { read } from '../client.ts';
import type { Figure } from '../figure.ts';
import { withResources } from '../resources.ts';
import { startService } from '../service.ts';
import { MB, playedBy } from './setup.ts';

const LIMIT = 1;
const SIP = 64 * 1024;
const AT_PLAYER = 8 * MB;
const FILM = () => film('Big.Buck.Bunny.2008.1080p.WEB.x264-MEADOW', 40 * MB);
const LIST = `/stream/movie/${BIG_BUCK_BUNNY.imdb}.json`;

/** What a service is asked until the player has its first 8 MB; a redirect and what it leads to count as one. */
export const directRequests: Figure = {
  name: 'direct.requests-at-start',
  unit: 'requests',
  target: `≤ ${LIMIT}`,
  measure: async () => {
    const streamNzb = await ofStreamNzb();
    const aioStreams = await ofAioStreams();
    const altMount = await ofAltMount();
    const value = Math.max(streamNzb, aioStreams, altMount);
    const note = `StreamNZB ${streamNzb}, AIOStreams ${aioStreams}, AltMount ${altMount}`;
    return { value, met: value <= LIMIT, note };
  },
};

async function ofStreamNzb(): Promise<number> {
  const service = await startStreamNzb({ posts: [FILM()] });
  try {
    const url = await firstOf(service.addon());
    await play(url, 'streamnzb');
    return count(service.requests, /\/play\//);
  } finally {
    await service.close();
  }
}

async function ofAioStreams(): Promise<number> {
  const service = await startAioStreams({ posts: [FILM()] });
  try {
    const url = await firstOf(service.addon);
    await play(url, 'aiostreams');
    return Math.max(count(service.requests, /\/playback\//), count(service.requests, /\/usenet\/stream\//));
  } finally {
    await service.close();
  }
}

/** Its look for the size and its windows, one behind the other, count as one. */
async function ofAltMount(): Promise<number> {
  const { release } = FILM();
  const options = { apiKey: 'k', jobDuration: 20, posts: [release] };
  const service = await startDirectStream('altmount', options);
  try {
    const list = await listOf(`${service.url}/stremio/${downloadKey('k')}`);
    const row = list.find(({ title }) => title?.startsWith(release.name));
    await play(row?.url ?? '', 'altmount');
    const ranges = service.requests
      .filter(({ path }) => path.startsWith('/api/files/stream'))
      .map(
        ({ headers }) =>
          /^bytes=(\d+)-(\d+)$/
            .exec(headers['range'] ?? '')
            ?.slice(1)
            .map(Number) ?? [],
      );
    const windows = ranges.filter(([, last = 0]) => last > 0);
    const jumps = windows.filter(([first], n) => n > 0 && first !== (windows[n - 1]?.[1] ?? 0) + 1);
    // Each of its play address is a new grab.
    return Math.max(count(service.requests, /\/play\b/), 1 + jumps.length);
  } finally {
    await service.close();
  }
}

async function firstOf(addon: string): Promise<string> {
  return (await listOf(addon))[0]?.url ?? '';
}

interface Row {
  readonly url: string;
  readonly title?: string;
}

async function listOf(addon: string): Promise<readonly Row[]> {
  const { streams } = (await (await fetch(`${addon}${LIST}`)).json()) as { streams: readonly Row[] };
  return streams;
}

const play = (url: string, service: DirectService) =>
  withResources(async (use) => {
    const proxy = await use(startService());
    const own = await proxy.prepare(url, playedBy(service));
    let had = 0;
    const onBytes = (bytes: number) => ((had += bytes) >= AT_PLAYER ? 'leave' : 0);
    await read(own, { first: 0, atOnce: SIP, onBytes });
  });

const count = (requests: readonly RecordedRequest[], path: RegExp) =>
  requests.filter((request) => path.test(request.path)).length;
