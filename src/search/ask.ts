import { SlipstreamError } from '../errors/index.ts';
import { unlessAborted } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest } from '../model/index.ts';
import type { Group } from './group.ts';
import type { Attempt } from './plan/attempt.ts';
import { type Plan, planFor } from './plan/index.ts';
import { type PlanOptions } from './plan/options.ts';
import type { Rests } from './rest.ts';
import type {
  Abilities,
  Answer,
  JointSource,
  MemberSource,
  SearchQuery,
  SearchSource,
  SourceManager,
} from './source.ts';
import { StandingError } from './standing.ts';
import { turnsOf } from './turn.ts';

/** How whoever is searched is asked. */
export interface Asking {
  /** Ends the asking with its reason. A SlipstreamError is the source's failure, anything else is nobody's. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly rests: Rests;
  readonly plan: PlanOptions;
  /** Milliseconds from one query to the next. */
  readonly spacing: number;
  /** The source's turn has come. */
  readonly onAsked: () => void;
  /** A query is on its way: there is time for other things. */
  readonly onSent: () => void;
  /** It failed; this is told before the disk is asked to remember it. */
  readonly onFailure: (failure: SlipstreamError) => void;
}

export interface AskOptions extends Asking {
  /** Those behind the same manager. */
  readonly group?: Group;
  /** Runs what only waits for the others: meanwhile somebody else may be asked. */
  readonly wait?: <T>(work: () => T | Promise<T>) => T | Promise<T>;
  /** Takes what a query lists. Gives whether any of it fits the request. */
  readonly onAnswer: (answer: Answer) => Promise<boolean>;
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
    if ('standing' in source) throw new StandingError(source.standing);
    const abilities = await inTurn(source, options, undefined, () => source.abilities(signal));
    const plan = planFor(request, abilities, options.plan);
    if (plan.length === 0 && abilities.noPlainText === true) throw noIdsFor(source.name, abilities);
    const { understood, listed } = await askAll(plan, source, options);
    // A manager may not pass a query on, and says so by an empty list.
    if (!understood && plan.length > 0 && group === undefined) throw cannotSearch(source.name);
    if (listed === 0 && 'look' in source) await lookAt(source, options);
  } finally {
    group?.begun(source.id);
  }
  await forgive(source, options);
}

/** What is behind a manager, as it has it now. @throws as `askSource` */
export async function askManager(
  manager: SourceManager,
  options: Asking,
): Promise<readonly MemberSource[] | JointSource> {
  const behind = await inTurn(manager, options, undefined, () => manager.members(options.signal));
  await forgive(manager, options);
  return behind;
}

interface Asked {
  /** Whether any query was one that the source knows. */
  readonly understood: boolean;
  readonly listed: number;
}

async function askAll(plan: Plan, source: SearchSource, options: AskOptions): Promise<Asked> {
  const { group, onAnswer } = options;
  let understood = false;
  let listed = 0;
  let fits = false;
  for (const attempt of plan) {
    const ways = understood ? await waysOf(attempt, fits, options) : attempt.alternatives;
    const answer = await firstUnderstood(source, ways, options);
    if (answer === 'unsupported') continue;
    understood = true;
    if (ways.every(hasId)) group?.knowsIds();
    listed += answer.postings.length;
    const fit = await onAnswer(answer);
    if (fit) group?.found();
    group?.begun(source.id);
    if (answer.failure !== undefined) throw answer.failure;
    const moreFits = await takeMore(source, answer, options);
    if (moreFits) group?.found();
    fits ||= fit || moreFits;
  }
  return { understood, listed };
}

/** What is on the list's first page is there already. Gives whether any of the rest fits. */
async function takeMore(source: SearchSource, { more }: Answer, options: AskOptions): Promise<boolean> {
  if (more === undefined) return false;
  const answer = await inTurn(source, options, undefined, () => more(options.signal), failureOf);
  const fit = await options.onAnswer(answer);
  if (answer.failure !== undefined) throw answer.failure;
  return fit;
}

const failureOf = ({ failure }: Answer) => failure;

/**
 * How an attempt is to be made when there was one before; in no way where enough was found. One query of a manager's own
 * would reach those behind it that know its id, and no others.
 */
