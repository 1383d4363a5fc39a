import { describe, expect, it } from 'vitest';
import { CancelledError, SlipstreamError } from '../../src/errors/index.ts';
import type { MediaRequest, Release } from '../../src/model/index.ts';
import { search } from '../../src/search/index.ts';
import type { SearchSource } from '../../src/search/source.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};
const never = () => new AbortController().signal;

const source = (name: string, run: SearchSource['search']): SearchSource => ({ name, search: run });
const lists = (...releases: Release[]) => source('lists', () => Promise.resolve(releases));
const failure = (what: string) => new SlipstreamError('UNREACHABLE', { what, next: 'Look.' });
const fails = (what: string) => source('fails', () => Promise.reject(failure(what)));
const run = (sources: SearchSource[], request = FILM, log = memoryLog()) =>
  search(request, sources, { signal: never(), log });

const post = (guid: string, fields: Partial<Release> = {}) =>
  release({ guid, nzbUrl: `http://x/${guid}`, ...fields });

describe('search', () => {
  it('merges all sources in their order', async () => {
    const { releases, failures } = await run([lists(post('a')), lists(post('b'), post('c'))]);
    expect(releases.map(({ guid }) => guid)).toEqual(['a', 'b', 'c']);
    expect(failures).toEqual([]);
  });

  it('lists the same post once', async () => {
    const { releases } = await run([
      lists(post('a'), post('b')),
      lists(post('other', { nzbUrl: 'http://x/a' }), post('b', { nzbUrl: 'http://x/moved' })),
      lists(post('b', { nzbUrl: 'http://x/elsewhere', indexer: 'Another' })),
    ]);
    expect(releases.map(({ nzbUrl }) => nzbUrl)).toEqual(['http://x/a', 'http://x/b', 'http://x/elsewhere']);
  });

  it('asks all sources at once', async () => {
    let waiting = 0;
    let release: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const one = () =>
      source('x', async () => {
        if (++waiting === 2) release();
        await all;
        return [post(`${waiting}`)];
      });
    await expect(run([one(), one()])).resolves.toBeDefined();
  });

  it('keeps only what fits the request', async () => {
    const wrong = post('wrong', { name: 'Spring.2019.1080p' });
    const { releases } = await run([
      lists(post('a'), { ...wrong, quality: { ...wrong.quality, title: 'Spring' } }),
    ]);
    expect(releases.map(({ guid }) => guid)).toEqual(['a']);
  });

  it('goes on without a source that fails, and says which did', async () => {
    const log = memoryLog();
    const { releases, failures } = await run([fails('The first one.'), lists(post('a'))], FILM, log);
    expect(releases).toHaveLength(1);
    expect(failures.map(({ explanation }) => explanation.what)).toEqual(['The first one.']);
    expect(log.lines.join()).toContain('The first one.');
  });

  it('throws the first failure when every source failed', async () => {
    await expect(run([fails('The first one.'), fails('The second one.')])).rejects.toMatchObject({
      code: 'UNREACHABLE',
      explanation: { what: 'The first one.' },
    });
  });

  it('takes a defect of a source for a failure like any other', async () => {
    const broken = source('broken', () => Promise.reject(new TypeError('oops')));
    const { failures } = await run([broken, lists(post('a'))]);
    expect(failures[0]?.code).toBe('INTERNAL');
  });

  it('says that nothing was found, and for what', async () => {
    await expect(run([lists()])).rejects.toMatchObject({
      code: 'NO_RESULTS',
      explanation: { what: 'Nothing was found for Sintel (2010).' },
    });
    await expect(run([lists()], EPISODE)).rejects.toMatchObject({
      explanation: { what: 'Nothing was found for Caminandes S01E02.' },
    });
  });

  it('tells "nothing found" from "nothing that fits", and names the source that was missing', async () => {
    await expect(run([lists(post('a')), fails('The indexer B is away.')], EPISODE)).rejects.toMatchObject({
      code: 'NO_RESULTS',
      explanation: {
        what: 'Of 1 found, no release is Caminandes S01E02.',
        next: 'The indexer B is away. Look.',
      },
    });
  });

  it('ends with the reason of the signal', async () => {
    const reason = new CancelledError('person');
    const controller = new AbortController();
    const waits = source(
      'waits',
      (_request, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
    );
    const searching = search(FILM, [waits], { signal: controller.signal, log: memoryLog() });
    controller.abort(reason);
    await expect(searching).rejects.toBe(reason);
  });
});
