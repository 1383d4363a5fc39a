import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DirectPost } from '../../sandbox/direct-stream/post.ts';
import { type StreamNzbOptions, startStreamNzb } from '../../sandbox/direct-stream/streamnzb/index.ts';
import { BIG_BUCK_BUNNY, type CatalogueRelease, mkvClip } from '../../sandbox/index.ts';
import { post, video } from './replay/lab.ts';
import { get, ranged } from './support/get.ts';

// What of StreamNZB (protocols.md §8.11) takes time, or happens while it streams.

const MB = 1_000_000;
const ARTICLE = 716_800;
const LIST = 'stream/movie/tt1254207.json';

const film = (name: string, size: number, more: Partial<CatalogueRelease> = {}) =>
  new DirectPost(
    post(name, { of: BIG_BUCK_BUNNY, size: size + MB, videos: [video(`${name}.mkv`, size)], ...more }),
  );

async function setUp(posts: readonly DirectPost[], options: StreamNzbOptions = {}) {
  const service = await startStreamNzb({ posts, ...options });
  onTestFinished(() => service.close());
  const list = async () => {
    const { bytes } = await get(`${service.addon()}/${LIST}`);
    const { streams } = JSON.parse(bytes.toString()) as { streams: { url: string; description: string }[] };
    return streams.map(({ url, description }) => ({ url, name: description.split('\n')[1]! }));
  };
  return { service, list, place: (n: number) => `${service.addon()}/play/stream:own:movie:tt1254207:${n}` };
}

/** A stream without failover. */
const ALONE: StreamNzbOptions = {
  streams: [{ name: 'own', token: 'own-token-1', failover: false, results: 'display_all' }],
};

