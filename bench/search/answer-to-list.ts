import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '../../src/io/wait.ts';
import { type Engine, startEngine } from '../../test/support/engine.ts';
import { type Figure, median } from '../figure.ts';

const RUNS = 7;
const LIMIT_MS = 150;
const SOURCES = 10;
const ROWS = 100;
/** Milliseconds from a query to its answer; one source after the other, as indexers are. */
const FIRST_ANSWER = 400;
const BETWEEN = 20;
/** Milliseconds. */
const PATIENCE = 15_000;
const LOOK_AGAIN = 2;

/** From the last source's answer to the first page of the list, in a fresh engine, as each play starts one. */
export const answerToList: Figure = {
  name: 'search.answer-to-list',
  unit: 'ms',
  target: `≤ ${LIMIT_MS}`,
  measure: async () => {
    const answered: number[] = [];
    const servers = await Promise.all(
      Array.from({ length: SOURCES }, (_, index) =>
        startIndexer(index, () => answered.push(performance.now())),
      ),
    );
    try {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        answered.length = 0;
        times.push((await shownAt(servers)) - Math.max(...answered));
      }
      const value = median(times);
      const spread = `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`;
      const note = `${SOURCES} sources × ${ROWS} rows; spread ${spread} ms, n ${RUNS}`;
      return { value, met: value <= LIMIT_MS, note };
    } finally {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    }
  },
};

/** When the list was shown with its first rows, on the clock of performance.now(). */
async function shownAt(servers: readonly Server[]): Promise<number> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'slipstream-search-'));
  const entries = servers.map((server, index) => ({
    kind: 'newznab' as const,
    name: `Example ${index}`,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'key',
    enabled: true,
  }));
  const list = JSON.stringify({ version: 1, value: entries });
  await writeFile(join(dataFolder, 'sources.json'), list, { mode: 0o600 });
  const engine = startEngine({
    command: 'plugin',
    dataFolder,
    start: {
      argv: ['plugin://plugin.video.slipstream/play', '1', '?type=movie&title=Sintel&year=2010', ''],
    },
    // No backend is asked before a release is chosen.
    settings: { webdav_api_url: 'http://127.0.0.1:9', webdav_api_key: 'key' },
  });
  try {
    return await rowsShown(engine);
  } finally {
    engine.child.kill('SIGKILL');
    await engine.ended;
  }
}

async function rowsShown({ calls, stderr }: Engine): Promise<number> {
  const shown = () =>
    calls.find(
      ({ method, params }) => method.startsWith('window.') && JSON.stringify(params).includes('-GRP'),
    );
  const call = await poll(() => Promise.resolve(shown()), {
    signal: new AbortController().signal,
    interval: () => LOOK_AGAIN,
    deadline: PATIENCE,
  });
  if (call === undefined) throw new Error(`no list came up: ${stderr.join('')}`);
  return call.at;
}

const CAPS =
  '<caps><limits max="100" default="100"/><searching><search available="yes" supportedParams="q"/><movie-search available="yes" supportedParams="q,imdbid"/></searching></caps>';

/** An indexer with a hundred posts of one film, of which some are at the others too. */
async function startIndexer(index: number, onAnswer: () => void): Promise<Server> {
  const feed = feedOf(index);
  const server = createServer((request, response) => {
    if (request.url?.includes('t=caps') === true) {
      response.end(CAPS);
      return;
    }
    setTimeout(
      () => {
        response.end(feed, onAnswer);
      },
      FIRST_ANSWER + index * BETWEEN,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const RESOLUTIONS = ['2160p', '1080p', '720p', '480p'];
const QUALITIES = [
  'BluRay.REMUX.HDR10.HEVC.TrueHD.7.1.Atmos',
  'WEB-DL.DV.HDR.DDP5.1.H.265',
  'BluRay.x264.DTS-HD.MA.5.1',
  'WEBRip.AAC2.0.x264',
  'HDTV.x264',
];

function feedOf(indexer: number): string {
  const items = Array.from({ length: ROWS }, (_, row) => {
    const post = indexer * (ROWS / 2) + row;
    const name = `Sintel.2010.${RESOLUTIONS[post % 4]!}.${QUALITIES[(post >> 2) % 5]!}-GRP${post}`;
    const attributes = `<newznab:attr name="size" value="${1e9 + post * 1e7}"/><newznab:attr name="usenetdate" value="Sat, 02 Oct 2010 10:${String(post % 60).padStart(2, '0')}:00 +0000"/><newznab:attr name="grabs" value="${post}"/><newznab:attr name="imdb" value="1727587"/>`;
    return `<item><title>${name}</title><guid>${indexer}-${row}</guid><enclosure url="http://127.0.0.1/get/${indexer}-${row}?apikey=key" length="1" type="application/x-nzb"/><pubDate>Sat, 02 Oct 2010 10:00:00 +0000</pubDate>${attributes}</item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0" xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/"><channel><newznab:response offset="0" total="${ROWS}"/>${items.join('')}</channel></rss>`;
}
