import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startStremio } from '../../../sandbox/direct-stream/stremio.ts';
import { BIG_BUCK_BUNNY, CAMINANDES, mkvClip } from '../../../sandbox/index.ts';
import type { ReceivedFile } from '../../../src/backends/backend.ts';
import { playUrl } from '../../../src/backends/direct-stream/play-url.ts';
import { verifyOpened } from '../../../src/backends/direct-stream/verify-opened.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { Link, Posting, Release } from '../../../src/model/index.ts';
import { loadReleaseNameParser } from '../../../src/release/index.ts';
import type { SearchQuery } from '../../../src/search/sources/source.ts';
import { stremioSource } from '../../../src/search/sources/stremio/index.ts';
import { serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { EPISODE, FILM } from '../labs.ts';
import { QUICK } from './lab.ts';

const TOKEN = 'token-of-the-person-77ab31';
const FILM_QUERY: SearchQuery = {
  kind: 'movie',
  area: 'movies',
  id: { kind: 'imdb', value: BIG_BUCK_BUNNY.imdb },
};
const EPISODE_QUERY: SearchQuery = {
  kind: 'series',
  area: 'series',
  id: { kind: 'imdb', value: CAMINANDES.imdb },
  season: 1,
  episode: 2,
};

async function setUp() {
  const addon = await startStremio({ apiKey: TOKEN });
  onTestFinished(() => addon.close());
  const cacheFolder = await mkdtemp(join(tmpdir(), 'play-'));
  onTestFinished(() => rm(cacheFolder, { recursive: true }));
  const log = memoryLog();
  const options = { id: 's', name: 'Example', url: addon.url, apiKey: '', timeout: 5_000, cacheFolder };
  const source = stremioSource(options, log);
  const find = async (name: string, query = FILM_QUERY) => {
    const answer = await source.ask(query, new AbortController().signal);
    const posting = answer === 'unsupported' ? undefined : answer.postings.find((each) => each.name === name);
    if (posting === undefined) throw new Error(`not listed: ${name}`);
    return await releaseOf(posting);
  };
  return { addon, find, log };
}

async function releaseOf({ link, ...posting }: Posting): Promise<{ release: Release; link: Link }> {
  const parse = await loadReleaseNameParser();
  return { release: { ...posting, links: [link], quality: parse(posting.name) }, link };
}

const play = (
  what: { release: Release; link: Link },
  request = FILM,
  { log = memoryLog(), timeout = 2_000, signal = new AbortController().signal } = {},
) => {
  const asked = { who: 'Example', release: what.release, request, row: what.link };
  const judge = (came: ReceivedFile) =>
    Promise.resolve(came).then((each) => {
      verifyOpened(asked, each);
    });
  return playUrl(what, { signal, timeout, onProgress: () => undefined, log, judge, times: QUICK });
};

const failureOf = (outcome: Promise<unknown>): Promise<SlipstreamError> =>
  outcome.then(
    (value) => Promise.reject(new Error(`no failure: ${JSON.stringify(value)}`)),
    (error: unknown) => (error instanceof SlipstreamError ? error : Promise.reject(error as Error)),
  );

const HD = 'Big.Buck.Bunny.2008.1080p.BluRay.x264-MEADOW';

test('opens what the address leads to, by GET alone, and tells nobody where', async () => {
  const { addon, find, log } = await setUp();
  const file = await play(await find(HD), FILM, { log });
  expect(file).toMatchObject({ via: 'player', name: `${HD}.mkv`, size: 1_100_000_000 });
  expect(file.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\/[\w-]+\/video\?token=4bd1$/);
  const opened = addon.requests.filter(({ path }) => /\/(?:play|files)\//.test(path));
  expect(opened.map(({ method, headers }) => [method, headers['range']])).toEqual([
    ['GET', 'bytes=0-4095'],
    ['GET', 'bytes=0-4095'],
  ]);
  // Nor will anybody who logs it later.
  log.info(`playing ${file.url}`);
  expect(log.lines.join()).not.toContain(TOKEN);
  expect(log.lines.join()).not.toContain('/files/');
});

test.each([503, 502, 425] as const)('waits while it is not ready: %s with Retry-After', async (status) => {
  const { addon, find } = await setUp();
  const found = await find(HD);
  addon.faults.busy = { times: 3, status, retryAfter: '5' };
  expect((await play(found)).size).toBe(1_100_000_000);
  expect(addon.faults.busy.times).toBe(0);
});

describe('an address that blocks', () => {
  /** Longer than anything else may take. */
  const LONG = 2 * Math.max(QUICK.open, QUICK.maxSilence);

  test('is waited for as long as the person allows', async () => {
    const { addon, find } = await setUp();
    const found = await find(HD);
    addon.faults.play = [{ kind: 'slow', milliseconds: LONG, times: 1 }];
    expect((await play(found, FILM, { timeout: 10_000 })).size).toBe(1_100_000_000);
    addon.faults.play = [{ kind: 'slow', milliseconds: LONG }];
    expect((await failureOf(play(found, FILM, { timeout: LONG / 2 }))).code).toBe('JOB_TIMEOUT');
  });

  test.each([
    ['a gateway that waits no longer', (response: ServerResponse) => response.writeHead(504).end()],
    ['a restart', (response: ServerResponse) => response.destroy()],
  ])('is opened again after %s', async (_case, breakOff) => {
    const { find } = await setUp();
    const found = await find(HD);
    const { url } = await play(found);
    let opened = 0;
    const front = await serve((_request, response) => {
      if (++opened < 3) setTimeout(() => breakOff(response), LONG);
      else response.writeHead(302, { location: url }).end();
    });
    const link = { ...found.link, url: `${front}/play` };
    expect((await play({ ...found, link }, FILM, { timeout: 10_000 })).url).toBe(url);
    expect(opened).toBe(3);
  });
});

test('is given up in time, and with its signal, while it is not ready', async () => {
  const { addon, find } = await setUp();
  const found = await find(HD);
  addon.faults.busy = { times: 1e6, status: 503, retryAfter: '1' };
  expect((await failureOf(play(found, FILM, { timeout: 80 }))).code).toBe('JOB_TIMEOUT');
  const controller = new AbortController();
  const playing = play(found, FILM, { signal: controller.signal });
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(playing).rejects.toBe(reason);
  await expect(play(found, FILM, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

describe('is a failure', () => {
  test.each([
    ['a notice in place of the film', 'notice', 'JOB_FAILED'],
    ['a video of two megabytes in place of one of a gigabyte', 'failure-video', 'DAMAGED'],
    ['an address that has expired', 'gone', 'JOB_FAILED'],
  ] as const)('%s', async (_case, stream, code) => {
    const { addon, find } = await setUp();
    const found = await find(HD);
    addon.faults.stream = stream;
    const error = await failureOf(play(found));
    expect(error.code).toBe(code);
    expect(`${error.message}${JSON.stringify(error.explanation)}`).not.toContain(TOKEN);
  });

  test('a video of unknown size beside which the failure is told, in its words', async () => {
    const { addon, find } = await setUp();
    const { release, link } = await find(HD);
    const { size: _unknown, ...unsized } = release;
    addon.faults.stream = 'failure-told';
    const { code, explanation } = await failureOf(play({ release: unsized, link }));
    expect(code).toBe('JOB_FAILED');
    expect(explanation.what).toContain('notice instead of the film');
    expect(explanation.what).toContain('("Article 1@x not found, see (address)")');
  });

  test('what is down, or hangs', async () => {
    const { addon, find } = await setUp();
    const found = await find(HD);
    addon.faults.play = [{ kind: 'status', status: 502 }];
    expect((await failureOf(play(found))).code).toBe('SERVICE_ERROR');
    addon.faults.play = [{ kind: 'hang' }];
    expect((await failureOf(play(found, FILM, { timeout: 600 }))).code).toBe('JOB_TIMEOUT');
    addon.faults.play = [{ kind: 'cut', after: 10, how: 'hang' }];
    expect((await failureOf(play(found))).code).toBe('TIMEOUT');
    await addon.close();
    expect((await failureOf(play(found))).code).toBe('UNREACHABLE');
  });

  test('another episode than was listed, when the file says so', async () => {
    const { find } = await setUp();
    const name = 'Caminandes.S01E02.Gran.Dillama.720p.WEB-DL.x264-ANDES';
    const found = await find(name, EPISODE_QUERY);
    expect((await play(found, EPISODE)).name).toBe(`${name}.mkv`);
    const third = { ...EPISODE, episode: { season: 1, episode: 3 } };
    expect((await failureOf(play(found, third))).code).toBe('NO_VIDEO');
  });
});

describe('headers that a stream asks for', () => {
  const LOGIN = 'Bearer stream-login-2ce1';

  test('go to the proxy, where they open it', async () => {
    const { addon, find, log } = await setUp();
    addon.faults.authorization = LOGIN;
    const found = await find(HD);
    expect(found.link.headers).toEqual({ authorization: LOGIN });
    const file = await play(found, FILM, { log });
    expect(file).toMatchObject({ via: 'proxy', name: `${HD}.mkv`, headers: { authorization: LOGIN } });
    expect(log.lines.join()).not.toContain('stream-login-2ce1');
  });

  test('are of no use where it leads to somebody else, who is opened bare', async () => {
    const { addon, find } = await setUp();
    addon.faults.authorization = LOGIN;
    const found = await find(HD);
    const elsewhere = await play(found);
    const moved = await serve((_request, response) => {
      response.writeHead(302, { location: elsewhere.url }).end();
    });
    const link = { ...found.link, url: `${moved}/play` };
    expect(await play({ ...found, link })).toMatchObject({ via: 'player', url: elsewhere.url });
  });
});

test.each([
  ['Big.Buck.Bunny.2008.1080p.BluRay.x264-MEADOW', 0.69, /DAMAGED/],
  ['Big.Buck.Bunny.2008.1080p.BluRay.x264-MEADOW', 0.71, /^played$/],
  ['Big.Buck.Bunny.2008.COMPLETE.BLURAY-MEADOW', 0.69, /^played$/],
  // A post with par2 files of 60 %, whose video's own size is told beside it.
  ['Big.Buck.Bunny.2008.1080p.BluRay.x264-MEADOW', 0.62, /^played$/, 62_000_000],
  ['Big.Buck.Bunny.2008.1080p.BluRay.x264-MEADOW', 0.43, /DAMAGED/, 62_000_000],
  ['Big.Buck.Bunny.2008.COMPLETE.BLURAY-MEADOW', 0.43, /DAMAGED/, 62_000_000],
] as const)('of %s, %d of the size that the row tells', async (name, share, outcome, videoSize?: number) => {
  const size = 100_000_000;
  const url = await serve((_request, response) => {
    const headers = { 'content-type': 'video/x-matroska', 'content-range': `bytes 0-4095/${size * share}` };
    response.writeHead(206, headers).end(mkvClip({ name: 'f.mkv', seconds: 60, size }).read(0, 4096));
  });
  const link: Link = {
    url,
    guid: 'g',
    indexer: 'Example',
    source: 's',
    plays: true,
    ...(videoSize !== undefined && { videoSize }),
  };
  const told = await play(await releaseOf({ name, link, size })).then(() => 'played', String);
  expect(told).toMatch(outcome);
});
