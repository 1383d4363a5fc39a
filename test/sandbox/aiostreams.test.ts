import { describe, expect, onTestFinished, test } from 'vitest';
import { type AioStreamsOptions, startAioStreams } from '../../sandbox/direct-stream/aiostreams/index.ts';
import { DirectPost } from '../../sandbox/direct-stream/post.ts';
import { BIG_BUCK_BUNNY, type CatalogueRelease, mkvClip } from '../../sandbox/index.ts';
import { post, video } from './replay/lab.ts';
import { get, ranged } from './support/get.ts';

// What of AIOStreams (protocols.md §8.4) happens while it opens and plays releases, and after it.

const MB = 1_000_000;
const ARTICLE = 716_800;

const film = (name: string, size: number, more: Partial<CatalogueRelease> = {}) =>
  new DirectPost(post(name, { of: BIG_BUCK_BUNNY, size, videos: [video(`${name}.mkv`, size)], ...more }));

async function setUp(posts: readonly DirectPost[], options: AioStreamsOptions = {}) {
  const service = await startAioStreams({ posts, silence: 20, ...options });
  onTestFinished(() => service.close());
  const list = async (id = 'movie/tt1254207') => {
    const { bytes } = await get(`${service.addon}/stream/${id}.json`);
    return (JSON.parse(bytes.toString()) as { streams: { name: string; url: string }[] }).streams;
  };
  const addresses = async () => (await list()).map(({ url }) => url);
  /** Where a play address leads. */
  const opened = async (url: string) => {
    const { status, headers } = await get(url);
    expect(status).toBe(307);
    return headers.location!;
  };
  return { service, list, addresses, opened };
}

const bytesOf = (name: string, size: number) =>
  Buffer.from(mkvClip({ name: `${name}.mkv`, seconds: 60, size, filled: false }).read(0, size));

