import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PickerView } from '../../src/host/port.ts';
import { router } from '../../src/router.ts';
import { ledgerRows, pipeline, SINTEL } from './set-up.ts';

/** The names of the rows that the filters let through. */
const passed = (view: PickerView | undefined) =>
  (view?.rows ?? []).filter(({ rejections }) => rejections.length === 0).map(({ name }) => name);

const CHUNK = 4 * 1024 * 1024;

describe('a film from title to bytes', () => {
  test('is searched, chosen, submitted, found and served as it is at the backend', async () => {
    const { sandbox, host, resolve } = await pipeline();
    expect(await resolve(SINTEL)).toBe(true);
    const [item] = host.resolved;
    const url = item?.stream.url ?? '';
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/stream\/[^/]+\/Sintel\.2010\.1080p.*\.mkv$/);
    expect(item?.stream.mime).toBe('video/x-matroska');
    expect(host.propertyValues.get('svc.stream_url')).toBe(url);
    expect(host.propertyValues.get('svc.active')).toBe('true');

    const [job] = sandbox.jobs();
    const clip = sandbox.clipsOf(job?.name ?? '')[0];
    expect(item?.stream.size).toBe(clip?.size);
    for (const start of [0, 1_000_000_007, (clip?.size ?? 0) - CHUNK]) {
      const answer = await fetch(url, { headers: { range: `bytes=${start}-${start + CHUNK - 1}` } });
      expect(answer.status).toBe(206);
      const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
      expect(digest(new Uint8Array(await answer.arrayBuffer()))).toBe(
        digest(clip!.read(start, start + CHUNK)),
      );
    }
  });

  test('leaves no progress display and no ledger entry behind', async () => {
    const { host, resolve } = await pipeline();
    await resolve(SINTEL);
    expect(host.open()).toBe(0);
    expect(host.notified).toEqual([]);
    expect(await ledgerRows(host)).toEqual([]);
  });

  test('an episode is taken from its own release, not from another one', async () => {
    const { host, resolve } = await pipeline();
    await resolve('?type=episode&showname=Caminandes&season=1&episode=2&tvdb=990001&showyear=2013');
    expect(host.resolved[0]?.stream.url).toMatch(/S01E02/);
    expect(host.resolved[0]?.request?.episode).toMatchObject({ season: 1, episode: 2 });
  });

  test('what is looked up is told beside what the call gave, not in its place', async () => {
    const { host, resolve } = await pipeline();
    const addMetadata: typeof router.addMetadata = (request) =>
      Promise.resolve({ ...request, ids: { ...request.ids, tmdb: '45745' } });
    const stages = { ...router, addMetadata };
    await resolve('?type=movie&title=Sintel&year=2010&imdb=tt1727587', stages);
    expect(host.resolved[0]).toMatchObject({
      request: { ids: { imdb: 'tt1727587', tmdb: '45745' } },
      given: { title: 'Sintel', ids: { imdb: 'tt1727587' } },
    });
    expect(host.resolved[0]?.given?.ids.tmdb).toBeUndefined();
  });

  test('the person chooses from the ranked list: resolution first, then size', async () => {
    const { host, resolve } = await pipeline({
      settings: { auto_select: 'false' },
      choice: (view) => Promise.resolve(view.rows[2]?.id),
    });
    await resolve('?type=movie&title=Big+Buck+Bunny&year=2008&imdb=tt1254207');
    const labels = passed(host.picked[0]);
    expect(labels[0]).toContain('2160p');
    expect(labels.at(-1)).toContain('480p');
    expect(host.resolved[0]?.stream.url).toContain(encodeURIComponent(labels[2] ?? '-'));
  });

  test('filters leave out what the settings forbid', async () => {
    const { host, resolve } = await pipeline({
      settings: { auto_select: 'false', allow_2160p: 'false', max_size_mb: '1000', excluded_words: 'dvdrip' },
    });
    await resolve('?type=movie&title=Big+Buck+Bunny&year=2008&imdb=tt1254207');
    const labels = passed(host.picked[0]).join('\n');
    expect(labels).toContain('720p');
    expect(labels).not.toMatch(/2160p|DVDRip|BluRay\.x264-MEADOW/);
  });

  test('the script path plays through the player and resolves nothing', async () => {
    const { host, script } = await pipeline();
    expect(await script('type=movie', 'title=Sintel', 'year=2010', 'imdb=tt1727587')).toBe(true);
    expect(host.played).toHaveLength(1);
    expect(host.resolved).toEqual([]);
  });

  test('the player never learns where the backend is or what opens it', async () => {
    const { sandbox, host, resolve } = await pipeline();
    await resolve(SINTEL);
    const handed = JSON.stringify(host.resolved) + JSON.stringify([...host.propertyValues]);
    for (const secret of [sandbox.backend.password, sandbox.backend.apiKey, sandbox.indexer.apiKey]) {
      expect(handed).not.toContain(secret);
    }
    expect(handed).not.toContain(sandbox.backend.webdavUrl);
  });
});
