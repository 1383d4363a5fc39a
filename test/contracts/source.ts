import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startStremio } from '../../sandbox/direct-stream/stremio.ts';
import { CAMINANDES, CATALOGUE, SINTEL, type TransportFault } from '../../sandbox/index.ts';
import { type IndexerDialect, type IndexerSandbox, startIndexer } from '../../sandbox/indexer/start.ts';
import type { Check } from '../../src/diagnosis/check.ts';
import { CancelledError, type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import type { Logger } from '../../src/log/index.ts';
import type { Posting } from '../../src/model/index.ts';
import type {
  SearchAnswer,
  SearchQuery,
  SearchSource,
  TestableSource,
} from '../../src/search/sources/source.ts';
import { closedPort } from '../support/http-server.ts';
import { memoryLog } from '../support/log.ts';

export interface SourceHarness {
  /** Which service of the sandbox it speaks to. */
  readonly dialect: IndexerDialect | 'stremio';
  /** It is asked by IMDb ids of films and episodes alone, and lists names and sizes of what plays by itself. */
  readonly onlyPlays?: true;
  /** Its manager lists it anew for each search, with all that it can be asked by. */
  readonly listedAnew?: true;
  /** Starts its service with the whole catalogue in it; absent: of the dialect. */
  readonly start?: (apiKey: string) => Promise<IndexerService>;
  readonly make: (options: SourceOptions, log: Logger) => SearchSource & TestableSource;
}

interface SourceOptions {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
  readonly timeout: number;
  readonly cacheFolder: string;
}

export type IndexerService = Pick<IndexerSandbox, 'url' | 'requests' | 'faults' | 'limitBody' | 'close'>;

const KEY = 'contract-key-71d0b2';
const never = () => new AbortController().signal;

const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: SINTEL.imdb } };
const EPISODE: SearchQuery = {
  kind: 'series',
  area: 'series',
  id: { kind: 'tvdb', value: CAMINANDES.tvdb ?? '' },
  season: 1,
  episode: 2,
};
const TEXT: SearchQuery = { kind: 'text', area: 'movies', text: 'tears of steel' };

const namesIn = (test: (name: string) => boolean) => CATALOGUE.map(({ name }) => name).filter(test);
const listed = (answer: SearchAnswer | 'unsupported'): readonly Posting[] =>
  answer === 'unsupported' ? [] : answer.postings;
const names = (answer: SearchAnswer | 'unsupported') => listed(answer).map(({ name }) => name);

