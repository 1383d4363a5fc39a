import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RecordedRequest, whenQuery } from '../../sandbox/index.ts';
import { type Pipeline, pipeline } from './set-up.ts';

const episode = (number: number) =>
  `?type=episode&showname=Caminandes&season=1&episode=${number}&tvdb=990001&showyear=2013`;
const PACK = 'Caminandes.S01.1080p';
/** A pipeline with what was asked before. */
interface Prepared extends Pipeline {
  readonly from: number;
}
const submissions = ({ sandbox, from }: Prepared) =>
  sandbox.requests.slice(from).filter(whenQuery('mode', 'addfile')).length;
const asked = ({ sandbox, from }: Prepared) =>
  sandbox.requests.slice(from).filter(({ service }) => service === 'indexer');
const seasonQueries = (p: Prepared) =>
  asked(p).filter(({ query }) => query['season'] !== undefined && query['ep'] === undefined);

/** Has played the first episode from the pack; the next ones are chosen as the settings say. */
async function withPack(settings: Readonly<Record<string, string>> = {}): Promise<Prepared> {
  const p = await pipeline({
    settings: { auto_select: 'false' },
    choice: async ({ rows }, host) => {
      while (settings['waits'] === 'true' && host.picked.at(-1)?.searching === true)
        await new Promise((resolve) => setTimeout(resolve, 10));
      return rows.find(({ name }) => name.includes(PACK))?.id;
    },
  });
  expect(await p.resolve(episode(1))).toBe(true);
  expect(p.host.resolved[0]?.stream.url).toMatch(/S01E01/);
  Object.assign(p.host.settings, { auto_select: 'true', ...settings });
  return { ...p, from: p.sandbox.requests.length };
}

describe('with the automatic choice, a season pack that is at the backend', () => {
  test('plays its next episode without a search', async () => {
    const p = await withPack();
    expect(await p.resolve(episode(2))).toBe(true);
    expect(p.host.resolved[1]?.stream.url).toMatch(/S01E02.*PACKED/);
    expect(asked(p)).toEqual([]);
    expect(submissions(p)).toBe(0);
  });

  test('is not played where the filters reject it', async () => {
    const p = await withPack({ allow_1080p: 'false' });
    expect(await p.resolve(episode(2))).toBe(true);
    expect(p.host.resolved[1]?.stream.url).toMatch(/S01E02.*720p/);
    expect(asked(p)).not.toEqual([]);
  });

  test('is followed by a search when it fails, also where one release alone is to be tried', async () => {
    const p = await withPack();
    const [job] = p.sandbox.jobs();
    const when = ({ path }: RecordedRequest) => decodeURIComponent(path).includes(job?.name ?? '');
    p.sandbox.faults.webdav.push({ kind: 'status', status: 404, when });
    expect(await p.resolve(episode(2))).toBe(true);
    expect(p.host.resolved[1]?.stream.url).toMatch(/S01E02/);
    // The job that failed is not tried once more, though the search finds its release.
    expect(submissions(p)).toBe(1);
    expect(p.host.notified).toEqual([]);
    expect(seasonQueries(p)).not.toEqual([]);
  });

  test('is not followed by a search when the backend is away: that would fail everything', async () => {
    const p = await withPack();
    await p.sandbox.shut('webdav');
    expect(await p.resolve(episode(2))).toBe(false);
    expect(asked(p)).toEqual([]);
    expect(await readdir(join(p.host.dataFolder, 'packs'))).toHaveLength(1);
  });

  test('does not stand in the way of what it does not hold', async () => {
    const p = await withPack();
    expect(await p.resolve(episode(4))).toBe(false);
    expect(asked(p)).not.toEqual([]);
  });
});

describe('in the list, a season pack that is at the backend', () => {
  test('is offered before anybody has answered the search', async () => {
    const p = await withPack({ auto_select: 'false' });
    p.sandbox.faults.indexer.push({ kind: 'hang' });
    expect(await p.resolve(episode(2))).toBe(true);
    expect(p.host.resolved[1]?.stream.url).toMatch(/S01E02.*PACKED/);
    const view = p.host.picked.at(-1);
    expect(view).toMatchObject({ searching: true });
    expect(view?.rows.map(({ downloaded, pack }) => [downloaded, pack])).toEqual([[true, true]]);
  });

  test('makes it needless to ask for the whole season', async () => {
    const p = await withPack({ auto_select: 'false', waits: 'true' });
    expect(await p.resolve(episode(2))).toBe(true);
    expect(p.host.picked.at(-1)?.rows.length).toBeGreaterThan(1);
    expect(seasonQueries(p)).toEqual([]);
  });

  test('is no reason not to ask for it where the filters reject it', async () => {
    const p = await withPack({ auto_select: 'false', allow_1080p: 'false', waits: 'true' });
    await p.resolve(episode(2));
    expect(seasonQueries(p)).not.toEqual([]);
  });
});
