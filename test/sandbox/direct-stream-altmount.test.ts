import { expect, it, onTestFinished } from 'vitest';
import { downloadKey, startDirectStream, WEBDAV_LOGIN } from '../../sandbox/direct-stream/index.ts';
import { BIG_BUCK_BUNNY, CATALOGUE } from '../../sandbox/index.ts';
import { nzbOf } from '../../sandbox/indexer/nzb.ts';
import type { Json } from './support/client.ts';

async function rows() {
  const service = await startDirectStream('altmount', { apiKey: 'k', jobDuration: 20 });
  onTestFinished(() => service.close());
  const list = `${service.url}/stremio/${downloadKey('k')}/stream/movie/${BIG_BUCK_BUNNY.imdb}.json`;
  const { streams } = (await (await fetch(list)).json()) as { streams: Json[] };
  const play = async (group: string) => {
    const row = streams.find((each) => each['title']?.includes(`-${group}\n`));
    return await fetch(String(row?.['url']), { redirect: 'manual' });
  };
  return { service, streams, play };
}

it('the add-on of AltMount lists releases without a file name or a size', async () => {
  const { streams } = await rows();
  expect(streams.length).toBeGreaterThan(3);
  for (const row of streams) {
    expect(Object.keys(row)).toEqual(['name', 'title', 'url']);
    expect(row['name']).toMatch(/^AltMount (?:UHD|FHD|HD|SD) - .+ \(\d{4}\) \[\d+p\]$/);
    // The manager's key stands in it in clear.
    expect(row['url']).toContain(encodeURIComponent('apikey='));
  }
});

it('it fetches the NZB anew for each GET of a release that fails, and once for one that plays', async () => {
  const { service, play } = await rows();
  for (let n = 0; n < 3; n++) {
    const failed = await play('GONE');
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '10']);
  }
  expect(service.grabs).toHaveLength(3);
  for (let n = 0; n < 2; n++) expect((await play('MEADOW')).status).toBe(302);
  expect(service.grabs).toHaveLength(4);
});

it('it leaves the files of an order that fails, where its share shows them', async () => {
  const { service } = await rows();
  service.faults.job = { kind: 'fails', message: 'no files were successfully processed' };
  const form = new FormData();
  const [release] = CATALOGUE;
  if (release === undefined) expect.unreachable();
  form.set('file', new Blob([nzbOf(release)]), 'Left-0a1b2c3d.nzb');
  const order = { method: 'POST', headers: { 'x-api-key': 'k' }, body: form };
  expect((await fetch(`${service.url}/api/nzb/streams`, order)).status).toBe(500);
  const authorization = `Basic ${Buffer.from(Object.values(WEBDAV_LOGIN).join(':')).toString('base64')}`;
  const headers = { authorization, depth: '1' };
  const listing = await fetch(`${service.url}/webdav/complete/stremio/`, { method: 'PROPFIND', headers });
  expect(await listing.text()).toContain('/complete/stremio/Left-0a1b2c3d/');
});