/** What every SearchSource keeps to. */
export function sourceContract(name: string, harness: SourceHarness): void {
  const { dialect, onlyPlays, listedAnew, make } = harness;
  // What only sources of NZBs promise is no test of any other: with CI=true nothing may be skipped.
  const ofNzbs = onlyPlays ? () => undefined : it;
  const start = (): Promise<IndexerService> => {
    if (harness.start !== undefined) return harness.start(KEY);
    return dialect === 'stremio' ? startStremio({ apiKey: KEY }) : startIndexer(dialect, { apiKey: KEY });
  };
  const episodeQuery: SearchQuery = onlyPlays
    ? { ...EPISODE, id: { kind: 'imdb', value: CAMINANDES.imdb } }
    : EPISODE;

  describe(`${name} as a search source`, () => {
    const setUp = async ({ timeout = 10_000, url }: { timeout?: number; url?: string } = {}) => {
      const cacheFolder = await mkdtemp(join(tmpdir(), 'source-'));
      onTestFinished(() => rm(cacheFolder, { recursive: true }));
      const service = await start();
      onTestFinished(() => service.close());
      const log = memoryLog();
      const options = {
        id: 'source-1',
        name: 'Example',
        url: url ?? service.url,
        apiKey: KEY,
        timeout,
        cacheFolder,
      };
      return { source: make(options, log), again: () => make(options, log), service, log, cacheFolder };
    };

    it('carries the id and the name that it was given', async () => {
      const { source } = await setUp();
      expect([source.id, source.name]).toEqual(['source-1', 'Example']);
    });

    it('says what it can be asked by, and remembers it for the next process', async () => {
      const { source, again, service } = await setUp();
      const abilities = await source.capabilities(never());
      const byText = onlyPlays !== true;
      expect(abilities).toMatchObject({ episodeNumbers: true, movieText: byText, seriesText: byText });
      expect(abilities.movieIds).toContain('imdb');
      expect(abilities.seriesIds).toContain(episodeQuery.id?.kind);
      const requests = service.requests.length;
      expect(await source.capabilities(never())).toEqual(abilities);
      if (!listedAnew) expect(await again().capabilities(never())).toEqual(abilities);
      expect(service.requests).toHaveLength(requests);
    });

    it('lists a film by its id, with all that is known of each post', async () => {
      const { source } = await setUp();
      const answer = await source.ask(FILM, never());
      const wanted = CATALOGUE.filter(({ of }) => of === SINTEL);
      expect(answer).toMatchObject({ failures: [], ignoredId: false });
      expect(names(answer).toSorted()).toEqual(wanted.map(({ name }) => name).toSorted());
      for (const posting of listed(answer)) {
        const { size, grabs, guid } = wanted.find(({ name }) => name === posting.name)!;
        expect(posting).toMatchObject({ size, claims: { imdb: SINTEL.imdb } });
        expect(posting.link.source).toBe('source-1');
        expect(posting.link.plays).toBe(onlyPlays);
        if (!onlyPlays) {
          expect(posting.grabs).toBe(grabs);
          expect(posting.posted).toBeGreaterThan(Date.UTC(2025, 0, 1));
          // NZBHydra2 puts an id of its own in the place of the indexer's.
          if (dialect !== 'hydra') expect(posting.link.guid).toBe(guid);
        }
        expect(posting.link.indexer).not.toBe('');
        expect(`${posting.link.guid}${posting.link.indexer}`).not.toContain(KEY);
      }
    });

    ofNzbs('gives links at which the NZB is', async () => {
      const { source } = await setUp();
      for (const { link, name } of listed(await source.ask(FILM, never()))) {
        const nzb = await (await fetch(link.url)).text();
        expect(nzb).toContain(`<meta type="name">${name}</meta>`);
      }
    });

    it('knows a post again in the next search', async () => {
      const { source } = await setUp();
      const posts = async () =>
        listed(await source.ask(FILM, never())).map(({ link }) => `${link.indexer} ${link.guid}`);
      expect(await posts()).toEqual(await posts());
    });

    it('lists an episode by its numbers, and a whole season without an episode', async () => {
      const { source } = await setUp();
      expect(names(await source.ask(episodeQuery, never())).toSorted()).toEqual(
        namesIn((each) => each.includes('S01E02')).toSorted(),
      );
      const { episode: _episode, ...season } = episodeQuery;
      if (onlyPlays) {
        expect(await source.ask(season, never())).toBe('unsupported');
        return;
      }
      expect(names(await source.ask(season, never())).toSorted()).toEqual(
        namesIn((each) => each.startsWith('Caminandes')).toSorted(),
      );
    });

    ofNzbs('lists by text: of any kind, of a film, of a series with numbers', async () => {
      const { source } = await setUp();
      const tears = namesIn((each) => each.startsWith('Tears')).toSorted();
      expect(names(await source.ask(TEXT, never())).toSorted()).toEqual(tears);
      expect(names(await source.ask({ ...TEXT, kind: 'movie' }, never())).toSorted()).toEqual(tears);
      const { id: _id, ...episode } = EPISODE;
      expect(names(await source.ask({ ...episode, text: 'caminandes' }, never()))).toHaveLength(2);
    });

    it('gives an empty list when its service has nothing', async () => {
      const { source, service } = await setUp();
      service.faults.search = 'empty';
      for (const query of [FILM, episodeQuery, TEXT])
        expect(await source.ask(query, never())).toEqual({ postings: [], failures: [], ignoredId: false });
    });

    it.each<[string, SearchQuery]>([
      ['an id that it does not take', { ...FILM, id: { kind: 'tvmaze', value: '1' } }],
      ['an id that is none', { ...FILM, id: { kind: 'imdb', value: 'tt' } }],
      ['nothing to ask by', { kind: 'movie', area: 'movies' }],
    ])('spends no query on %s', async (_case, query) => {
      const { source, service } = await setUp();
      await source.capabilities(never());
      const requests = service.requests.length;
      expect(await source.ask(query, never())).toBe('unsupported');
      expect(service.requests).toHaveLength(requests);
    });

    ofNzbs('says so when its service knows no kinds, and is still asked by text', async () => {
      const { source, service } = await setUp();
      service.faults.search = 'kindless';
      expect(await source.ask(FILM, never())).toBe('unsupported');
      expect(await source.ask(EPISODE, never())).toBe('unsupported');
      expect(names(await source.ask(TEXT, never()))).toHaveLength(2);
    });

    ofNzbs(
      'tells when its service has ignored the id, and keeps no more of ten thousand rows than it can use',
      async () => {
        const { source, service } = await setUp();
        service.faults.search = 'flood';
        const answer = await source.ask(FILM, never());
        expect(answer).toMatchObject({ ignoredId: true });
        expect(listed(answer).length).toBeLessThanOrEqual(5000);
        expect(await source.ask(TEXT, never())).toMatchObject({ ignoredId: false });
      },
    );

    const limited = (service: IndexerService, retryAfter?: string): TransportFault => ({
      kind: 'status',
      status: 429,
      body: service.limitBody,
      ...(retryAfter !== undefined && { retryAfter }),
    });
    const failures: [string, (service: IndexerService) => TransportFault, ErrorCode][] = [
      ['a wrong key', () => ({ kind: 'wrong-key' }), 'AUTH_FAILED'],
      ['a limit that is reached', (service) => limited(service), 'RATE_LIMITED'],
      ['a bare 429', () => ({ kind: 'status', status: 429 }), 'RATE_LIMITED'],
      ['a bare 401', () => ({ kind: 'status', status: 401 }), 'AUTH_FAILED'],
      [
        'an error of the server',
        () => ({ kind: 'status', status: 500, body: `apikey=${KEY}` }),
        'SERVICE_ERROR',
      ],
      ['a page of Cloudflare', () => ({ kind: 'status', status: 503, body: CLOUDFLARE }), 'SERVICE_ERROR'],
      ['a refusal by Cloudflare', () => ({ kind: 'status', status: 403, body: CLOUDFLARE }), 'SERVICE_ERROR'],
      ['no such path', () => ({ kind: 'status', status: 404, body: 'Not Found' }), 'BAD_ANSWER'],
      ['a login page', () => ({ kind: 'html' }), 'BAD_ANSWER'],
      ['half an answer', () => ({ kind: 'truncated' }), 'BAD_ANSWER'],
      ['an empty body', () => ({ kind: 'body', body: '' }), 'BAD_ANSWER'],
      ['garbage', () => ({ kind: 'body', body: '\u0000\u0001 moo <<<{{{' }), 'BAD_ANSWER'],
      ['another shape', () => ({ kind: 'wrong-shape' }), 'BAD_ANSWER'],
      ['more than anybody should read', () => ({ kind: 'endless' }), 'TOO_LARGE'],
      ['a connection that breaks', () => ({ kind: 'reset' }), 'UNREACHABLE'],
      ['a body that breaks off', () => ({ kind: 'cut', after: 100, how: 'reset' }), 'UNREACHABLE'],
    ];

    it.each(failures)('turns %s into a failure that names it', async (what, fault, code) => {
      const { source, service, log } = await setUp();
      await source.capabilities(never());
      service.faults.wire = [fault(service)];
      const error = await failureOf(source.ask(FILM, never()));
      expect(error.code, what).toBe(code);
      expect(error.explanation.what).toContain(source.name);
      expect(error.explanation.next).not.toBe('');
      if (code === 'AUTH_FAILED') expect(error.explanation.next).toContain('settings');
      expect(`${error.message}${JSON.stringify(error.explanation)}${log.lines.join()}`).not.toContain(KEY);
    });

    it('expands no entities', async () => {
      const { source, service } = await setUp();
      await source.capabilities(never());
      service.faults.wire = [{ kind: 'entity-bomb' }];
      // To those who read RSS it is a feed with no items; to the others it is no answer at all.
      const outcome = await source.ask(FILM, never()).catch((error: unknown) => error);
      if (outcome instanceof SlipstreamError) expect(outcome.code).toBe('BAD_ANSWER');
      else expect(outcome).toEqual({ postings: [], failures: [], ignoredId: false });
    });

    it('searches on when that is over', async () => {
      const { source, service } = await setUp();
      service.faults.wire = [{ kind: 'status', status: 500 }, { kind: 'wrong-key' }, { kind: 'reset' }].map(
        (fault) => ({ ...fault, times: 1 }) as TransportFault,
      );
      for (let n = 0; n < 3; n++) await source.ask(FILM, never()).catch(() => undefined);
      expect(names(await source.ask(FILM, never()))).toHaveLength(3);
    });

    it.each([
      ['seconds', () => '120', 120_000],
      ['a date', () => new Date(Date.now() + 600_000).toUTCString(), 600_000],
      ['more than a day', () => '31536000', 86_400_000],
      ['nonsense', () => 'soon', undefined],
      ['a time that is over', () => new Date(Date.now() - 600_000).toUTCString(), undefined],
    ])('tells how long it is to be left alone: %s', async (_case, retryAfter, rest) => {
      const { source, service } = await setUp();
      await source.capabilities(never());
      service.faults.wire = [limited(service, retryAfter())];
      const error = await failureOf(source.ask(FILM, never()));
      expect(error.transient).toBe(true);
      if (rest === undefined) expect(error.retryAfter).toBeUndefined();
      // A date has whole seconds.
      else expect(Math.abs((error.retryAfter ?? 0) - rest)).toBeLessThan(5_000);
    });

    it('waits for a slow service, and gives a silent one up when the time of a request is over', async () => {
      const { source, service } = await setUp({ timeout: 2_000 });
      await source.capabilities(never());
      service.faults.wire = [{ kind: 'slow', milliseconds: 300 }];
      expect(names(await source.ask(FILM, never()))).toHaveLength(3);
      service.faults.wire = [{ kind: 'hang' }];
      expect(await failureOf(source.ask(FILM, never()))).toMatchObject({ code: 'TIMEOUT', transient: true });
    });

    it('says that nobody is there', async () => {
      const { source } = await setUp({ url: await closedPort() });
      expect(await failureOf(source.ask(FILM, never()))).toMatchObject({ code: 'UNREACHABLE' });
      expect(await failureOf(source.capabilities(never()))).toMatchObject({ code: 'UNREACHABLE' });
    });

    it('says that the key is wrong when it is asked what it can', async () => {
      const { source, service } = await setUp();
      service.faults.wire = [{ kind: 'wrong-key' }];
      expect(await failureOf(source.capabilities(never()))).toMatchObject({ code: 'AUTH_FAILED' });
    });

    it('ends with the reason of its signal, whenever that comes', async () => {
      const { source, service } = await setUp();
      const reason = new CancelledError('person');
      await expect(source.ask(FILM, AbortSignal.abort(reason))).rejects.toBe(reason);
      await expect(source.capabilities(AbortSignal.abort(reason))).rejects.toBe(reason);
      service.faults.wire = [{ kind: 'hang' }];
      for (const call of [
        (signal: AbortSignal) => source.capabilities(signal),
        (signal: AbortSignal) => source.ask(FILM, signal),
      ]) {
        const controller = new AbortController();
        const calling = call(controller.signal);
        controller.abort(reason);
        await expect(calling).rejects.toBe(reason);
      }
      service.faults.wire = [];
      expect(names(await source.ask(FILM, never()))).toHaveLength(3);
    });

    it('refuses an address that is none when it is made', () => {
      const options = { id: 'x', name: 'x', url: 'ftp://x', apiKey: '', timeout: 1, cacheFolder: tmpdir() };
      expect(() => make(options, memoryLog())).toThrow(/INVALID_REQUEST/);
    });

    it('searches all the same when nothing can be remembered', async () => {
      const { service, cacheFolder } = await setUp();
      const options = { id: 'x', name: 'Example', url: service.url, apiKey: KEY, timeout: 5_000 };
      const source = make({ ...options, cacheFolder: join(cacheFolder, 'a\u0000b') }, memoryLog());
      expect(names(await source.ask(FILM, never()))).toHaveLength(3);
    });

    const texts = (checks: readonly Check[]) =>
      checks
        .flatMap(({ what, found, failure }) => [what, found, failure?.message, ...wordsOf(failure)])
        .join('\n');

    it('is tested: all that a search needs works, and what it has said of itself is remembered', async () => {
      const { source, again, service } = await setUp();
      const checks = await source.test(never());
      expect(checks.map(({ failure }) => failure?.message)).toEqual(checks.map(() => undefined));
      expect(checks.length).toBeGreaterThan(1);
      expect(texts(checks)).not.toContain(KEY);
      const requests = service.requests.length;
      await again().capabilities(never());
      if (!listedAnew) expect(service.requests).toHaveLength(requests);
    });

    it('is tested anew, whatever is remembered of it', async () => {
      const { source, service } = await setUp();
      await source.test(never());
      service.faults.wire = [{ kind: 'wrong-key' }];
      expect((await source.test(never())).at(-1)?.failure).toMatchObject({ code: 'AUTH_FAILED' });
    });

    it.each<[string, TransportFault, ErrorCode]>([
      ['a wrong key', { kind: 'wrong-key' }, 'AUTH_FAILED'],
      ['a login page', { kind: 'html' }, 'BAD_ANSWER'],
      ['an error of the server', { kind: 'status', status: 500, body: `apikey=${KEY}` }, 'SERVICE_ERROR'],
      ['a connection that breaks', { kind: 'reset' }, 'UNREACHABLE'],
    ])('ends its test with the first failure: %s', async (_what, fault, code) => {
      const { source, service, log } = await setUp();
      service.faults.wire = [fault];
      const checks = await source.test(never());
      expect(checks.map(({ failure }) => failure?.code).filter(Boolean)).toEqual([code]);
      expect(checks.at(-1)?.failure?.code).toBe(code);
      expect(texts(checks) + log.lines.join()).not.toContain(KEY);
    });

    it('has its test given up at any time', async () => {
      const { source, service } = await setUp();
      const reason = new CancelledError('person');
      await expect(source.test(AbortSignal.abort(reason))).rejects.toBe(reason);
      service.faults.wire = [{ kind: 'hang' }];
      const controller = new AbortController();
      const testing = source.test(controller.signal);
      await vi.waitFor(() => {
        expect(service.requests.length).toBeGreaterThan(0);
      });
      controller.abort(reason);
      await expect(testing).rejects.toBe(reason);
    });

    it('takes the key out of a pasted address, and keeps it out of logs and files', async () => {
      const { service, cacheFolder } = await setUp();
      const log = memoryLog();
      const url = onlyPlays ? `${service.url}/manifest.json` : `${service.url}/api?apikey=${KEY}`;
      const source = make({ id: 'x', name: 'Example', url, apiKey: '', timeout: 5_000, cacheFolder }, log);
      expect(names(await source.ask(FILM, never()))).toHaveLength(3);
      const files = await readdir(cacheFolder);
      const contents = await Promise.all(files.map((file) => readFile(join(cacheFolder, file), 'utf8')));
      if (!listedAnew) expect(files.length).toBeGreaterThan(0);
      expect([...files, ...contents, ...log.lines].join('\n')).not.toContain(KEY);
    });
  });
}

const CLOUDFLARE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Rate limit</body></html>';

const wordsOf = (failure: SlipstreamError | undefined) =>
  failure === undefined ? [] : [failure.explanation.what, failure.explanation.next];

async function failureOf(promise: Promise<unknown>): Promise<SlipstreamError> {
  const error = await promise.then(
    (value) => new Error(`no failure but ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof SlipstreamError)) throw new Error(`not a SlipstreamError: ${String(error)}`);
  return error;
}
