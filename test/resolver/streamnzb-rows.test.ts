import { describe, expect, onTestFinished, test } from 'vitest';
import { DirectPost } from '../../sandbox/direct-stream/post.ts';
import { type StreamNzbOptions, startStreamNzb } from '../../sandbox/direct-stream/streamnzb/index.ts';
import { BIG_BUCK_BUNNY } from '../../sandbox/index.ts';
import { searchSources } from '../../src/connections/sources.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { createRelist } from '../../src/resolver/relist.ts';
import { Unplayable } from '../../src/resolver/unplayable.ts';
import { listAgain } from '../../src/search/index.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { post, video } from '../sandbox/replay/lab.ts';
import { closedPort } from '../support/http-server.ts';
import { memoryLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { playLink } from './play-link.ts';

// Why a play by a row of StreamNZB's own list fails, and what is done about it (protocols.md §8.11), whoever opens it.

const TOKEN = 'canary-streamnzb-rows';
const REQUEST: MediaRequest = {
  kind: 'movie',
  title: 'Big Buck Bunny',
  year: 2008,
  ids: { imdb: BIG_BUCK_BUNNY.imdb },
};
const NAME = 'Big.Buck.Bunny.2008.1080p.WEB.x264-SLOT';
const SIZE = 8e6;
const PLAYS = { stream: { size: SIZE } };
const ATTEMPTS = '/api/nzb-attempts';

async function setUp(wrong: Partial<DirectPost> = {}, more: StreamNzbOptions = {}) {
  const film = new DirectPost(
    post(NAME, { of: BIG_BUCK_BUNNY, size: 9e6, videos: [video(`${NAME}.mkv`, SIZE)] }),
    wrong,
  );
  const service = await startStreamNzb({
    posts: [film],
    streams: [{ name: 'own', token: TOKEN, failover: false, results: 'display_all' }],
    ...more,
  });
  onTestFinished(() => service.close());
  const settings = parseSettings({ stremio_url: `${service.addon()}/manifest.json` });
  const context = { dataFolder: temporaryFolder(), log: memoryLog() };
  const { sources } = await searchSources(settings, context.dataFolder, context.log);
  const [posting] = await listAgain(sources[0]!, REQUEST, new AbortController().signal);
  const { name, size, link } = posting!;
  const relist = createRelist({ settings: () => settings, ...context });
  const of = { name, request: REQUEST, ...(size !== undefined && { size }) };
  const asked = (path: string) => service.requests.filter((request) => request.path === path);
  return { service, film, link, relist, of, asked };
}

function failureIn(outcome: unknown) {
  expect(outcome).toBeInstanceOf(Unplayable);
  return (outcome as Unplayable).failure;
}

describe.each(['proxy', 'player'] as const)('a row that fails, opened by the %s,', (via) => {
  test('is told with the reason that StreamNZB keeps, which is asked for once with its own token', async () => {
    const { link, of, asked, relist } = await setUp({ lost: [0] });
    const { code, explanation } = failureIn((await playLink(link, { ...of, via, relist })).outcome);
    expect(code).toBe('JOB_FAILED');
    expect(explanation.what).toMatch(
      / shows a notice .+\. It says: segment unavailable: first segment not found \(430\)\.$/,
    );
    expect(asked(ATTEMPTS).map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${TOKEN}`]);
    expect(JSON.stringify(explanation)).not.toContain(TOKEN);
  });

  test('is told so where its list names an address that this device does not reach', async () => {
    const { link, of } = await setUp({ lost: [0] }, { baseUrl: await closedPort() });
    expect(link.listedAt).toBeDefined();
    const { explanation } = failureIn((await playLink(link, { ...of, via })).outcome);
    expect(explanation.what).toMatch(/It says: segment unavailable/);
  });

  test('is tried once more where it was late for the limit of a start, by the address that its list names then', async () => {
    const { film, link, of, relist, service } = await setUp({ delay: 60_000 }, { startupTimeout: 30 });
    const relistInTime: typeof relist = (listed, signal) => {
      film.delay = 0;
      return relist(listed, signal);
    };
    const { outcome } = await playLink(link, { ...of, via, relist: relistInTime });
    expect(outcome).toMatchObject(PLAYS);
    expect(service.openings).toHaveLength(2);
  });

  test('is told so where it is late the second time as well', async () => {
    const { link, of, relist, service } = await setUp({ delay: 60_000 }, { startupTimeout: 30 });
    const { explanation } = failureIn((await playLink(link, { ...of, via, relist })).outcome);
    expect(explanation.what).toMatch(/It says: playback startup timeout during probe/);
    expect(service.openings).toHaveLength(2);
  });

  test('is told so where its list cannot be asked by then', async () => {
    const { link, of, service } = await setUp({ delay: 60_000 }, { startupTimeout: 30 });
    const relist = () => Promise.reject(new Error('its indexer is away'));
    const { explanation } = failureIn((await playLink(link, { ...of, via, relist })).outcome);
    expect(explanation.what).toMatch(/It says: playback startup timeout during probe/);
    expect(service.openings).toHaveLength(1);
  });

  test('is told as it is where no reason is to be had', async () => {
    const { link, of, service } = await setUp({ lost: [0] });
    service.faults.api.push({ kind: 'status', status: 500, when: ({ path }) => path === ATTEMPTS });
    const { explanation } = failureIn((await playLink(link, { ...of, via })).outcome);
    expect(explanation.what).toMatch(/ shows a notice instead of the film/);
    expect(explanation.what).not.toContain('It says');
  });

  test('asks no other add-on for a reason', async () => {
    const { link, of, asked } = await setUp({ lost: [0] });
    const { service: _, ...unknown } = link;
    failureIn((await playLink(unknown, { ...of, via })).outcome);
    expect(asked(ATTEMPTS)).toEqual([]);
  });
});

test('a row that has died is found again in its list, by the player as by the proxy', async () => {
  const { link, of, relist, service } = await setUp();
  await service.restart();
  const { outcome } = await playLink(link, { ...of, via: 'player', relist });
  expect(outcome).toMatchObject(PLAYS);
});

test('what StreamNZB notes of every short play is no reason', async () => {
  const { link, of, service } = await setUp();
  expect((await playLink(link, { ...of, via: 'player' })).outcome).toMatchObject(PLAYS);
  expect(service.attempts[0]?.failure_reason).toMatch(/^Playback ended too early/);
  service.faults.webdav.push({ kind: 'html' });
  const { explanation } = failureIn((await playLink(link, { ...of, via: 'player' })).outcome);
  expect(explanation.what).not.toContain('It says');
});
