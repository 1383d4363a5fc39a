import { type ErrorCode, SlipstreamError } from '../errors/index.ts';
import type { MediaRequest } from '../model/index.ts';
import type { Rest } from './rest.ts';
import { type Earlier, isSettled, type SearchState, type SourceStatus } from './state.ts';

/** What a person is told about a search. Failures are told in full only where they matter. */

/**
 * One line for the list: who still answers, how old it is, who failed and why. Empty when all have answered just now.
 * "3 of 10 sources still answer · Example: wrong key · Other: no answer in time", "found 3 min ago"
 */
export function statusLine({ sources, finished, earlier }: SearchState, now = Date.now()): string {
  const waiting = finished ? 0 : sources.filter((source) => !isSettled(source)).length;
  const progress =
    waiting === 0
      ? []
      : [
          `${waiting} of ${sources.length} ${plural(sources.length)} still ${waiting === 1 ? 'answers' : 'answer'}`,
        ];
  const age = earlier === undefined ? [] : earlierWords(earlier, now);
  return [...progress, ...age, ...sources.flatMap((source) => troubles(source, now))].join(' · ');
}

function earlierWords({ searched, lost }: Earlier, now: number): string[] {
  const minutes = Math.floor((now - searched) / 60_000);
  const age = minutes < 1 ? 'found less than a minute ago' : `found ${minutes} min ago`;
  return lost === 0 ? [age] : [age, `${lost} ${lost === 1 ? 'link' : 'links'} of it not kept`];
}

const plural = (count: number) => (count === 1 ? 'source' : 'sources');

/** A name is repeated rarely: of many indexers behind one manager that failed alike, the first few are enough. */
const MOST_PARTIAL = 3;

function troubles({ name, state, failure, rest, partial }: SourceStatus, now: number): string[] {
  if (state === 'resting' && rest !== undefined) return [`${name}: ${restWords(rest, now)}`];
  const own = failure === undefined ? [] : [`${name}: ${REASONS[failure.code] ?? 'failed'}`];
  const behind = [...new Set(partial.map(({ explanation }) => explanation.what.replace(/\.$/, '')))];
  return [...own, ...behind.slice(0, MOST_PARTIAL)];
}

const REASONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  AUTH_FAILED: 'wrong key',
  RATE_LIMITED: 'its limit is reached',
  TIMEOUT: 'no answer in time',
  UNREACHABLE: 'cannot be reached',
  BAD_ANSWER: 'an answer that makes no sense',
  TOO_LARGE: 'too large an answer',
  SERVICE_ERROR: 'an error of its own',
};

function restWords({ until, reason }: Rest, now: number): string {
  const minutes = Math.max(1, Math.ceil((until - now) / 60_000));
  const time = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  return reason === 'limit'
    ? `its limit is reached, rests for ${time}`
    : `failed repeatedly, rests for ${time}`;
}

/**
 * What stands between the person and a list: the search found nothing that fits. Undefined when there is a list.
 * A lone source's failure, or that of all, is told as it is.
 */
export function failureOf(
  state: SearchState,
  request: MediaRequest,
  now = Date.now(),
): SlipstreamError | undefined {
  const { releases, setAside, sources } = state;
  if (releases.length > 0) return undefined;
  const failures = sources.map(({ failure }) => failure).filter((failure) => failure !== undefined);
  const worst = failures.find(({ code }) => code === 'AUTH_FAILED') ?? failures[0];
  if (worst !== undefined && failures.length === sources.length) return worst;
  const title = labelOf(request);
  const what =
    setAside.length === 0
      ? `Nothing was found for ${title}.`
      : `Of ${setAside.length} found, no release is ${title}.`;
  return new SlipstreamError('NO_RESULTS', { what, next: nextStep(state, worst, now) }, { cause: worst });
}

function nextStep(state: SearchState, worst: SlipstreamError | undefined, now: number): string {
  if (worst !== undefined) return `${worst.explanation.what} ${worst.explanation.next}`;
  const line = statusLine(state, now);
  return line === '' ? 'Try again later, or with another indexer.' : `Try again later. ${line}.`;
}

/** A source whose credentials were refused: it will not get better by itself, also when others have found something. */
export function refusedSource({
  sources,
}: SearchState): { source: SourceStatus; failure: SlipstreamError } | undefined {
  for (const source of sources) {
    if (source.failure?.code === 'AUTH_FAILED') return { source, failure: source.failure };
  }
  return undefined;
}

function labelOf({ title, year, episode }: MediaRequest): string {
  if (episode === undefined) return year === undefined ? title : `${title} (${year})`;
  const two = (n: number) => String(n).padStart(2, '0');
  return `${title} S${two(episode.season)}E${two(episode.episode)}`;
}
