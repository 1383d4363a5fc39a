import { describe, expect, it } from 'vitest';
import { CancelledError, type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import type { Logger } from '../../src/log/index.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import type { SearchSource } from '../../src/search/source.ts';
import { memoryLog } from '../support/log.ts';

/** How the service behind the source behaves in one test. */
export type Behaviour =
  /** Lists the posts of POSTS for whatever is asked. */
  | 'posts'
  | 'nothing'
  | 'wrong-key'
  | 'limit-reached'
  | 'own-error'
  | 'login-page'
  | 'truncated'
  | 'endless'
  | 'silent'
  | 'absent';

export interface OpenSource {
  readonly source: SearchSource;
  /** The most requests that the service ever had under way at once. */
  readonly mostAtOnce: () => number;
}

export interface SourceHarness {
  /** A source with the key KEY whose service behaves so; `timeout` in milliseconds for a search. */
  open(behaviour: Behaviour, options: { log: Logger; timeout: number }): Promise<OpenSource>;
}

export const KEY = 'contract-key-71d0b2';

/** Invented posts of open films that every source must be able to list. */
export const POSTS = [
  { name: 'Sintel.2010.1080p.BluRay.x264-INV', guid: 'a1', size: 2_000_000_000 },
  { name: 'Sintel.2010.720p.WEB-DL.H264-INV', guid: 'b2', size: 700_000_000 },
] as const;

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: 'tt1727587' } };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};
const never = () => new AbortController().signal;

/** What every SearchSource keeps to. */
export function sourceContract(name: string, harness: SourceHarness): void {
  describe(`${name} as a search source`, () => {
    const open = (behaviour: Behaviour, timeout = 10_000, log = memoryLog()) =>
      harness.open(behaviour, { log, timeout });

    it('lists what its service has, with all that is known of a post', async () => {
      const { source } = await open('posts');
      const releases = await source.search(FILM, never());
      expect(releases).toHaveLength(POSTS.length);
      for (const [index, post] of POSTS.entries()) {
        const release = releases[index];
        expect(release).toMatchObject({ ...post, indexer: source.name });
        expect(URL.canParse(release?.nzbUrl ?? '')).toBe(true);
        expect(release?.quality.title).toBe('Sintel');
      }
    });

    it('gives an empty list when its service has nothing', async () => {
      const { source } = await open('nothing');
      expect(await source.search(FILM, never())).toEqual([]);
      expect(await source.search(EPISODE, never())).toEqual([]);
    });

    it.each<[Behaviour, ErrorCode]>([
      ['wrong-key', 'AUTH_FAILED'],
      ['limit-reached', 'RATE_LIMITED'],
      ['own-error', 'SERVICE_ERROR'],
      ['login-page', 'BAD_ANSWER'],
      ['truncated', 'BAD_ANSWER'],
      ['endless', 'TOO_LARGE'],
      ['absent', 'UNREACHABLE'],
    ])('turns %s into %s, in words that name it', async (behaviour, code) => {
      const log = memoryLog();
      const { source } = await open(behaviour, 10_000, log);
      const error = await source.search(FILM, never()).catch((reason: unknown) => reason);
      if (!(error instanceof SlipstreamError)) throw new Error(`not a SlipstreamError: ${String(error)}`);
      expect(error.code).toBe(code);
      expect(error.explanation.what).toContain(source.name);
      expect(error.explanation.next).not.toBe('');
      expect(`${error.message}${JSON.stringify(error.explanation)}${log.lines.join()}`).not.toContain(KEY);
    });

    it('gives up when its time is over', async () => {
      const { source } = await open('silent', 200);
      await expect(source.search(FILM, never())).rejects.toMatchObject({ code: 'TIMEOUT' });
    });

    it('ends with the reason of its signal', async () => {
      const { source } = await open('silent');
      const controller = new AbortController();
      const reason = new CancelledError('person');
      const searching = source.search(FILM, controller.signal);
      controller.abort(reason);
      await expect(searching).rejects.toBe(reason);
      await expect(source.search(FILM, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    it('sends one query at a time, however many searches run', async () => {
      const { source, mostAtOnce } = await open('posts');
      await Promise.all([FILM, EPISODE, FILM].map((request) => source.search(request, never())));
      expect(mostAtOnce()).toBe(1);
    });

    it('searches on after a search that failed or was given up', async () => {
      const { source } = await open('posts');
      const reason = new CancelledError('person');
      await expect(source.search(FILM, AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(await source.search(FILM, never())).toHaveLength(POSTS.length);
    });

    it('never logs the key', async () => {
      const log = memoryLog();
      const { source } = await open('posts', 10_000, log);
      await source.search(FILM, never());
      expect(log.lines.join('\n')).not.toContain(KEY);
    });
  });
}
