import { searchSources } from '../../connections/sources.ts';
import { asSlipstreamError, type Explanation } from '../../errors/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import { cachedSearch, openCooldowns, searchFailure } from '../../search/index.ts';
import type { SetupContext } from '../action.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import { whileShowing } from '../asking/while-showing.ts';
import type { Step } from './step.ts';

/** Films that anybody may post and watch: one of them is on nearly every indexer. */
const FILMS: readonly MediaRequest[] = [
  { kind: 'movie', title: 'Big Buck Bunny', year: 2008, ids: { imdb: 'tt1254207', tmdb: '10378' } },
  { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: 'tt1727587', tmdb: '45745' } },
  { kind: 'movie', title: 'Tears of Steel', year: 2012, ids: { imdb: 'tt2285752', tmdb: '133701' } },
];

/** Does a search find anything? Asks only when it does not. */
export const findResult: Step = {
  id: 'result',
  label: 'Whether a search finds something',
  isQuiet: true,
  run: async (run) => {
    const { host, signal } = run.context;
    for (;;) {
      const result = await searchTestFilm(run.context);
      if (result === undefined) return 'back';
      if ('found' in result) {
        run.foundTitle = result.found;
        return 'next';
      }
      const text = `${result.what} ${result.next}`.trim();
      const question = { title: 'No release was found', text, yes: 'Search again', no: 'Go on' };
      const again = await host.questions.confirm(question, signal);
      if (again === undefined) return 'back';
      if (!again) return 'next';
    }
  },
};

/** The film for a test, without a question where there is none. */
export async function findTestFilm(context: SetupContext): Promise<MediaRequest | undefined> {
  const result = await searchTestFilm(context);
  return result !== undefined && 'found' in result ? result.found : undefined;
}

/** @returns undefined when the person cancels */
const searchTestFilm = (context: SetupContext): Promise<Result | undefined> =>
  whileShowing('Searching', context, (progress, cancelled) =>
    findAnyFilm(context, cancelled, async (film, count) => {
      const detail = count === undefined ? undefined : releases(count);
      await progress.update({ stage: `Searching ${film.title}`, ...(detail && { detail }) });
      if (detail !== undefined) progress.printLine?.(`${film.title}: ${detail} found.`);
    }),
  );

const releases = (count: number) => `${count} ${count === 1 ? 'release' : 'releases'}`;

type Result = { readonly found: MediaRequest } | Explanation;

/** The first of the films that something is found for; else why there is none. */
async function findAnyFilm(
  { host, log }: SetupContext,
  signal: AbortSignal,
  onFilm: (film: MediaRequest, count?: number) => Promise<void>,
): Promise<Result> {
  let why: Explanation | undefined;
  try {
    const folder = host.dataFolder;
    const {
      sources,
      secrets,
      timeouts: patience,
    } = await searchSources(await storedSettings(host), folder, log);
    for (const film of FILMS) {
      await onFilm(film);
      const rests = openCooldowns({ folder, log });
      const options: Parameters<typeof cachedSearch>[2] = {
        signal,
        log,
        folder,
        secrets,
        cooldowns: rests,
        timeouts: { perSource: patience },
        cacheAge: 0,
      };
      const search = await cachedSearch(film, sources, options);
      try {
        await search.ready;
        await onFilm(film, search.state.releases.length);
        if (search.state.releases.length > 0) return { found: film };
        why ??= searchFailure(search.state, film)?.explanation;
      } finally {
        await search.close();
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    why = asSlipstreamError(error).explanation;
  }
  return why ?? { what: 'None of the test films was found.', next: 'Another title may be.' };
}
