import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import type { CatalogueRelease } from '../../../sandbox/index.ts';
import { HydraIndexer, type HydraIndexerOptions } from '../../../sandbox/indexer/hydra/indexer.ts';
import { resultOf } from '../../../sandbox/indexer/hydra/results.ts';
import { HYDRA_TIMES, type HydraSettings } from '../../../sandbox/indexer/hydra/settings.ts';
import { type IndexerSandbox, startIndexer } from '../../../sandbox/indexer/start.ts';
import { post } from './lab.ts';
import { hydraForm, hydraHeaders } from './nzbhydra2-form.ts';
import { recordedPosts } from './nzbhydra2-posts.ts';
import type { Exchange } from './transcript.ts';

const KEY = 'lab-key-5c81';

export interface HydraLab {
  readonly service: IndexerSandbox;
  indexer(name: string): HydraIndexer;
  /** Asks all indexers, beside the recording. */
  search(): Promise<void>;
  /** Asks what was asked, and compares what comes. */
  replay(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

export interface HydraLabOptions extends Partial<Omit<HydraSettings, 'times'>> {
  readonly behind: readonly HydraIndexer[];
  readonly urlBase?: string;
}

export async function startHydraLab({ behind, urlBase = '', ...settings }: HydraLabOptions = { behind: [] }) {
  const service = await startIndexer('hydra', {
    ...{ apiKey: KEY, urlBase, hydraIndexers: behind },
    hydra: { ...settings, times: { ...HYDRA_TIMES, limit: 20 } },
  });
  const ids = idsOf(behind);
  const lab: HydraLab = {
    service,
    indexer: (name) => behind.find((each) => each.name === name)!,
    search: async () => {
      await fetch(`${service.url}/api?t=search&apikey=${KEY}`);
    },
    replay: async (exchange) => {
      compare(exchange, await ask(new URL(service.url).origin, exchange, ids), ids);
    },
    close: () => service.close(),
  };
  return lab;
}

const POSTS = recordedPosts();
const ODD_TITLE = {
  id: '1976313273974742605',
  release: post(
    'Bob & Kerry\'s <Ünïcode> "Movie" +Plus 100% [2020] {1080p} #hash; x=1?y 日本語 2020 1080p WEB-DL',
    {
      guid: '5a4db0c5-0000-4000-8000-000000000498',
      of: { ...POSTS[0]!.release.of, imdb: '9900008' },
      posted: '2020-01-01T00:00:00.000Z',
    },
  ),
};

/** Our ids of the results, by the recorded ones. */
function idsOf(behind: readonly HydraIndexer[]): ReadonlyMap<string, string> {
  const known = [...POSTS, { ...ODD_TITLE, indexer: 'Odd' }].flatMap(({ id, indexer, release }) => {
    const ours = behind.find(({ name }) => name === indexer);
    return ours === undefined ? [] : [[id, resultOf(ours, release).id] as const];
  });
  return new Map(known);
}

const PORTS = { Good1: 7101, Good2: 7102, Slow: 7104, Odd: 7111 } as const;

/** An indexer of the lab, with the posts that its rows have shown. */
export function recordedIndexer(
  name: keyof typeof PORTS,
  more: Partial<HydraIndexerOptions> = {},
): HydraIndexer {
  const baseUrl = `http://127.0.0.1:${PORTS[name]}`;
  const isAll = ({ name: title }: CatalogueRelease) => title.endsWith('-ALL') && name !== 'Odd';
  const own = POSTS.filter(({ indexer }) => indexer === name).map(({ release }) => release);
  // Of a post that several had, it once took Slow's row: nothing tells why, so here it is the newer one.
  const listed = name === 'Slow' ? own.map(aMinuteNewer) : own;
  const shared = POSTS.map(({ release }) => release).filter(isAll);
  const lacking = shared.filter(({ guid }) => !own.some((each) => each.guid === guid));
  return new HydraIndexer({
    ...{ name, baseUrl, posts: [...fillers(name), ...listed, ...lacking.filter(onceByGuid)] },
    facts: ({ guid }) => POSTS.find(({ release }) => release.guid === guid)?.facts ?? [],
    link: ({ guid, name: title }) => {
      const path = `/getnzb?id=${guid}&i=1234&r={key of the indexer ${name.toUpperCase()}}`;
      return title.includes('RelLink') ? path : baseUrl + path;
    },
    ...more,
  });
}

const aMinuteNewer = (release: CatalogueRelease): CatalogueRelease => ({
  ...release,
  posted: new Date(Date.parse(release.posted) + 60_000).toISOString(),
});

const onceByGuid = ({ guid }: CatalogueRelease, place: number, all: readonly CatalogueRelease[]) =>
  all.findIndex((each) => each.guid === guid) === place;

/** Posts whose rows were cut from the lists, and of which nothing else is known: all older than those. */
function fillers(name: keyof typeof PORTS): readonly CatalogueRelease[] {
  const like = (title: string, count: number) => {
    const { release } = POSTS.find((each) => each.release.name === title)!;
    return Array.from({ length: count }, (_, n) =>
      post(`${title}-${n}`, {
        ...{ ...release, name: `${title}-${n}` },
        guid: `5a4db0c5-0000-4000-9000-${String(n).padStart(12, '0')}`,
        posted: '2020-01-01T00:00:00.000Z',
      }),
    );
  };
  if (name === 'Odd') return [ODD_TITLE.release, ...like('Odd.Facts.2020.1080p.WEB-DL.Tiny-GRP', 9)];
  return name === 'Slow' ? [] : like(`Invented.Show.S01E03.1080p.WEB.h264-${name.toUpperCase()}`, 1);
}

interface Came {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asked by the recorded host, which is what the answer writes into its addresses. */
function ask(origin: string, { request }: Exchange, ids: ReadonlyMap<string, string>): Promise<Came> {
  const { method, headers } = request;
  return new Promise((resolve, reject) => {
    const path = ours(request.target, ids);
    const req = httpRequest(origin, { method, path, headers: { ...headers }, agent: false });
    req.once('error', reject);
    req.once('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text });
      });
    });
    req.end(ours(request.body, ids));
  });
}

/** What was recorded, with our key and our ids. The sandbox speaks no TLS. */
const ours = (text: string, ids: ReadonlyMap<string, string>) =>
  text
    .replaceAll('{hydra key}', KEY)
    .replace(/-?\d{15,}/g, (id) => ids.get(id) ?? id)
    .replaceAll('https://127.0.0.1:5076', 'http://127.0.0.1:5076');

function compare({ name, answer }: Exchange, came: Came, ids: ReadonlyMap<string, string>): void {
  const { status, headers = {}, body } = answer;
  const recorded = body.kind === 'text' ? ours(body.text, ids) : '';
  expect([name, came.status]).toEqual([name, status]);
  const isWhole = /^(?:An error|<error|<html|<\?xml[^>]*>\n<error code="\d+" desc)/.test(recorded);
  expect([name, hydraHeaders(came.headers, isWhole)]).toEqual([name, hydraHeaders(headers, isWhole)]);
  expect([name, hydraForm(came.text, recorded)]).toEqual([name, hydraForm(recorded, recorded)]);
}