async function waysOf(
  { alternatives, always, isExtra }: Attempt,
  fits: boolean,
  { signal, group, wait = (work) => work() }: AskOptions,
): Promise<readonly SearchQuery[]> {
  if (always && isExtra === undefined) return alternatives;
  const isFound = fits || ((await wait(() => group?.hasFound(signal))) ?? false);
  if (!isFound) return alternatives;
  if (!always) return [];
  return group?.hasIds ? alternatives.filter(hasId) : alternatives;
}

const hasId = ({ id }: SearchQuery) => id !== undefined;

/** A failure behind a manager looks like an empty list. What it does not tell is not known. */
async function lookAt(source: MemberSource, { signal, log }: Asking): Promise<void> {
  const standing = await source.look(signal).catch((error: unknown) => {
    signal.throwIfAborted();
    log.info(`${source.name}: whether it failed is not known: ${String(error)}`);
    return undefined;
  });
  if (standing !== undefined) throw new StandingError(standing);
}

/**
 * In the source's turn: nobody else records a rest meanwhile, which this would take away. Who has no time left to wait
 * for the turn leaves it to the next search; that is no failure.
 */
async function forgive({ id }: Pick<SearchSource, 'id'>, { signal, rests }: Asking): Promise<void> {
  await turnsOf(id)
    .take(signal, () => rests.answered(id))
    .catch(() => undefined);
}

/** What the source answers to the first query that it understands. */
async function firstUnderstood(
  source: SearchSource,
  alternatives: readonly SearchQuery[],
  options: AskOptions,
): Promise<Answer | 'unsupported'> {
  let ignored: Answer | undefined;
  for (const query of alternatives) {
    const answer = await send(source, query, options);
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

async function send(
  source: SearchSource,
  query: SearchQuery,
  options: AskOptions,
): Promise<Answer | 'unsupported'> {
  const started = performance.now();
  const ask = () => {
    const asking = source.ask(query, options.signal);
    options.onSent();
    return asking;
  };
  const failed = (asked: Answer | 'unsupported') => (asked === 'unsupported' ? undefined : asked.failure);
  const answer = await inTurn(source, options, options.spacing, ask, failed);
  const took = Math.round(performance.now() - started);
  const what = answer === 'unsupported' ? answer : `${answer.postings.length} posts`;
  options.log.info(`${source.name}: ${describe(query)}: ${what} in ${took} ms`);
  if (answer === 'unsupported') return answer;
  return { ...answer, postings: answer.postings.slice(0, MAX_POSTINGS) };
}

/**
 * Runs what may send a query when it is the source's turn and it does not rest. A rest that its failure brings, thrown
 * or given, begins before anybody else has a turn.
 */
function inTurn<T>(
  source: Pick<SearchSource, 'id'>,
  options: Asking,
  spacing: number | undefined,
  run: () => Promise<T>,
  failureIn: (outcome: T) => SlipstreamError | undefined = () => undefined,
): Promise<T> {
  const { signal, rests, onAsked } = options;
  return turnsOf(source.id).take(signal, async ({ paced }) => {
    const rest = await rests.of(source.id);
    if (rest !== undefined) throw new StandingError({ kind: 'rests', rest });
    onAsked();
    // What a source can do is mostly remembered, and then costs no request.
    if (spacing !== undefined) await paced(spacing, signal);
    signal.throwIfAborted();
    try {
      // A source that does not heed the signal holds up nobody.
      const outcome = await unlessAborted(run(), signal);
      await remember(source, options, failureIn(outcome));
      return outcome;
    } catch (error) {
      await remember(source, options, error);
      throw error;
    }
  });
}

async function remember(
  { id }: Pick<SearchSource, 'id'>,
  { rests, onFailure }: Asking,
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof SlipstreamError)) return;
  onFailure(failure);
  await rests.failed(id, failure);
}

/** For the log: what is asked. */
function describe({ kind, area, id, otherIds = [], text, season, episode, date }: SearchQuery): string {
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

function cannotSearch(name: string): SlipstreamError {
  return new SlipstreamError('SERVICE_ERROR', {
    what: `${name} offers no search that Slipstream can use.`,
    next: 'Check that its address belongs to an indexer.',
  });
}

/** What takes ids alone, of a work that has none of those. */
function noIdsFor(name: string, { movieIds, seriesIds }: Abilities): SlipstreamError {
  if (movieIds.length + seriesIds.length === 0) return cannotSearch(name);
  return new SlipstreamError('NO_RESULTS', {
    what: `${name} is asked by ids only, and none that it takes is known of this title.`,
    next: 'Play it from a list that gives ids, such as those of TMDbHelper.',
  });
}
