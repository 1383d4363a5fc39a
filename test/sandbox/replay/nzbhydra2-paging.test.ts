import { expect, it, onTestFinished } from 'vitest';
import { HydraIndexer } from '../../../sandbox/indexer/hydra/indexer.ts';
import { startIndexer } from '../../../sandbox/indexer/start.ts';
import { post } from './lab.ts';
import { pagingTables } from './nzbhydra2-transcript.ts';

const QUERY = 'apikey=lab-key&t=movie&imdbid=9900002&cat=2000&extended=1';
const NAMES = ['Good1', 'Good2', 'Good3'];

/** 350 posts of three indexers, the oldest first. */
const POSTS = Array.from({ length: 350 }, (_, n) => {
  const title = `G${String(n).padStart(3, '0')}`;
  const of = { kind: 'movie', title: '', year: 2019, imdb: 'tt9900002', tmdb: '' } as const;
  return post(title, { of, posted: new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString() });
});

async function startPaging(order: 'newest' | 'oldest') {
  const behind = NAMES.map((name, place) => {
    const own = POSTS.filter((_, n) => n % NAMES.length === place);
    // An indexer of the sandbox lists its last post first.
    return new HydraIndexer({ name, posts: order === 'newest' ? own : own.toReversed() });
  });
  const service = await startIndexer('hydra', { apiKey: 'lab-key', hydraIndexers: behind });
  onTestFinished(() => service.close());
  const page = async (path: string) => {
    const text = await (await fetch(`${service.url}${path}`)).text();
    return {
      total: / total="(\d+)"/.exec(text)?.[1],
      titles: [...text.matchAll(/<item>\s*<title>(\w+)/g)].map(([, title]) => title ?? ''),
      of: [...new Set([...text.matchAll(/hydraIndexerName" value="(\w+)"/g)].map(([, name]) => `'${name}'`))],
    };
  };
  const asked = () =>
    behind.flatMap(({ name, queries }) =>
      queries.splice(0).map((query) => `${name} offset=${query.get('offset')}`),
    );
  return { page, asked };
}

/** The table as it was written of the real one, with what the sandbox gives. */
async function tableOf(order: 'newest' | 'oldest'): Promise<string[]> {
  const { page, asked } = await startPaging(order);
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const offset of [0, 100, 200, 300]) {
    const { titles, total } = await page(`/api?${QUERY}&limit=100&offset=${offset}`);
    const again = titles.filter((title) => seen.has(title)).length;
    for (const title of titles) seen.add(title);
    const span = `${titles[0]} … ${titles.at(-1)}`;
    lines.push(
      `offset=${offset}: ${titles.length} rows, total=${total}, ${again} of them seen before; ${span}; asked: ${asked().join(', ')}`,
    );
  }
  lines.push(`distinct: ${seen.size}`);
  const whole = await page(`/api?${QUERY}&limit=1000`);
  lines.push(`limit=1000: ${whole.titles.length} rows, total=${whole.total}; asked ${asked().length} times`);
  const alone = [];
  for (const offset of [0, 100])
    alone.push(...(await page(`/api/Good1?${QUERY}&limit=100&offset=${offset}`)).titles);
  lines.push(`Good1 alone, offset 0 and 100: ${new Set(alone).size} distinct of ${alone.length}`);
  for (const pathOf of [(name: string) => `/api/${name}?${QUERY}`, byParameter]) {
    for (const name of NAMES.slice(0, 2)) await page(`${pathOf(name)}&limit=100`);
    for (const name of NAMES.slice(0, 2)) {
      const { titles, of } = await page(`${pathOf(name)}&limit=100&offset=100`);
      lines.push(`${told(pathOf(name))}: ${titles.length} rows of [${of.join(', ')}]`);
    }
  }
  return lines;
}

const byParameter = (name: string) => `/api?${QUERY}&indexers=${name}&maxage=2000${name.slice(-1)}`;

function told(path: string): string {
  return path.startsWith('/api?')
    ? `${path.slice(path.indexOf('indexers'))} offset=100, the same way`
    : `${path.slice(0, path.indexOf('?'))} offset=100 after the first pages of Good1 and Good2`;
}

/** Bytes and times are a run's own; those that are asked side by side come in any order. */
const formOf = (line: string) =>
  line
    .replace(/, \d+ bytes, \d+ ms/, '')
    .replace(/(?<=asked: ).*/, (list) => list.split(', ').toSorted().join(', '))
    .trim();

it.each([
  ['newest', 0],
  ['oldest', 1],
] as const)(
  'gives pages as the real NZBHydra2 does, of indexers that list the %s first',
  async (order, n) => {
    expect((await tableOf(order)).map(formOf)).toEqual(pagingTables()[n]!.map(formOf));
  },
);
