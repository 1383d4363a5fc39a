import { type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import { episodeText } from '../../release/index.ts';
import { sourceName } from '../sources/source.ts';
import { cooldownText } from './cooldown-text.ts';
import { type EarlierSearch, isSettled, type SearchState, type SourceStatus } from './search-state.ts';

// What a person is told about a search. Failures are told in full only where they matter.

/**
 * One line for the list: who still answers, how old it is, who failed and why. Empty when all have answered just now.
 * "waiting for 3 of 10 sources · Example: wrong key · Other: no answer in time", "found 3 min ago"
 */
export function statusLine({ sources, finished, earlier }: SearchState, now = Date.now()): string {
  const waiting = finished ? [] : sources.filter((source) => !isSettled(source));
  const age = earlier === undefined ? [] : earlierText(earlier, now);
  return [
    ...waitingText(waiting, sources.length),
    ...answeredText(sources),
    ...age,
    ...failureTexts(sources, now),
  ].join(' · ');
}

function earlierText({ searched, lost }: EarlierSearch, now: number): string[] {
  const minutes = Math.floor((now - searched) / MINUTE);
  const age = minutes < 1 ? 'found less than a minute ago' : `found ${minutes} min ago`;
  return lost === 0 ? [age] : [age, `${lost} ${lost === 1 ? 'link' : 'links'} of it not kept`];
}

const MINUTE = 60_000;

/** So many are named that are still waited for. */
const MAX_NAMED = 2;

function waitingText(waiting: readonly SourceStatus[], all: number): string[] {
  if (waiting.length === 0) return [];
  return waiting.length <= MAX_NAMED
    ? [`waiting for ${waiting.map(sourceName).join(' and ')}`]
    : [`waiting for ${waiting.length} of ${all} sources`];
}

/** Of those behind a manager, where not all have answered, how many have: "27 of 30 by Prowlarr". */
function answeredText(sources: readonly SourceStatus[]): string[] {
  return [...groupByManager(sources)].flatMap(([name, behind]) => {
    const answered = behind.filter(({ state }) => state === 'answered').length;
    return answered === 0 || answered === behind.length ? [] : [`${answered} of ${behind.length} by ${name}`];
  });
}

/** By the manager's name. */
function groupByManager(sources: readonly SourceStatus[]): Map<string, SourceStatus[]> {
  const managers = new Map<string, SourceStatus[]>();
  for (const source of sources) {
    if (source.manager === undefined) continue;
    const behind = managers.get(source.manager.name) ?? [];
    managers.set(source.manager.name, [...behind, source]);
  }
  return managers;
}

/** A name is repeated rarely: of much that is missing for the same reason, the first few are enough. */
const MAX_PARTIAL = 3;

/** Of many that failed behind one manager, the first few are told, and how many there are. */
const MAX_PER_MANAGER = 3;

function failureTexts(sources: readonly SourceStatus[], now: number): string[] {
  const alone = sources
    .filter(({ manager }) => manager === undefined)
    .flatMap((each) => sourceFailureTexts(each, now));
  const behind = [...groupByManager(sources)].flatMap(([name, all]) => {
    const failed = all.filter(({ state }) => state === 'failed' || state === 'resting');
    const missing = all.filter((each) => !failed.includes(each));
    return [
      ...firstFew(
        failed.flatMap((each) => sourceFailureTexts(each, now)),
        `by ${name} failed too`,
      ),
      ...missing.flatMap((each) => sourceFailureTexts(each, now)).slice(0, MAX_PARTIAL),
    ];
  });
  return [...alone, ...behind];
}

/** Of many, the first few, and how many others there are. */
function firstFew(all: readonly string[], others: string): readonly string[] {
  const left = all.length - MAX_PER_MANAGER;
  return left > 1 ? [...all.slice(0, MAX_PER_MANAGER), `${left} others ${others}`] : all;
}

function sourceFailureTexts(source: SourceStatus, now: number): string[] {
  const { state, failure, rest, partial } = source;
  if (state === 'resting' && rest !== undefined) return [cooldownText(sourceName(source), rest, now)];
  const missing = [...new Set(partial.map(explanationText))];
  const own = state !== 'failed' || failure === undefined ? [] : [ownFailureText(source, failure)];
  return [...own, ...missing.slice(0, MAX_PARTIAL)];
}

const explanationText = ({ explanation }: SlipstreamError) => explanation.what.replace(/\.$/, '');

/** What the person has written wrongly is told as it is: it says more than any name. So is what a manager says. */
function ownFailureText(source: SourceStatus, failure: SlipstreamError): string {
  const isTold =
    failure.code === 'NOT_CONFIGURED' || (source.manager !== undefined && !OWN_CODES.has(failure.code));
  return isTold ? explanationText(failure) : `${sourceName(source)}: ${REASONS[failure.code] ?? 'failed'}`;
}

/** What we ourselves found of a source, and no manager said. */
const OWN_CODES: ReadonlySet<ErrorCode> = new Set([
  'TIMEOUT',
  'UNREACHABLE',
  'BAD_ANSWER',
  'TOO_LARGE',
  'NO_RESULTS',
  'INTERNAL',
]);

const REASONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  AUTH_FAILED: 'wrong key',
  RATE_LIMITED: 'its limit is reached',
  TIMEOUT: 'no answer in time',
  UNREACHABLE: 'cannot be reached',
  BAD_ANSWER: 'an answer that makes no sense',
  TOO_LARGE: 'too large an answer',
  SERVICE_ERROR: 'an error of its own',
  // A source of which no query could be asked (ask-source.ts).
  NO_RESULTS: 'asked by ids only',
};

