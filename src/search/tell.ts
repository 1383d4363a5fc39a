import { type ErrorCode, SlipstreamError } from '../errors/index.ts';
import type { MediaRequest } from '../model/index.ts';
import { episodeText } from '../release/index.ts';
import type { Rest } from './rest.ts';
import { type Earlier, isSettled, type SearchState, type SourceStatus } from './state.ts';

/** What a person is told about a search. Failures are told in full only where they matter. */

/**
 * One line for the list: who still answers, how old it is, who failed and why. Empty when all have answered just now.
 * "waiting for 3 of 10 sources · Example: wrong key · Other: no answer in time", "found 3 min ago"
 */
export function statusLine({ sources, finished, earlier }: SearchState, now = Date.now()): string {
  const waiting = finished ? [] : sources.filter((source) => !isSettled(source));
  const age = earlier === undefined ? [] : earlierWords(earlier, now);
  const progress = waitingWords(waiting, sources.length);
  return [...progress, ...age, ...sources.flatMap(troubles)].join(' · ');
}

function earlierWords({ searched, lost }: Earlier, now: number): string[] {
  const minutes = Math.floor((now - searched) / MINUTE);
  const age = minutes < 1 ? 'found less than a minute ago' : `found ${minutes} min ago`;
  return lost === 0 ? [age] : [age, `${lost} ${lost === 1 ? 'link' : 'links'} of it not kept`];
}

function waitingWords([first, ...more]: readonly SourceStatus[], all: number): string[] {
  if (first === undefined) return [];
  return [
    more.length === 0 ? `waiting for ${first.name}` : `waiting for ${more.length + 1} of ${all} sources`,
  ];
}

/** A name is repeated rarely: of many indexers behind one manager that failed alike, the first few are enough. */
const MOST_PARTIAL = 3;

function troubles({ name, state, failure, rest, partial }: SourceStatus): string[] {
  if (state === 'resting' && rest !== undefined) return [restWords(name, rest)];
  const behind = [...new Set(partial.map(inWords))];
  return [...(failure === undefined ? [] : [ownTrouble(name, failure)]), ...behind.slice(0, MOST_PARTIAL)];
}

const inWords = ({ explanation }: SlipstreamError) => explanation.what.replace(/\.$/, '');

/** What the person has written wrongly is told as it is: it says more than any name. */
function ownTrouble(name: string, failure: SlipstreamError): string {
  return failure.code === 'NOT_CONFIGURED'
    ? inWords(failure)
    : `${name}: ${REASONS[failure.code] ?? 'failed'}`;
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

/** "Example rests until 20:15 because its limit is used up": by the clock on the wall, for no rest lasts a day. */
function restWords(name: string, { until, reason }: Rest): string {
  const minute = Math.ceil(until / MINUTE) * MINUTE;
  const clock = new Date(minute).toTimeString().slice(0, 'HH:MM'.length);
  const why = reason === 'limit' ? 'its limit is used up' : 'it failed repeatedly';
  return `${name} rests until ${clock} because ${why}`;
}

const MINUTE = 60_000;

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
  const resting = setAside.length === 0 ? restingError(sources, worst) : undefined;
  if (resting !== undefined) return resting;
  const title = labelOf(request);
  const what =
    setAside.length === 0
      ? `Nothing was found for ${title}.`
      : `Of ${setAside.length} found, no release is ${title}.`;
  return new SlipstreamError('NO_RESULTS', { what, next: nextStep(state, worst, now) }, { cause: worst });
}

/** Nobody was asked who could have found something: to say that nothing was found would be untrue. */
function restingError(
  sources: readonly SourceStatus[],
  worst: SlipstreamError | undefined,
): SlipstreamError | undefined {
  const hasAnswered = sources.some(
    ({ state, found }) => (state !== 'resting' && state !== 'failed') || found > 0,
  );
  const rests = sources.flatMap(({ state, name, rest }) =>
    state === 'resting' && rest !== undefined ? [restWords(name, rest)] : [],
  );
  if (hasAnswered || rests.length === 0) return undefined;
  const next =
    worst === undefined
      ? 'Try again then, or add another indexer in the settings.'
      : `${worst.explanation.what} ${worst.explanation.next}`;
  return new SlipstreamError('RATE_LIMITED', { what: `${rests.join('; ')}.`, next }, { cause: worst });
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
  return `${title} ${episodeText(episode)}`;
}
