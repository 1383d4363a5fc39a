import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { fetchNzb } from '../../../src/backends/nzb/fetch.ts';
import { ManagerUnavailable, waitUntilAvailable } from '../../../src/backends/nzb/manager-unavailable.ts';
import type { SlipstreamError } from '../../../src/errors/index.ts';
import type { IndexerManager } from '../../../src/model/index.ts';
import { link, release } from '../../release/candidates.ts';
import { closedPort, serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import {
  answer,
  failure,
  fetching,
  HYDRA,
  NZB,
  PROWLARR,
  type Said,
  TEXT,
  through,
} from './behind-managers.ts';

// The answers are those of Prowlarr 2.3.6 and NZBHydra2 8.9.1, as recorded with invented posts (protocols.md §6.3, §7.4).
const AS_NZB = { 'content-type': 'application/x-nzb;charset=UTF-8' };
const AS_XML = { 'content-type': 'application/xml;charset=UTF-8' };
const RSS = { 'content-type': 'application/rss+xml' };
const JSON_TYPE = { 'content-type': 'application/json' };
const HTML = { 'content-type': 'text/html;charset=UTF-8' };
const document = (code: number, words: string) => `<error code="${code}" description="${words}"/>`;

describe('NZBHydra2’s answer', () => {
  test('429 with four hours means that the indexer failed, in whatever way', async () => {
    const body = 'An error occurred while downloading Sintel from indexer Good1';
    const url = await serve(answer({ status: 429, headers: { ...AS_NZB, 'retry-after': '14400' }, body }));
    const error = await failure(through(HYDRA, url));
    expect(error.code).toBe('SERVICE_ERROR');
    expect(error.explanation.what).toBe('The indexer Good1 could not deliver the NZB.');
    expect(error.retryAfter).toBeUndefined();
  });

  test('429 of the indexer itself, to which it sends on, is the indexer’s limit', async () => {
    const indexer = await serve(answer({ status: 429, headers: { 'retry-after': '86400' } }));
    const url = await serve(answer({ status: 302, headers: { location: `${indexer}/getnzb` } }));
    const error = await failure(through(HYDRA, url));
    expect(error.code).toBe('RATE_LIMITED');
    expect(error.explanation).toEqual({
      what: 'The indexer Good1 allows no more downloads for now.',
      next: 'Try again in 24 hours, or a release of another indexer.',
    });
  });

  test.each<[string, Said, Partial<SlipstreamError>, string, string?]>([
    [
      'an id that it has forgotten proves nothing against the release, but against the search',
      { status: 200, headers: AS_XML, body: document(300, 'Invalid or outdated search result ID') },
      { code: 'NZB_INVALID', broken: false, stale: true },
      'NZBHydra2 no longer knows this release.',
    ],
    [
      'the indexer’s own word that it is gone proves it broken',
      { status: 200, headers: AS_NZB, body: document(300, 'No such item') },
      { code: 'NZB_INVALID', broken: true, stale: false },
      'The indexer Good1 no longer has this release.',
    ],
    [
      'the indexer’s limit, passed on, is a limit',
      { status: 200, headers: AS_NZB, body: document(501, 'Download limit reached') },
      { code: 'RATE_LIMITED' },
      'The indexer Good1 allows no more downloads for now ("Download limit reached").',
    ],
    [
      'the indexer’s wrong key, passed on, is the indexer’s',
      { status: 200, headers: AS_NZB, body: document(100, 'Incorrect user credentials') },
      { code: 'AUTH_FAILED' },
      'The indexer Good1 refused the download ("Incorrect user credentials").',
    ],
    [
      'a web page with 500 means a wrong key of its own, or a wrong link of the indexer',
      { status: 500, headers: HTML, body: '<html><body>Error</body></html>' },
      { code: 'SERVICE_ERROR', broken: false },
      "NZBHydra2 could not deliver the NZB: it refused the API key, or the indexer's link is wrong.",
      'Try another release. If each of them fails like this, check the API key of NZBHydra2 in the settings of Slipstream (Connection).',
    ],
    [
      'its own error 100 means a wrong key of its own',
      { status: 200, headers: AS_XML, body: document(100, 'Wrong api key') },
      { code: 'AUTH_FAILED' },
      'NZBHydra2 refused the API key.',
    ],
    [
      '503 is the indexer’s, passed on',
      { status: 503, headers: AS_NZB, body: 'An error occurred while downloading' },
      { code: 'SERVICE_ERROR' },
      'The indexer Good1 could not deliver the NZB.',
    ],
    [
      '404 is the indexer’s as well, and proves the release broken',
      { status: 404, headers: AS_NZB, body: 'An error occurred while downloading' },
      { code: 'NZB_INVALID', broken: true },
      'The indexer Good1 no longer has this release.',
    ],
  ])('%s', async (_, said, expected, what, next) => {
    const error = await failure(through(HYDRA, await serve(answer(said))));
    expect(error).toMatchObject(expected);
    expect(error.explanation.what).toBe(what);
    if (next !== undefined) expect(error.explanation.next).toBe(next);
    expect(error).not.toBeInstanceOf(ManagerUnavailable);
  });
});

describe('Prowlarr’s answer', () => {
  test.each<[string, Said, Partial<SlipstreamError>, string, string?]>([
    [
      'that its own limit is used up is a limit of that indexer',
      {
        status: 429,
        headers: { ...RSS, 'retry-after': '86399' },
        body: document(429, 'User configurable Indexer Grab Limit of 1 in last 24 hour(s) reached.'),
      },
      { code: 'RATE_LIMITED' },
      'The indexer Good1 allows no more downloads for now ("User configurable Indexer Grab Limit of 1 in last 24 hour(s) reached.").',
      'Try again in 24 hours, or a release of another indexer.',
    ],
    [
      'that the indexer rests is told as that',
      {
        status: 429,
        headers: { ...RSS, 'retry-after': '280' },
        body: document(429, 'Indexer is disabled till 11/22/2026 15:46:35 due to recent failures.'),
      },
      { code: 'RATE_LIMITED' },
      'The indexer Good1 failed before, and Prowlarr lets it rest.',
      'Try again in 5 minutes, or a release of another indexer.',
    ],
    [
      'that the indexer is switched off',
      { status: 410, headers: RSS, body: document(410, 'Indexer is disabled') },
      { code: 'SERVICE_ERROR', broken: false },
      'The indexer Good1 is switched off in Prowlarr.',
    ],
    [
      'that it has no such indexer proves nothing against the release',
      {
        status: 404,
        headers: JSON_TYPE,
        body: '{"message": "IndexerDefinition with ID 3 does not exist"}',
      },
      { code: 'NZB_INVALID', broken: false, stale: true },
      'The indexer Good1 is no longer set up in Prowlarr.',
    ],
    [
      'that the key is wrong blames no indexer',
      { status: 401 },
      { code: 'AUTH_FAILED' },
      'Prowlarr refused the API key.',
    ],
    [
      'that something is wrong with itself blames no indexer',
      { status: 500, headers: JSON_TYPE, body: '{"message": "Failed to normalize provided link"}' },
      { code: 'SERVICE_ERROR' },
      'Prowlarr could not deliver the NZB.',
    ],
  ])('%s', async (_, said, expected, what, next) => {
    const error = await failure(through(PROWLARR, await serve(answer(said))));
    expect(error).toMatchObject(expected);
    expect(error.explanation.what).toBe(what);
    if (next !== undefined) expect(error.explanation.next).toBe(next);
  });

  test('to an address of another base leads to the NZB', async () => {
    const indexer = await serve(answer({ status: 200, body: NZB }));
    const url = await serve((request, response) => {
      const location = request.url?.startsWith('/base/moved') === true ? `${indexer}/getnzb` : '/base/moved';
      response.writeHead(301, { location }).end();
    });
    expect(await fetching(through(PROWLARR, url))).toMatchObject({ fileCount: 1, segmentCount: 2 });
  });
});

describe('a manager that is away', () => {
  test.each([PROWLARR, HYDRA])('is blamed, and no indexer: $who', async (manager) => {
    const error = await failure(through(manager, await closedPort()));
    expect(error).toBeInstanceOf(ManagerUnavailable);
    expect(error.explanation.what).toBe(`${manager.who} cannot be reached (nothing listens there).`);
  });

  test('is Prowlarr while it starts', async () => {
    const body = '{"errorMessage":"Prowlarr is starting up, please try again later"}';
    const error = await failure(
      through(PROWLARR, await serve(answer({ status: 503, headers: JSON_TYPE, body }))),
    );
    expect(error).toBeInstanceOf(ManagerUnavailable);
    expect(error.explanation.what).toBe('Prowlarr is still starting.');
  });

  test.each<[IndexerManager['software'], number, IncomingHttpHeaders, string]>([
    ['NZBHydra2', 404, TEXT, '404 page not found'],
    ['NZBHydra2', 502, HTML, '<html><head><title>502 Bad Gateway</title></head></html>'],
    ['NZBHydra2', 503, TEXT, 'no available server'],
    ['Prowlarr', 404, TEXT, '404 page not found'],
    ['Prowlarr', 502, HTML, '<html><head><title>502 Bad Gateway</title></head></html>'],
    ['Prowlarr', 503, TEXT, 'no available server'],
  ])('behind a reverse proxy that answers in its place blames no indexer: %s, %i', async (...said) => {
    const [software, status, headers, body] = said;
    const manager = { Prowlarr: PROWLARR, NZBHydra2: HYDRA }[software];
    const error = await failure(through(manager, await serve(answer({ status, headers, body }))));
    expect(error).toBeInstanceOf(ManagerUnavailable);
    expect(error).toMatchObject({ broken: false, stale: false });
    expect(error.explanation.what).toBe(
      `${manager.who} cannot be reached (a reverse proxy answers in its place, HTTP ${status}).`,
    );
  });

  test.each([PROWLARR, HYDRA])('is not $who that is slower than its proxy is patient', async (manager) => {
    const error = await failure(through(manager, await serve(answer({ status: 504, headers: HTML }))));
    expect(error).not.toBeInstanceOf(ManagerUnavailable);
    expect(error).toMatchObject({ code: 'SERVICE_ERROR', broken: false, stale: false });
  });

  test('is the same one by https', async () => {
    const secure = (await closedPort()).replace('http:', 'https:');
    const url = await serve((request, response) =>
      response.writeHead(301, { location: `${secure}${request.url}` }).end(),
    );
    const error = await failure(through(HYDRA, url));
    expect(error).toBeInstanceOf(ManagerUnavailable);
    expect(error.explanation.what).toBe('NZBHydra2 cannot be reached (nothing listens there).');
  });

  test('is not one that keeps silent though it was reached', async () => {
    const url = await serve(() => undefined);
    const options = { signal: new AbortController().signal, log: memoryLog(), timeout: 1_000 };
    const error: unknown = await fetchNzb(release({ links: [through(HYDRA, url)] }), options).catch(
      (reason: unknown) => reason,
    );
    expect(error).not.toBeInstanceOf(ManagerUnavailable);
    expect(error).toMatchObject({
      code: 'TIMEOUT',
      explanation: { what: 'NZBHydra2 did not answer within 1 second.' },
    });
  });

  test('gives way to a link that leads not through it', async () => {
    const indexer = await serve(answer({ status: 200, body: NZB }));
    const nzb = await fetching(through(HYDRA, await closedPort()), link({ url: indexer }));
    expect(nzb).toMatchObject({ fileCount: 1 });
  });

  test('is told as what is to be waited for, also where the preferred link failed of something else', async () => {
    const gone = await serve(answer({ status: 404 }));
    expect(await failure(link({ url: gone }), through(HYDRA, await closedPort()))).toBeInstanceOf(
      ManagerUnavailable,
    );
  });

  test('can be asked for nothing, without a key, where it is set up under a path', async () => {
    const away = await closedPort();
    const addressOf = async (manager: IndexerManager) => {
      const error = await failure(through(manager, away));
      return error instanceof ManagerUnavailable ? error.pingAddress : undefined;
    };
    expect(await addressOf(PROWLARR)).toBe(`${away}/base/ping`);
    expect(await addressOf(HYDRA)).toBe(`${away}/base/`);
  });

  test('is back once it no longer says that it is starting', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(asked.length < 3 ? 503 : 200).end();
    });
    const error = await failure(through(PROWLARR, url));
    if (!(error instanceof ManagerUnavailable)) throw new Error('expected it to be away');
    const left: number[] = [];
    const waiting = { signal: new AbortController().signal, onLook: (ms: number) => left.push(ms) };
    expect(await waitUntilAvailable(error, { ...waiting, deadline: 0 })).toBe(false);
    expect(await waitUntilAvailable(error, { ...waiting, deadline: 60_000 })).toBe(true);
    expect(asked.slice(1)).toEqual(['/base/ping', '/base/ping']);
    expect(left[1]).toBeGreaterThan(0);
    expect(left[1]).toBeLessThanOrEqual(60_000);
  });

  test.each([404, 502, 503])('is not back while a reverse proxy answers %i in its place', async (status) => {
    const url = await serve(answer({ status, headers: TEXT }));
    const error = await failure(through(PROWLARR, url));
    if (!(error instanceof ManagerUnavailable)) throw new Error('expected it to be away');
    const waiting = { signal: new AbortController().signal, onLook: () => undefined, deadline: 0 };
    expect(await waitUntilAvailable(error, waiting)).toBe(false);
  });

  test('is waited for no longer than its signal says', async () => {
    const error = await failure(through(HYDRA, await closedPort()));
    if (!(error instanceof ManagerUnavailable)) throw new Error('expected it to be away');
    const controller = new AbortController();
    const reason = new Error('enough');
    const onLook = () => {
      controller.abort(reason);
    };
    const waiting = waitUntilAvailable(error, { signal: controller.signal, deadline: 60_000, onLook });
    await expect(waiting).rejects.toBe(reason);
  });

  test('is waited for, and then only the links through it are asked again', async () => {
    const asked: string[] = [];
    let isThere = false;
    const gone = await serve((request, response) => {
      asked.push(`indexer ${request.url}`);
      response.writeHead(404).end();
    });
    const url = await serve((request, response) => {
      asked.push('manager');
      if (isThere) response.end(NZB);
      else request.socket.destroy();
    });
    const nzb = await fetchNzb(release({ links: [link({ url: `${gone}/1` }), through(HYDRA, url)] }), {
      signal: new AbortController().signal,
      log: memoryLog(),
      waitForManager: (away) => {
        expect(away.manager).toBe(HYDRA);
        isThere = true;
        return Promise.resolve();
      },
    });
    expect(nzb).toMatchObject({ fileCount: 1 });
    expect(asked).toEqual(['indexer /1', 'manager', 'manager']);
  });
});