/**
 * What stands between the person and a list: the search found nothing that fits. Undefined when there is a list.
 * A lone source's failure, or that of all, is told as it is.
 */
export function searchFailure(
  state: SearchState,
  request: MediaRequest,
  now = Date.now(),
): SlipstreamError | undefined {
  const { releases, rejected: setAside, sources } = state;
  if (releases.length > 0) return undefined;
  const failures = sources.map(({ failure }) => failure).filter((failure) => failure !== undefined);
  const worst = failures.find(({ code }) => code === 'AUTH_FAILED') ?? failures[0];
  if (worst !== undefined && failures.length === sources.length) return worst;
  const resting = setAside.length === 0 ? allCoolingError(sources, worst, now) : undefined;
  if (resting !== undefined) return resting;
  if (hasNoId(state, request)) return noIdError(state, request);
  const title = titleLabel(request);
  const what =
    setAside.length === 0
      ? `Nothing was found for ${title}.`
      : `Of ${setAside.length} found, no release is ${title}.`;
  return new SlipstreamError('NO_RESULTS', { what, next: nextStep(state, worst, now) }, { cause: worst });
}

/** All that searches can be asked by id only, and no id is known that any of it takes. */
function hasNoId({ sources }: SearchState, { ids }: MediaRequest): boolean {
  const isUnknown = ids.imdb === undefined && ids.tmdb === undefined;
  return (
    isUnknown && sources.length > 0 && sources.every(({ isIdOnly: knowsNoWords }) => knowsNoWords === true)
  );
}

function noIdError({ sources }: SearchState, request: MediaRequest): SlipstreamError {
  const names = sources.map(sourceName).join(' and ');
  return new SlipstreamError('NO_RESULTS', {
    what: `${names} can be searched by IMDb or TMDb id only, and none is known of ${titleLabel(request)}.`,
    next: 'Choose it in TMDbHelper, or enter a TMDb API key in the settings of Slipstream (Connection).',
  });
}

/** Nobody was asked who could have found something: to say that nothing was found would be untrue. */
function allCoolingError(
  sources: readonly SourceStatus[],
  worst: SlipstreamError | undefined,
  now: number,
): SlipstreamError | undefined {
  const hasAnswered = sources.some(
    ({ state, found }) => (state !== 'resting' && state !== 'failed') || found > 0,
  );
  const rests = sources.flatMap((source) =>
    source.state === 'resting' && source.rest !== undefined
      ? [cooldownText(sourceName(source), source.rest, now)]
      : [],
  );
  if (hasAnswered || rests.length === 0) return undefined;
  const next =
    worst === undefined
      ? 'Try again then, or add another indexer in the settings of Slipstream (Connection).'
      : `${worst.explanation.what} ${worst.explanation.next}`;
  return new SlipstreamError(
    'RATE_LIMITED',
    { what: `${firstFew(rests, 'rest too').join('; ')}.`, next },
    { cause: worst },
  );
}

function nextStep(state: SearchState, worst: SlipstreamError | undefined, now: number): string {
  if (worst !== undefined) return `${worst.explanation.what} ${worst.explanation.next}`;
  const line = statusLine(state, now);
  return line === '' ? 'Try again later, or with another indexer.' : `Try again later. ${line}.`;
}

/** A source whose credentials were refused: it will not get better by itself, also when others have found something. */
export function sourceWithRefusedKey({
  sources,
}: SearchState): { source: SourceStatus; failure: SlipstreamError } | undefined {
  for (const source of sources) {
    if (source.failure?.code === 'AUTH_FAILED') return { source, failure: source.failure };
  }
  return undefined;
}

function titleLabel({ title, year, episode }: MediaRequest): string {
  if (episode === undefined) return year === undefined ? title : `${title} (${year})`;
  return `${title} ${episodeText(episode)}`;
}
