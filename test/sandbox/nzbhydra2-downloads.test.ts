import { describe, expect, it } from 'vitest';
import type { HydraIndexerOptions } from '../../sandbox/indexer/hydra/indexer.ts';
import type { IndexerBehaviour } from '../../sandbox/indexer/member-indexer.ts';
import { BY_ID, behind, KEY, post, SHORT, startHydra } from './support/hydra.ts';

describe('the downloads of NZBHydra2', () => {
  const NOTE = 'An error occurred while downloading';
  const one = async (temper: IndexerBehaviour, more: Partial<HydraIndexerOptions> = {}) => {
    const setUp = await startHydra({
      hydraIndexers: behind({ name: 'Good1', ...more }),
      hydra: { times: SHORT },
    });
    const [row] = (await setUp.list(BY_ID)).rows;
    setUp.service.hydraIndexers[0]!.download = temper;
    return { ...setUp, row: row!, answer: await setUp.download(row!.guid) };
  };

  it.each<[string, IndexerBehaviour]>([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['a lost connection', 'resets'],
    ['silence', 'dead'],
  ])('tell %s as 429, to be tried again in four hours', async (_what, temper) => {
    const { answer } = await one(temper);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '14400']);
    expect(await answer.text()).toMatch(new RegExp(`^${NOTE} Sintel\\S+ from indexer Good1$`));
  });

  it.each([404, 403, 503])('pass %d on', async (status) => {
    const { answer } = await one({ status });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, null]);
    expect(await answer.text()).toContain(NOTE);
  });

  it.each<[string, IndexerBehaviour, RegExp]>([
    ['an error document', { code: 501, description: 'Download limit reached' }, /<error code="501"/],
    ['nothing', 'empty', /^$/],
    ['a web page', 'page', /^<html>/],
  ])('pass %s on as an NZB', async (_what, temper, body) => {
    const { answer } = await one(temper);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/x-nzb;charset=UTF-8',
    ]);
    expect(await answer.text()).toMatch(body);
  });

  it('come from another indexer after a failure, not after an error document', async () => {
    const { service, list, download } = await startHydra({
      hydraIndexers: behind({ name: 'Good1', score: 1 }, { name: 'Good2' }),
    });
    const [first, second] = service.hydraIndexers;
    const [row] = (await list(BY_ID)).rows;
    first!.download = { status: 500 };
    second!.enable = false;
    expect(await (await download(row!.guid)).text()).toContain('<nzb ');
    expect([first!.downloadHits, second!.downloadHits]).toEqual([1, 1]);
    first!.download = { code: 501, description: 'Download limit reached' };
    expect(await (await download(row!.guid)).text()).toContain('<error');
    expect([first!.downloadHits, second!.downloadHits]).toEqual([2, 1]);
  });

  it('lead to the indexer where it is set up so', async () => {
    const { answer, service } = await one('good', { access: 'redirect', baseUrl: 'http://indexer.invalid' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toMatch(/^http:\/\/indexer\.invalid\/getnzb\?id=[0-9a-f-]{36}&/);
    expect(service.hydraIndexers[0]!.downloadHits).toBe(0);
  });

  it('fail with a page where the indexer’s link is relative, or the key is another', async () => {
    const { answer, get, row } = await one('good', { link: ({ guid }) => `/getnzb/${guid}` });
    const wrong = await get(`/getnzb/api/${row.guid}?apikey=wrong`);
    for (const each of [answer, wrong])
      expect([each.status, each.headers.get('content-type')]).toEqual([500, 'text/html;charset=UTF-8']);
  });

  it('need an id that is a number and was listed, of an indexer that is still there', async () => {
    const { service, get, row, error, download } = await one('good');
    expect((await get(`/getnzb/api/abc?apikey=${KEY}`)).status).toBe(400);
    expect(await error(`/getnzb/api/7?apikey=${KEY}`)).toBe('200 300');
    service.hydraIndexers[0]!.enable = false;
    expect(await (await download(row.guid)).text()).toContain('<nzb ');
    service.hydraIndexers.splice(0);
    expect(await error(`/getnzb/api/${row.guid}?apikey=${KEY}`)).toBe('200 300');
  });

  it('count when only the head is asked for', async () => {
    const { get, row, service } = await one('good');
    await get(`/getnzb/api/${row.guid}?apikey=${KEY}`, { method: 'HEAD' });
    expect(service.hydraIndexers[0]!.grabs).toHaveLength(2);
  });

  it('go on when the limit that is set for them is used up', async () => {
    const { answer, row, download, states } = await one('good', { downloadHitLimit: 1 });
    expect([answer.status, (await download(row.guid)).status]).toEqual([200, 200]);
    expect(await states()).toMatchObject([{ downloadHits: 2 }]);
  });

  it('keep a title out of the head that Latin-1 cannot write', async () => {
    const { answer } = await one('good', { posts: [post('Sintel 日本語 2010')] });
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, null]);
  });
});
