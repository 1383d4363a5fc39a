import { SlipstreamError } from '../../errors/index.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import type { Attempt } from '../queries/attempt.ts';
import { planQueries, type QueryPlan } from '../queries/index.ts';
import { type QueryOptions } from '../queries/options.ts';
import type {
  AggregateSource,
  MemberSource,
  SearchAnswer,
  SearchCapabilities,
  SearchQuery,
  SearchSource,
  SourceManager,
} from '../sources/source.ts';
import { SourceUnavailableError } from '../sources/unavailability.ts';
import type { Cooldowns } from './cooldown.ts';
import type { SourceGroup } from './source-group.ts';
import { queueOf } from './source-queue.ts';

/** How whoever is searched is asked. */
export interface AskContext {
  /** Ends the asking with its reason. A SlipstreamError is the source's failure, anything else is nobody's. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly cooldowns: Cooldowns;
  readonly queryOptions: QueryOptions;
  /** Milliseconds from one query to the next. */
  readonly spacing: number;
  /** The source's turn has come. */
  readonly onStarted: () => void;
  /** A query is on its way: there is time for other things. */
  readonly onQuerySent: () => void;
  /** It failed; this is told before the disk is asked to remember it. */
  readonly onFailure: (failure: SlipstreamError) => void;
}

export interface AskOptions extends AskContext {
  /** Those behind the same manager. */
  readonly group?: SourceGroup;
  /** Runs what only waits for the others: meanwhile somebody else may be asked. */
  readonly wait?: <T>(work: () => T | Promise<T>) => T | Promise<T>;
  /** Takes what a query lists. Gives whether any of it fits the request. */
  readonly onAnswer: (answer: SearchAnswer) => Promise<boolean>;
}

/**
 * Asks one source what its plan says, one query at a time, also across all searches of this process.
 *
 * @throws StandingError when it is not to be asked, or has to rest from now on for what another search got as an answer;
 *   SlipstreamError as its queries do, NO_RESULTS where it can be asked none; the signal's reason when it aborts
 */
export async function askSource(
  source: SearchSource | MemberSource,
  request: MediaRequest,
  options: AskOptions,
): Promise<void> {
  const { signal, group } = options;
  try {
    if ('unavailability' in source) throw new SourceUnavailableError(source.unavailability);
    const abilities = await runQueued(source, options, undefined, () => source.capabilities(signal));
    const plan = planQueries(request, abilities, options.queryOptions);
    if (plan.length === 0 && abilities.noPlainText === true) throw noIdsFor(source.name, abilities);
    const { isSupported: understood, listed } = await askAll(plan, source, options);
    // A manager may not pass a query on, and says so by an empty list.
    if (!understood && plan.length > 0 && group === undefined) throw noUsableSearch(source.name);
    if (listed === 0 && 'checkAvailability' in source) await checkAvailability(source, options);
  } finally {
    group?.markStarted(source.id);
  }
  await clearCooldown(source, options);
}

/** What is behind a manager, as it has it now. @throws as `askSource` */
export async function fetchMembers(
  manager: SourceManager,
  options: AskContext,
): Promise<readonly MemberSource[] | AggregateSource> {
  const behind = await runQueued(manager, options, undefined, () => manager.members(options.signal));
  await clearCooldown(manager, options);
  return behind;
}

interface AskResult {
  /** Whether any query was one that the source knows. */
  readonly isSupported: boolean;
  readonly listed: number;
}

async function askAll(plan: QueryPlan, source: SearchSource, options: AskOptions): Promise<AskResult> {
  const { group, onAnswer } = options;
  let isSupported = false;
  let listed = 0;
  let fits = false;
  for (const attempt of plan) {
    const queries = isSupported ? await queriesOf(attempt, fits, options) : attempt.alternatives;
    const answer = await askFirstSupported(source, queries, options);
    if (answer === 'unsupported') continue;
    isSupported = true;
    if (queries.every(hasId)) group?.markSupportsIds();
    listed += answer.postings.length;
    const fit = await onAnswer(answer);
    if (fit) group?.markMatched();
    group?.markStarted(source.id);
    if (answer.failure !== undefined) throw answer.failure;
    const moreFits = await askForRest(source, answer, options);
    if (moreFits) group?.markMatched();
    fits ||= fit || moreFits;
  }
  return { isSupported, listed };
}

/** What is on the list's first page is there already. Gives whether any of the rest fits. */
async function askForRest(
  source: SearchSource,
  { fetchRest: more }: SearchAnswer,
  options: AskOptions,
): Promise<boolean> {
  if (more === undefined) return false;
  const answer = await runQueued(source, options, undefined, () => more(options.signal), failureOf);
  const fit = await options.onAnswer(answer);
  if (answer.failure !== undefined) throw answer.failure;
  return fit;
}

const failureOf = ({ failure }: SearchAnswer) => failure;

/**
 * How an attempt is to be made when there was one before; in no way where enough was found. One query of a manager's own
 * would reach those behind it that know its id, and no others.
 */
async function queriesOf(
  { alternatives, isAlwaysSent: always, isForPack: isExtra }: Attempt,
  fits: boolean,
  { signal, group, wait = (work) => work() }: AskOptions,
): Promise<readonly SearchQuery[]> {
  if (always && isExtra === undefined) return alternatives;
  const hasMatch = fits || ((await wait(() => group?.hasMatch(signal))) ?? false);
  if (!hasMatch) return alternatives;
  if (!always) return [];
  return group?.supportsIds ? alternatives.filter(hasId) : alternatives;
}

