import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RecordedRequest, whenQuery } from '../../sandbox/index.ts';
import { type Pipeline, pipeline, SINTEL } from './set-up.ts';

const submissions = ({ sandbox }: Pipeline) => sandbox.requests.filter(whenQuery('mode', 'addfile')).length;
const episode = (number: number) =>
  `?type=episode&showname=Caminandes&season=1&episode=${number}&tvdb=990001&showyear=2013`;
const PACK = 'Caminandes.S01.1080p';
const packRow = (p: Pipeline) => p.host.picked.at(-1)?.rows.find(({ name }) => name.includes(PACK));

const isGet = ({ method }: RecordedRequest) => method === 'GET';

describe('what the backend holds already', () => {
  test('is marked in the list, and starts without being submitted again', async () => {
    const p = await pipeline({ settings: { auto_select: 'false' } });
    expect(await p.resolve(SINTEL)).toBe(true);
    expect(submissions(p)).toBe(1);
    expect(await p.resolve(SINTEL)).toBe(true);
    expect(submissions(p)).toBe(1);
    const rows = p.host.picked.at(-1)?.rows ?? [];
    const marked = rows.filter(({ downloaded }) => downloaded);
    expect(marked).toHaveLength(1);
    // The mark says it, and need not be said twice.
    expect(marked[0]?.details.map(({ label }) => label)).not.toContain('Already downloaded');
    expect(p.host.resolved[1]?.stream.size).toBe(p.host.resolved[0]?.stream.size);
  });

  test('is submitted again when its files are gone', async () => {
    const p = await pipeline();
    await p.resolve(SINTEL);
    const asksForJob = ({ method: how, path }: RecordedRequest) =>
      how === 'PROPFIND' && path.includes('Sintel');
    p.sandbox.faults.webdav.push({ kind: 'status', status: 404, when: asksForJob, times: 4 });
    expect(await p.resolve(SINTEL)).toBe(true);
    expect(submissions(p)).toBe(2);
  });

  test('does not matter when the backend does not tell it in time', async () => {
    const p = await pipeline();
    p.sandbox.faults.api.push({ kind: 'status', status: 500, when: whenQuery('mode', 'history'), times: 1 });
    expect(await p.resolve(SINTEL)).toBe(true);
    expect(p.log.lines.join('\n')).toContain('does not tell what it holds');
  });
});

describe('what the service plays anew', () => {
  /** The person has chosen what does not stand on top; where it was left is known. */
  async function chosen(query: string, name: string): Promise<Pipeline> {
    const p = await pipeline({
      settings: { auto_select: 'false' },
      choice: (view) => Promise.resolve(view.rows.find((row) => row.name.includes(name))?.id),
      resume: () => Promise.reject(new Error('nobody is to be asked')),
    });
    expect(await p.resolve(query)).toBe(true);
    const { release } = JSON.parse(p.host.resolved[0]?.mark ?? '') as { release: string };
    p.host.recall = { release, position: 400 };
    return p;
  }

  test('asks nothing and is the same release from that second on, from what the backend holds', async () => {
    const p = await chosen('?type=movie&title=Big%20Buck%20Bunny&year=2008&imdb=tt1254207', 'TAILINDEX');
    const lists = p.host.picked.length;
    expect(await p.resolve('?type=movie&title=Big%20Buck%20Bunny&year=2008&imdb=tt1254207')).toBe(true);
    expect(p.host.picked).toHaveLength(lists);
    expect(p.host.resolved[1]).toMatchObject({ startAt: 400, mark: p.host.resolved[0]?.mark });
    expect(p.host.resolved[1]?.stream.url).toContain('TAILINDEX');
    expect(submissions(p)).toBe(1);
  });

  test('needs no search when it is a pack that the backend holds', async () => {
    const p = await chosen(episode(1), PACK);
    const searched = p.sandbox.requests.filter(({ service }) => service === 'indexer').length;
    expect(await p.resolve(episode(1))).toBe(true);
    expect(p.host.resolved[1]?.stream.url).toMatch(/S01E01/);
    expect(p.host.resolved[1]?.startAt).toBe(400);
    expect(p.sandbox.requests.filter(({ service }) => service === 'indexer')).toHaveLength(searched);
    expect(submissions(p)).toBe(1);
  });
});

