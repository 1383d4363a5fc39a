import { asSlipstreamError, SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { fitsRequest } from './match.ts';
import type { SearchSource } from './source.ts';

export interface SearchOptions {
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface SearchResult {
  /** Only what fits the request, in the order of the sources. Never empty. */
  readonly releases: Release[];
  /** Sources that failed while others answered. */
  readonly failures: SlipstreamError[];
}

/**
 * Asks all sources at once and keeps what fits the request.
 *
 * @throws SlipstreamError the first source's failure when every source failed; NO_RESULTS when nothing fits;
 *   the signal's reason when it aborts.
 */
export async function search(
  request: MediaRequest,
  sources: readonly SearchSource[],
  { signal, log }: SearchOptions,
): Promise<SearchResult> {
  const answers = await Promise.allSettled(sources.map((source) => source.search(request, signal)));
  signal.throwIfAborted();
  const failures = answers.filter((answer) => answer.status === 'rejected').map(failureOf);
  for (const failure of failures) log.warning(failure.message);
  const [firstFailure] = failures;
  if (firstFailure !== undefined && failures.length === sources.length) throw firstFailure;
  const found = withoutDuplicates(answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])));
  const releases = found.filter((release) => fitsRequest(release, request));
  log.info(`search: ${found.length} releases, ${releases.length} fit the request`);
  if (releases.length === 0) throw nothingFits(request, found.length, firstFailure);
  return { releases, failures };
}

const failureOf = ({ reason }: PromiseRejectedResult) => asSlipstreamError(reason);

/** The same post twice: the same NZB address, or the same id at the same indexer. The first one stays. */
function withoutDuplicates(releases: readonly Release[]): Release[] {
  const seen = new Set<string>();
  return releases.filter(({ nzbUrl, indexer, guid }) => {
    const post = `${indexer}\n${guid}`;
    if (seen.has(nzbUrl) || seen.has(post)) return false;
    seen.add(nzbUrl).add(post);
    return true;
  });
}

function nothingFits(request: MediaRequest, found: number, failure?: SlipstreamError): SlipstreamError {
  const title = labelOf(request);
  const what = found === 0 ? `Nothing was found for ${title}.` : `Of ${found} found, no release is ${title}.`;
  const next =
    failure === undefined
      ? 'Try again later, or with another indexer.'
      : `${failure.explanation.what} ${failure.explanation.next}`;
  return new SlipstreamError('NO_RESULTS', { what, next }, { cause: failure });
}

function labelOf({ title, year, episode }: MediaRequest): string {
  if (episode === undefined) return year === undefined ? title : `${title} (${year})`;
  const two = (n: number) => String(n).padStart(2, '0');
  return `${title} S${two(episode.season)}E${two(episode.episode)}`;
}
