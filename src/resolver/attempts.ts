import { openSourceLimits } from '../backends/nzb/source-limits.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { ProgressState } from '../host/port.ts';
import type { MediaRequest } from '../model/index.ts';
import type { Choice, Choices } from './choices.ts';
import type { ResolveContext } from './context.ts';
import type { PendingStream } from './pending-stream.ts';
import type { ResolverStages } from './stages.ts';
import { Unplayable } from './unplayable.ts';

/**
 * Plays the first of the choices that can be played. What fails for a reason of its own is followed by the next one, up
 * to `context.attempts` beside what was tried beforehand; a backend that does not answer ends it, for it would fail them all.
 * A release that only indexers have which deliver no more is passed over, and is no try.
 *
 * @throws the failure of the first one, and how many were tried; the limit by which some were passed over, when no other is
 *   left; what ends it; CancelledError
 */
export async function resolveFirst(
  choices: Choices,
  request: MediaRequest,
  context: ResolveContext & { readonly attempts: number },
  stages: Parameters<ResolverStages['resolveFirst']>[3],
): Promise<PendingStream> {
  const { attempts, log, signal } = context;
  const failures: SlipstreamError[] = [];
  const limits = openSourceLimits();
  let limit: SlipstreamError | undefined;
  let tried = 0;
  for (let choice = await choices.next(); choice !== undefined; choice = await choices.next()) {
    const passedOver = needsNzb(choice) ? limits.limitOfAll(choice.release) : undefined;
    if (passedOver !== undefined) {
      limit ??= passedOver;
      log.info(`${choice.release.name} is passed over: ${passedOver.message}`);
      continue;
    }
    const why = failures.at(-1)?.explanation.what;
    const progress = withAttemptNote(context.progress, `Release ${tried + 1} of ${attempts}`, why);
    try {
      return await stages.resolveRelease(choice, request, { ...context, progress, limits }, stages);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Unplayable)) throw error;
      failures.push(error.failure);
      await context.failed?.({ release: choice.release }, error.failure);
      context.progress.printLine?.(`${choice.release.name}: ${error.failure.explanation.what}`);
      log.warning(`${failures.length} of at most ${attempts} cannot be played: ${error.failure.message}`);
      if (!isBeforeSearch(choice) && ++tried >= attempts) throw allFailedError(failures);
    }
  }
  throw limit ?? allFailedError(failures);
}

/** Whether it takes an NZB to play it. */
const needsNzb = ({ kind, existingJob }: Choice) => kind === 'found' && existingJob === undefined;

const isBeforeSearch = (choice: Choice) => choice.kind === 'remembered' && choice.isBeforeSearch;

/** Which one it is, and why it is not the chosen one, stays on the screen. */
function withAttemptNote(
  progress: ResolveContext['progress'],
  number: string,
  why: string | undefined,
): ResolveContext['progress'] {
  if (why === undefined) return progress;
  const noted = ({ detail, ...state }: ProgressState) => ({
    ...state,
    detail: `${[number, detail].filter(Boolean).join(': ')} · ${why}`,
  });
  return { ...progress, update: (state) => progress.update(noted(state)) };
}

function allFailedError(failures: readonly SlipstreamError[]): SlipstreamError {
  const first = failures.findLast(({ isSummary: sumsUp }) => sumsUp) ?? failures[0];
  const others = failures.filter((failure) => failure !== first);
  if (first === undefined)
    return new SlipstreamError('NO_RESULTS', {
      what: 'There is no release to play.',
      next: 'Choose another one.',
    });
  if (others.length === 0) return first;
  const { what, next } = first.explanation;
  // Short: a message that runs through a single line is read by nobody to its end.
  const told = { what: `All ${failures.length} releases that were tried failed.`, next: `${what} ${next}` };
  const detail = others.map(({ message }) => message).join('; ');
  return new SlipstreamError(first.code, told, { cause: first, detail });
}