const bytesOf = (name: string, size: number) =>
  mkvClip({ name: `${name}.mkv`, seconds: 60, size, filled: false });
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the sandbox as StreamNZB', () => {
  test('gives the film itself, byte for byte, at a place of its list', async () => {
    const { list } = await setUp([film('A', 5 * MB)]);
    const [row] = await list();
    const { bytes, headers } = await get(row!.url);
    expect(hash(bytes)).toBe(hash(bytesOf('A', 5 * MB).read(0, 5 * MB)));
    expect(headers.etag).toBeUndefined();
  });

  test('knows no place until a list was asked for, and none after half an hour', async () => {
    const { service, list, place } = await setUp([film('A', 5 * MB)]);
    expect((await get(place(0))).status).toBe(404);
    await list();
    expect((await ranged(place(0), '0-9')).status).toBe(206);
    service.advance(31 * 60_000);
    expect((await ranged(place(0), '0-9')).status).toBe(404);
  });

  test('repeats an empty list for ten minutes, also when what failed is back', async () => {
    const { service, list } = await setUp([film('A', 5 * MB)], { indexer: 'away' });
    expect(await list()).toEqual([]);
    service.settings.indexer = 'there';
    service.advance(9 * 60_000);
    expect(await list()).toEqual([]);
    service.advance(2 * 60_000);
    expect(await list()).toHaveLength(1);
  });

  test('breaks off behind zeros when its provider goes away while it streams, and has the rest when it is back', async () => {
    const { service, list, place } = await setUp([film('A', 8 * MB)], ALONE);
    await list();
    service.after(3 * MB, () => {
      service.settings.provider = 'away';
    });
    // The article that it was in the middle of had come.
    const came = 5 * ARTICLE;
    const { bytes, isWhole } = await ranged(place(0), '0-');
    expect(isWhole).toBe(false);
    expect(bytes.length).toBe(came + 163_840);
    expect(bytes.subarray(came).every((byte) => byte === 0)).toBe(true);
    expect(hash(bytes.subarray(0, came))).toBe(hash(bytesOf('A', 8 * MB).read(0, came)));
    const behind = await ranged(place(0), `${came}-`);
    expect([behind.status, behind.bytes.length, behind.isWhole]).toEqual([206, 0, false]);
    service.settings.provider = 'there';
    const rest = await ranged(place(0), `${came}-`);
    expect([rest.status, rest.bytes.length, rest.isWhole]).toEqual([206, 8 * MB - came, true]);
  });

  test('keeps the articles that were read last, and gives them while its provider is away', async () => {
    const { service, list, place } = await setUp([film('A', 8 * MB)], { ...ALONE, cache: 2 * ARTICLE });
    await list();
    await ranged(place(0), `0-${3 * ARTICLE - 1}`);
    service.settings.provider = 'away';
    const kept = await ranged(place(0), `${ARTICLE}-${3 * ARTICLE - 1}`);
    expect(hash(kept.bytes)).toBe(hash(bytesOf('A', 8 * MB).read(ARTICLE, 3 * ARTICLE)));
    const dropped = await ranged(place(0), '0-9');
    expect([dropped.status, dropped.bytes.length, dropped.isWhole]).toEqual([206, 0, false]);
  });

  test('leads on from a failed release for half an hour, then tries it again', async () => {
    const { service, list, place } = await setUp([
      film('DEAD', 5 * MB, { health: 'dead' }),
      film('B', 4 * MB),
    ]);
    await list();
    const other = await ranged(place(0), '0-9');
    expect([other.status, other.bytes.length]).toEqual([200, 4 * MB]);
    expect((await ranged(place(0), '0-9')).headers.location).toBe(place(1));
    service.advance(29 * 60_000);
    await ranged(place(1), '0-9');
    await list();
    expect((await ranged(place(0), '0-9')).status).toBe(302);
    service.advance(2 * 60_000);
    expect((await ranged(place(0), '0-9')).status).toBe(200);
  });

  test('shows its clip where no release can be opened', async () => {
    const { list, place } = await setUp([film('DEAD', 5 * MB, { health: 'dead' })]);
    await list();
    const { status, headers } = await get(place(0));
    expect([status, headers.location]).toEqual([307, expect.stringMatching(/\/error\/failure\.mp4$/)]);
  });

  test('opens a release for a HEAD as for a GET, once', async () => {
    const { service, list, place } = await setUp([film('A', 5 * MB)]);
    await list();
    await get(place(0), {}, 'HEAD');
    await ranged(place(0), '0-9');
    expect(service.openings).toMatchObject([{ method: 'HEAD', release: 'A' }]);
  });

  test('names the inner file in raw UTF-8', async () => {
    const { list, place } = await setUp([film('Größe', 5 * MB)]);
    await list();
    const { headers } = await ranged(place(0), '0-9');
    const told = Buffer.from(headers['content-disposition']!, 'latin1').toString('utf8');
    expect(told).toBe('inline; filename="Größe.mkv"');
  });

  test('gives up an opening at its limit, and says so in its attempts', async () => {
    const { service, list, place } = await setUp([film('A', 5 * MB)], { ...ALONE, startupTimeout: 30 });
    service.posts[0]!.delay = 60_000;
    await list();
    expect((await get(place(0))).status).toBe(307);
    expect(service.attempts[0]?.failure_reason).toMatch(/^playback startup timeout during probe/);
  });

  test('breaks each play off without an answer where it had no provider when it started', async () => {
    const { service, list, place } = await setUp([film('A', 5 * MB)], { provider: 'away' });
    service.settings.provider = 'there';
    await list();
    await expect(get(place(0))).rejects.toThrow('socket hang up');
    await service.restart();
    await list();
    expect((await ranged(place(0), '0-9')).status).toBe(206);
  });

  test('can be restarted in the middle of a stream, and then knows the place no more', async () => {
    const { service, list, place } = await setUp([film('A', 8 * MB)]);
    await list();
    service.after(2 * MB, () => service.restart());
    const { isWhole, bytes } = await get(place(0));
    expect(isWhole).toBe(false);
    expect(bytes.length).toBeLessThanOrEqual(2 * MB);
    expect((await get(place(0))).status).toBe(404);
  });

  test('gives the asked episode of a pack, and fails where the pack lacks it', async () => {
    const { service } = await setUp([], ALONE);
    const videos = [1, 2].map((n) => video(`Show.S01E0${n}.mkv`, n * 4 * MB));
    const of = { ...BIG_BUCK_BUNNY, kind: 'show', imdb: 'tt7' } as const;
    service.posts.push(new DirectPost(post('Show.S01', { of, season: 1, videos })));
    const play = async (episode: number) => {
      await get(`${service.addon()}/stream/series/tt7:1:${episode}.json`);
      return await ranged(`${service.addon()}/play/stream:own:series:tt7:1:${episode}:0`, '0-9');
    };
    expect((await play(2)).headers['content-range']).toBe('bytes 0-9/8000000');
    expect((await play(3)).status).toBe(307);
  });
});
