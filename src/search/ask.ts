import { SlipstreamError } from '../errors/index.ts';
import { unlessAborted } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest } from '../model/index.ts';
import { type PlanOptions, planFor } from './plan/index.ts';
import type { Rest, Rests } from './rest.ts';
import type { Answer, SearchQuery, SearchSource } from './source.ts';
import { turnsOf } from './turn.ts';

export interface AskOptions {
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
  /** Takes what a query lists. Gives whether any of it fits the request. */
  readonly onAnswer: (answer: Answer) => Promise<boolean>;
}

/** The source rests: nothing more was asked. */
export class RestingError extends Error {
  readonly rest: Rest;

  constructor(rest: Rest) {
    super('resting');
    this.name = 'RestingError';
    this.rest = rest;
  }
}

/**
 * Asks one source what its plan says, one query at a time, also across all searches of this process.
 *
 * @throws RestingError when it rests, or has to rest from now on for what another search got as an answer;
 *   SlipstreamError as its queries do; the signal's reason when it aborts
 */
export async function askSource(
  source: SearchSource,
  request: MediaRequest,
  options: AskOptions,
): Promise<void> {
  const { signal, onAnswer } = options;
  const abilities = await inTurn(source, options, undefined, () => source.abilities(signal));
  const plan = planFor(request, abilities, options.plan);
  let understood = plan.length === 0;
  let fits = false;
  for (const { alternatives, always } of plan) {
    if (fits && !always) continue;
    const answer = await firstUnderstood(source, alternatives, options);
    if (answer === 'unsupported') continue;
    understood = true;
    const fit = await onAnswer(answer);
    if (answer.failure !== undefined) throw answer.failure;
    fits ||= fit;
  }
  if (!understood) throw cannotSearch(source.name);
  await forgive(source, options);
}

/**
 * In the source's turn: nobody else records a rest meanwhile, which this would take away. Who has no time left to wait
 * for the turn leaves it to the next search; that is no failure.
 */
async function forgive({ id }: SearchSource, { signal, rests }: AskOptions): Promise<void> {
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
  source: SearchSource,
  options: AskOptions,
  spacing: number | undefined,
  run: () => Promise<T>,
  failureIn: (outcome: T) => SlipstreamError | undefined = () => undefined,
): Promise<T> {
  const { signal, rests, onAsked } = options;
  return turnsOf(source.id).take(signal, async ({ paced }) => {
    const rest = await rests.of(source.id);
    if (rest !== undefined) throw new RestingError(rest);
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
  { id }: SearchSource,
  { rests, onFailure }: AskOptions,
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof SlipstreamError)) return;
  onFailure(failure);
  await rests.failed(id, failure);
}

/** For the log: what is asked. */
function describe({ kind, area, id, text, season, episode, date }: SearchQuery): string {
  const parts = { id: id && `${id.kind}:${id.value}`, text, season, episode, date };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return [`${kind} (${area})`, ...given.map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}

function cannotSearch(name: string): SlipstreamError {
  return new SlipstreamError('SERVICE_ERROR', {
    what: `${name} offers no search that Slipstream can use.`,
    next: 'Check that its address belongs to an indexer.',
  });
}