describe('the sandbox as AIOStreams', () => {
  test('fills two lost articles of an answer with zeros, and has failed when it broke off twice', async () => {
    const size = 60 * ARTICLE;
    const { service, addresses, opened, list } = await setUp([
      film('A', size, { lost: [5, 15, 22, 30, 38] }),
    ]);
    const [url] = await addresses();
    const bytes = await opened(url!);
    const first = await get(bytes);
    expect([first.status, first.bytes.length, first.isWhole]).toEqual([200, 15_769_600, false]);
    expect(first.bytes.subarray(3_584_000, 4_300_800).every((byte) => byte === 0)).toBe(true);
    expect(
      first.bytes.subarray(4_300_800, 10_752_000).equals(bytesOf('A', size).subarray(4_300_800, 10_752_000)),
    ).toBe(true);
    const second = await ranged(bytes, '15769600-');
    expect([second.status, second.bytes.length, second.isWhole]).toEqual([206, 11_468_800, false]);
    const third = await ranged(bytes, '15769600-');
    expect([third.status, third.headers.location]).toEqual([302, '/static/download_failed.mp4']);
    expect((await get(`${bytes}?download`)).status).toBe(503);
    expect(await opened(url!)).toBe('/static/download_failed.mp4');
    expect(await list()).toEqual([]);
    // The address is good again after a restart, for as long as before.
    await service.restart();
    expect((await ranged(bytes, '0-9')).status).toBe(206);
  });

  test('destroys the running answer at once when its provider goes away, and knows what it has on its disk', async () => {
    const { service, addresses, opened } = await setUp([film('A', 20 * ARTICLE)]);
    const [url] = await addresses();
    const bytes = await opened(url!);
    service.after(10 * ARTICLE, () => {
      service.settings.provider = 'away';
    });
    const { bytes: came, isWhole } = await get(bytes);
    expect([came.length, isWhole]).toEqual([10 * ARTICLE, false]);
    await expect(ranged(bytes, `${15 * ARTICLE}-`)).rejects.toThrow('socket hang up');
    expect((await ranged(bytes, '0-99')).status).toBe(206);
    service.settings.provider = 'there';
    expect((await ranged(bytes, `${15 * ARTICLE}-`)).bytes.length).toBe(5 * ARTICLE);
  });

  test('leaves a release out for good whose first click came while its provider was away', async () => {
    const { service, addresses, opened, list } = await setUp([film('A', 5 * MB)], { provider: 'away' });
    const [url] = await addresses();
    expect(await opened(url!)).toBe('/static/download_failed.mp4');
    service.settings.provider = 'there';
    expect(await opened(url!)).toBe('/static/download_failed.mp4');
    expect(await list()).toEqual([]);
  });

  test('leads to the bytes of an encrypted archive once, which are an error', async () => {
    const archive = { kind: 'rar', password: 'nobody knows' } as const;
    const { addresses, opened } = await setUp([film('A', 5 * MB, { archive })]);
    const [url] = await addresses();
    const { status, headers } = await get(await opened(url!));
    expect([status, headers['content-type']]).toEqual([500, 'application/json; charset=utf-8']);
    expect(await opened(url!)).toBe('/static/download_failed.mp4');
  });

  test('leads to another release of the list, where failover is configured', async () => {
    const posts = [film('DEAD', 9 * MB, { health: 'dead' }), film('B', 4 * MB)];
    const { addresses, opened } = await setUp(posts, { failover: true });
    const [url] = await addresses();
    const { headers } = await ranged(await opened(url!), '0-9');
    expect(headers['content-range']).toBe('bytes 0-9/4000000');
    expect(headers['content-disposition']).toBe('inline; filename="B.mkv"');
  });

  test.each([
    ['the episode is not in the pack', 'no_matching_file', (posts: DirectPost[]) => posts],
    ['the NZB takes too long', 'downloading', wrong({ delay: 60_000 })],
    ['the NZB is none', '500', wrong({ nzb: 'no-xml' })],
    ['the first article is lost', 'download_failed', wrong({ lost: [0] })],
  ])('ends in a clip where %s', async (_case, clip, broken) => {
    const { service, list, opened } = await setUp([], { patience: 20 });
    const of = { ...BIG_BUCK_BUNNY, kind: 'show', imdb: 'tt7' } as const;
    const videos = [1, 2].map((n) => video(`Show.S01E0${n}.mkv`, n * 4 * MB));
    service.posts.push(...broken([new DirectPost(post('Show.S01', { of, season: 1, videos }))]));
    const [row] = await list('series/tt7:1:3');
    expect(await opened(row!.url)).toBe(`/static/${clip}.mp4`);
    expect((await ranged(`${service.url}/static/${clip}.mp4`, '15769600-')).status).toBe(500);
  });

  test('keeps play addresses over a restart, which does not keep it long', async () => {
    const { service, addresses, opened } = await setUp([film('A', 5 * MB)]);
    const [url] = await addresses();
    await service.restart();
    const bytes = await opened(url!);
    expect((await ranged(bytes, '0-9')).status).toBe(206);
    service.after(2 * MB, () => service.restart());
    expect((await get(bytes)).isWhole).toBe(false);
    expect((await get(bytes)).isWhole).toBe(true);
  });

  test('begins each address with the origin that it believes to be called by', async () => {
    const { service, addresses } = await setUp([film('A', 5 * MB)], { baseUrl: 'http://localhost:3000' });
    const [url] = await addresses();
    expect(url).toMatch(/^http:\/\/localhost:3000\/api\//);
    const { headers } = await get(url!.replace('http://localhost:3000', service.url));
    expect(headers.location).toMatch(/^http:\/\/localhost:3000\/api\//);
  });

  test('answers 304 for its ETag, and 206 without a length for a range that ends before it begins', async () => {
    const { addresses, opened } = await setUp([film('A', 5 * MB)]);
    const bytes = await opened((await addresses())[0]!);
    const { etag } = (await ranged(bytes, '0-9')).headers;
    expect((await get(bytes, { 'if-none-match': etag! })).status).toBe(304);
    const { status, headers } = await ranged(bytes, '5-2');
    expect([status, headers['content-length']]).toEqual([206, undefined]);
  });

  test('limits searches with 429 and lists with a row, by the time that has passed', async () => {
    const { service, list } = await setUp([film('A', 5 * MB)]);
    const search = () => get(`${service.url}/api/v1/search?type=movie&id=tt1254207`);
    for (let n = 0; n < 5; n++) expect((await search()).status).toBe(401);
    expect(await search()).toMatchObject({ status: 429, headers: { 'retry-after': '10' } });
    for (let n = 0; n < 11; n++) await list();
    expect(await list()).toMatchObject([{ name: '[❌] AIOStreams' }]);
    service.advance(15_000);
    expect((await search()).status).toBe(401);
    expect(await list()).toMatchObject([{ name: '[AIO⚡] Sandbox Unknown' }]);
  });
});

function wrong(how: Partial<Pick<DirectPost, 'delay' | 'nzb' | 'lost'>>) {
  return (posts: DirectPost[]) => posts.map((each) => Object.assign(each, how));
}
