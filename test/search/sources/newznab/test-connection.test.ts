import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { whenQuery } from '../../../../sandbox/index.ts';
import { startIndexer } from '../../../../sandbox/indexer/start.ts';
import { newznabSource } from '../../../../src/search/sources/newznab/index.ts';
import { memoryLog } from '../../../support/log.ts';
import { newFolder } from '../../folder.ts';
import { errorXml, feed, newznabServer } from './server.ts';

const KEY = 'key-of-the-test-40b1';
const { signal } = new AbortController();

async function testOf(url: string) {
  const cacheFolder = await newFolder();
  const options = { id: 'x', name: 'Example', url, apiKey: KEY, timeout: 5_000, cacheFolder };
  return await newznabSource(options, memoryLog()).test(signal);
}

async function setUp() {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'newznab-test-'));
  onTestFinished(() => rm(cacheFolder, { recursive: true }));
  const service = await startIndexer('newznab', { apiKey: KEY });
  onTestFinished(() => service.close());
  const options = { id: 'x', name: 'Example', url: service.url, apiKey: KEY, timeout: 5_000, cacheFolder };
  return { service, source: newznabSource(options, memoryLog()) };
}

const refusal = (code: number, words: string) => `<error code="${code}" description="${words}"/>`;

describe('the connection test of an indexer', () => {
  test('tells what answers, and that it lists something, in two requests', async () => {
    const { source, service } = await setUp();
    expect(await source.test(signal)).toEqual([
      { what: 'The address of Example', found: 'Sandbox' },
      { what: 'A search with the API key of Example', found: 'lists releases' },
    ]);
    expect(service.requests.map(({ query }) => query['t'])).toEqual(['caps', 'search']);
    expect(service.requests[1]?.query).toMatchObject({ limit: '1', cat: '2000' });
  });

  test('knows a wrong key also where that is needed to say what it can', async () => {
    const { source, service } = await setUp();
    service.faults.wire = [{ kind: 'body', body: refusal(100, 'Incorrect user credentials') }];
    const checks = await source.test(signal);
    expect(checks).toMatchObject([
      { what: 'The address of Example' },
      { setting: 'indexer_api_key', failure: { code: 'AUTH_FAILED' } },
    ]);
    expect(checks[0]?.failure).toBeUndefined();
  });

  test.each([
    ['a limit that is used up', refusal(500, 'Request limit reached'), 'RATE_LIMITED'],
    ['a limit told as a refusal', refusal(100, 'Hits limit reached'), 'RATE_LIMITED'],
    ['an interface that is switched off', refusal(910, 'API disabled'), 'RATE_LIMITED'],
  ])('does not blame the key for %s', async (_what, body, code) => {
    const { source, service } = await setUp();
    service.faults.wire = [{ kind: 'body', body, when: whenQuery('t', 'search') }];
    const last = (await source.test(signal)).at(-1);
    expect([last?.failure?.code, last?.setting]).toEqual([code, undefined]);
  });

  test.each([
    [
      'that the account may not search',
      refusal(102, 'Insufficient privileges'),
      /does not let your account search/,
    ],
    ['an account that has ended, in plain words', 'Your account has expired', /suspended or has expired/],
  ])('tells %s', async (_what, body, words) => {
    const { source, service } = await setUp();
    service.faults.wire = [{ kind: 'body', body, when: whenQuery('t', 'search') }];
    const last = (await source.test(signal)).at(-1);
    expect(last?.setting).toBe('indexer_api_key');
    expect(last?.failure?.explanation.what).toMatch(words);
  });

  test('knows an indexer that takes everything and lists nothing', async () => {
    const { source, service } = await setUp();
    service.faults.search = 'empty';
    const last = (await source.test(signal)).at(-1);
    expect([last?.failure?.code, last?.setting]).toEqual(['NO_RESULTS', undefined]);
  });

  test('asks again without what an indexer does not like, and is content with one that wants words', async () => {
    const { source, service } = await setUp();
    const when = whenQuery('limit', '1');
    service.faults.wire = [{ kind: 'body', body: refusal(201, 'Incorrect parameter (limit)'), when }];
    expect((await source.test(signal)).at(-1)?.found).toBe('lists releases');
    service.faults.wire = [
      { kind: 'body', body: refusal(200, 'Missing parameter (q)'), when: whenQuery('t', 'search') },
    ];
    expect((await source.test(signal)).map(({ failure }) => failure)).toEqual([undefined, undefined]);
  });

  test('remembers nothing of a place that is not the indexer', async () => {
    const { source, service } = await setUp();
    service.faults.wire = [{ kind: 'html' }];
    await source.test(signal);
    service.faults.wire = [];
    const before = service.requests.length;
    await source.capabilities(signal);
    expect(service.requests.length).toBe(before + 1);
  });
});

describe('an indexer whose caps forbid a search by words', () => {
  // As InfiniDysk 1.2.3's own adapter answers; AIOStreams 2.33.2's has more parameters.
  const caps = `<caps><server version="0.1" title="NzbDav Search Profile"/><limits max="100" default="100"/><searching>
    <search available="no" supportedParams=""/><tv-search available="yes" supportedParams="imdbid,season,ep"/>
    <movie-search available="yes" supportedParams="imdbid"/></searching></caps>`;

  test('passes its test, though it lists nothing for one', async () => {
    const server = await newznabServer(({ t }) => (t === 'caps' ? caps : feed([], 0)));
    expect(await testOf(server.url)).toEqual([
      { what: 'The address of Example', found: 'NzbDav Search Profile' },
      { what: 'A search with the API key of Example', found: 'takes the key; is asked by ids only' },
    ]);
  });

  test('does not when it refuses the key', async () => {
    const server = await newznabServer(({ t }) => (t === 'caps' ? caps : errorXml(100)));
    expect((await testOf(server.url)).at(-1)?.failure?.code).toBe('AUTH_FAILED');
  });

  test('is not one whose caps only forget to tell of it', async () => {
    const silent = caps.replace(/<search [^>]*>/, '');
    const server = await newznabServer(({ t }) => (t === 'caps' ? silent : feed([], 0)));
    expect((await testOf(server.url)).at(-1)?.failure?.code).toBe('NO_RESULTS');
  });
});