const hasId = ({ id }: SearchQuery) => id !== undefined;

/** A failure behind a manager looks like an empty list. What it does not tell is not known. */
async function checkAvailability(source: MemberSource, { signal, log }: AskContext): Promise<void> {
  const standing = await source.checkAvailability(signal).catch((error: unknown) => {
    signal.throwIfAborted();
    log.info(`${source.name}: whether it failed is not known: ${String(error)}`);
    return undefined;
  });
  if (standing !== undefined) throw new SourceUnavailableError(standing);
}

/**
 * In the source's turn: nobody else records a rest meanwhile, which this would take away. Who has no time left to wait
 * for the turn leaves it to the next search; that is no failure.
 */
async function clearCooldown(
  { id }: Pick<SearchSource, 'id'>,
  { signal, cooldowns: rests }: AskContext,
): Promise<void> {
  await queueOf(id)
    .run(signal, () => rests.recordSuccess(id))
    .catch(() => undefined);
}

/** What the source answers to the first query that it understands. */
async function askFirstSupported(
  source: SearchSource,
  alternatives: readonly SearchQuery[],
  options: AskOptions,
): Promise<SearchAnswer | 'unsupported'> {
  let ignored: SearchAnswer | undefined;
  for (const query of alternatives) {
    const answer = await sendQuery(source, query, options);
    if (answer === 'unsupported') continue;
    if (!answer.ignoredId) return answer;
    // What is newest of everything is not worth a look; the same may be asked in another way.
    ignored = { ...answer, postings: [] };
    if (answer.failure !== undefined) break;
  }
  return ignored ?? 'unsupported';
}

/** A query's postings at the most: no list needs more, and each costs time to read. */
const MAX_POSTINGS = 20_000;

async function sendQuery(
  source: SearchSource,
  query: SearchQuery,
  options: AskOptions,
): Promise<SearchAnswer | 'unsupported'> {
  const started = performance.now();
  const ask = () => {
    const asking = source.ask(query, options.signal);
    options.onQuerySent();
    return asking;
  };
  const failed = (asked: SearchAnswer | 'unsupported') =>
    asked === 'unsupported' ? undefined : asked.failure;
  const answer = await runQueued(source, options, options.spacing, ask, failed);
  const took = Math.round(performance.now() - started);
  const what = answer === 'unsupported' ? answer : `${answer.postings.length} posts`;
  options.log.info(`${source.name}: ${describeQuery(query)}: ${what} in ${took} ms`);
  if (answer === 'unsupported') return answer;
  return { ...answer, postings: answer.postings.slice(0, MAX_POSTINGS) };
}

/**
 * Runs what may send a query when it is the source's turn and it does not rest. A rest that its failure brings, thrown
 * or given, begins before anybody else has a turn.
 */
function runQueued<T>(
  source: Pick<SearchSource, 'id'>,
  options: AskContext,
  spacing: number | undefined,
  run: () => Promise<T>,
  failureIn: (outcome: T) => SlipstreamError | undefined = () => undefined,
): Promise<T> {
  const { signal, cooldowns: rests, onStarted: onAsked } = options;
  return queueOf(source.id).run(signal, async ({ throttle: paced }) => {
    const cooldown = await rests.of(source.id);
    if (cooldown !== undefined) throw new SourceUnavailableError({ kind: 'rests', rest: cooldown });
    onAsked();
    // What a source can do is mostly remembered, and then costs no request.
    if (spacing !== undefined) await paced(spacing, signal);
    signal.throwIfAborted();
    try {
      // A source that does not heed the signal holds up nobody.
      const outcome = await unlessAborted(run(), signal);
      await recordFailure(source, options, failureIn(outcome));
      return outcome;
    } catch (error) {
      await recordFailure(source, options, error);
      throw error;
    }
  });
}

async function recordFailure(
  { id }: Pick<SearchSource, 'id'>,
  { cooldowns: rests, onFailure }: AskContext,
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof SlipstreamError)) return;
  onFailure(failure);
  await rests.recordFailure(id, failure);
}

/** For the log: what is asked. */
function describeQuery({ kind, area, id, otherIds = [], text, season, episode, date }: SearchQuery): string {
  const parts = {
    id: id && [id, ...otherIds].map((each) => `${each.kind}:${each.value}`).join(),
    text,
    season,
    episode,
    date,
  };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return [`${kind} (${area})`, ...given.map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}

function noUsableSearch(name: string): SlipstreamError {
  return new SlipstreamError('SERVICE_ERROR', {
    what: `${name} offers no search that Slipstream can use.`,
    next: 'Check that its address belongs to an indexer.',
  });
}

/** What takes ids alone, of a work that has none of those. */
function noIdsFor(name: string, { movieIds, seriesIds }: SearchCapabilities): SlipstreamError {
  if (movieIds.length + seriesIds.length === 0) return noUsableSearch(name);
  return new SlipstreamError('NO_RESULTS', {
    what: `${name} is asked by ids only, and none that it takes is known of this title.`,
    next: 'Play it from a list that gives ids, such as those of TMDbHelper.',
  });
}
