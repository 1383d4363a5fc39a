import { expect, onTestFinished } from 'vitest';
import { CATALOGUE, type CatalogueRelease, SINTEL } from '../../../sandbox/index.ts';
import { HydraIndexer, type HydraIndexerOptions } from '../../../sandbox/indexer/hydra/indexer.ts';
import { type IndexerSandbox, type StartOptions, startIndexer } from '../../../sandbox/indexer/start.ts';

/** Fields of the list of indexers, as far as the tests look at them. */
interface Entry {
  readonly indexer: string;
  readonly state: string;
  readonly level: number;
  readonly disabledUntil: number | null;
  readonly lastError: string | null;
  readonly apiHits: number;
  readonly downloadHits: number;
}

export const KEY = 'sandbox-key';
/** A limit that a dead indexer reaches soon, and one that answers keeps on a busy machine too. */
export const SHORT = { limit: 1_000 };
export const SINTELS = CATALOGUE.filter(({ of }) => of === SINTEL);

export async function startHydra(options: Partial<StartOptions> = {}) {
  const service = await startIndexer('hydra', { apiKey: KEY, ...options });
  onTestFinished(() => service.close());
  return clientOf(service);
}

function clientOf(service: IndexerSandbox) {
  const { url } = service;
  const get = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init });
  const list = async (query: string, path = '/api') => {
    const answer = await get(`${path}?apikey=${KEY}&${query}`);
    expect(answer.status).toBe(200);
    return readList(await answer.text());
  };
  /** In the order of the sandbox; its own is by state and name. */
  const states = async (): Promise<Entry[]> => {
    const body = JSON.stringify({ apikey: KEY });
    const all = (await (await get('/api/stats/indexers', { method: 'POST', body })).json()) as Entry[];
    return service.hydraIndexers.map(({ name }) => all.find(({ indexer }) => indexer === name)!);
  };
  const download = (id: string) => get(`/getnzb/api/${id}?apikey=${KEY}`);
  const error = async (path: string) => {
    const answer = await get(path);
    return `${answer.status} ${/code="(\d+)"/.exec(await answer.text())?.[1]}`;
  };
  return { service, get, list, states, download, error };
}

function readList(text: string) {
  const items = text.split('<item>').slice(1);
  const field = (item: string, name: string) => new RegExp(`<${name}[^>]*>([^<]*)`).exec(item)?.[1] ?? '';
  const attribute = (item: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(item)?.[1] ?? '';
  return {
    text,
    total: Number(/ total="(\d+)"/.exec(text)?.[1]),
    rows: items.map((item) => ({
      title: field(item, 'title'),
      guid: field(item, 'guid'),
      attrGuid: attribute(item, 'guid'),
      link: field(item, 'link').replaceAll('&amp;', '&'),
      comments: field(item, 'comments'),
      description: field(item, 'description'),
      indexer: attribute(item, 'hydraIndexerName'),
    })),
  };
}

export const BY_ID = `t=movie&imdbid=${SINTEL.imdb}&cat=2000&limit=100`;

/** Two that have all of the catalogue, unless it is said otherwise. */
export const behind = (...options: (Partial<HydraIndexerOptions> & { readonly name: string })[]) =>
  options.map((each) => new HydraIndexer(each));

export const post = (name: string, more: Partial<CatalogueRelease> = {}): CatalogueRelease => ({
  ...SINTELS[0]!,
  name,
  guid: `77777777-0000-4000-8000-${name.length.toString().padStart(12, '0')}`,
  ...more,
});

/** One of three that share 350 posts of one film out, the newest of which come first. */
export function many(name: string, place: number): HydraIndexer {
  const posts = Array.from({ length: 350 }, (_, n) => ({
    ...post(`Sintel.2010.1080p.WEB-DL-G${n}`, {
      guid: `88888888-0000-4000-8000-${String(n).padStart(12, '0')}`,
      posted: new Date(Date.UTC(2025, 0, 1) + n * 3_600_000).toISOString(),
    }),
  }));
  return new HydraIndexer({ name, posts: posts.filter((_, n) => n % 3 === place) });
}