describe('a season pack', () => {
  /** Plays the first episode from the pack. */
  async function withPack(more: Parameters<typeof pipeline>[0] = {}): Promise<Pipeline> {
    const p = await pipeline({
      settings: { auto_select: 'false' },
      choice: (view) => Promise.resolve(view.rows.find(({ name }) => name.includes(PACK))?.id),
      ...more,
    });
    expect(await p.resolve(episode(1))).toBe(true);
    expect(p.host.resolved[0]?.stream.url).toMatch(/S01E01/);
    return p;
  }

  test('is on top for its other episodes, and holds them without being submitted again', async () => {
    const p = await withPack();
    expect(await p.resolve(episode(2))).toBe(true);
    expect(submissions(p)).toBe(1);
    expect(p.host.resolved[1]?.stream.url).toMatch(/S01E02/);
    const rows = p.host.picked.at(-1)?.rows ?? [];
    expect(rows[0]).toMatchObject({ downloaded: true, pack: true });
    expect(rows.filter(({ name }) => name.includes(PACK))).toHaveLength(1);
  });

  test('is not offered when its job is gone', async () => {
    const p = await withPack();
    for (const { id } of p.sandbox.jobs()) {
      const { apiUrl, apiKey } = p.sandbox.backend;
      await fetch(`${apiUrl}/api?mode=history&name=delete&value=${id}&del_completed_files=1`, {
        headers: { 'x-api-key': apiKey },
      });
    }
    expect(await p.resolve(episode(2))).toBe(true);
    expect(submissions(p)).toBe(2);
    expect(packRow(p)?.downloaded).toBe(false);
  });

  test('is kept when the backend does not answer', async () => {
    const p = await withPack();
    await p.sandbox.shut('api');
    expect(await p.resolve(episode(2))).toBe(false);
    expect(await packs(p)).toHaveLength(1);
    await p.sandbox.open('api');
    expect(await p.resolve(episode(2))).toBe(true);
    expect(submissions(p)).toBe(1);
  });

  const packs = (p: Pipeline) => readdir(join(p.host.dataFolder, 'packs'));

  test('is kept when its files cannot be asked for just now', async () => {
    const p = await withPack();
    await p.sandbox.shut('webdav');
    expect(await p.resolve(episode(2))).toBe(false);
    expect(await packs(p)).toHaveLength(1);
  });

  test.each<[string, (p: Pipeline) => void]>([
    [
      'answers 500',
      ({ sandbox: { faults } }) => faults.webdav.push({ kind: 'status', status: 500, when: isGet }),
    ],
    [
      'calls every place missing',
      ({ sandbox: { faults } }) => {
        faults.missing = { from: 0, to: Number.MAX_SAFE_INTEGER };
      },
    ],
  ])('is kept when its server %s, as it does while its provider is away', async (_, outage) => {
    const p = await withPack();
    outage(p);
    expect(await p.resolve(episode(2))).toBe(false);
    expect(await packs(p)).toHaveLength(1);
    p.sandbox.faults.webdav.length = 0;
    p.sandbox.faults.missing = undefined;
    expect(await p.resolve(episode(2))).toBe(true);
    expect(submissions(p)).toBe(1);
  });

  test('is forgotten when it does not hold what it should', async () => {
    const p = await withPack();
    const [pack] = await packs(p);
    p.sandbox.faults.missing = { from: 0, to: 1_000_000 };
    await p.resolve(episode(2));
    expect(await packs(p)).not.toContain(pack);
  });

  test('is what a playlist goes on with: no list, no search, nothing submitted', async () => {
    const p = await withPack({ startedBy: 'playlist' });
    const searched = p.sandbox.requests.filter(({ service }) => service === 'indexer').length;
    const lists = p.host.picked.length;
    expect(await p.resolve(episode(2))).toBe(true);
    expect(p.host.resolved[1]?.stream.url).toMatch(/S01E02/);
    expect(p.sandbox.requests.filter(({ service }) => service === 'indexer')).toHaveLength(searched);
    expect(p.host.picked).toHaveLength(lists);
    expect(submissions(p)).toBe(1);
  });
});
