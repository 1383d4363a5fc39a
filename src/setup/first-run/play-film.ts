import { failedNote, hasRemarks } from '../../connections/check-texts.ts';
import type { ChoiceRow } from '../../host/port.ts';
import type { MediaRequest } from '../../model/index.ts';
import type { SetupContext } from '../action.ts';
import { showFailureSince } from '../failure/show-failure.ts';
import { runServices } from '../lists/indexers/index.ts';
import { type TestedService, testedRow } from '../testing/test-all.ts';
import { findTestFilm } from './find-result.ts';
import { CHANGE } from './intro.ts';
import { enteredValues } from './is-new.ts';
import { showCommands } from './show-commands.ts';
import type { SetupRun, Step } from './step.ts';
import { allWork, showResult } from './test-everything.ts';

const READY = {
  title: 'Slipstream is set up',
  text: 'Choose a film or an episode in TMDbHelper and play it with Slipstream, or search in Slipstream itself.\n\nMore indexers, filters, and everything else are in its settings.',
};

/** Does it play? Nobody has to try; whoever has a film waiting tries that one. */
export const playFilm: Step = {
  id: 'play',
  label: 'Whether a film plays',
  isNeeded: ({ filmWaits }) => Promise.resolve(!filmWaits),
  run: async (run) => {
    const { host, signal } = run.context;
    for (;;) {
      const question = { title: titleFor(run.tested), rows: rowsFor(run) };
      const chosen = await host.questions.choose(question, signal);
      if (chosen === undefined) return 'back';
      if (await performChoice(chosen, run)) return 'next';
    }
  },
};

/** @returns whether the set-up is over */
async function performChoice(chosen: string, run: SetupRun): Promise<boolean> {
  const { context, foundTitle: found, tested = [] } = run;
  const told = tested[Number(chosen)];
  if (told === undefined && chosen === 'play' && found !== undefined) return await playFound(found, context);
  if (told === undefined && chosen !== CHANGE.id) {
    await showReady(context);
    return true;
  }
  const isOther = told === undefined ? await changeServices(run) : await fixOne(told, run);
  // Where nothing was found, what was wrong may have been the reason.
  if (isOther) run.foundTitle ??= await findTestFilm(context);
  return false;
}

/** @returns whether it works now, and did not before */
async function fixOne(told: TestedService, run: SetupRun): Promise<boolean> {
  const hasWorked = allWork([told]);
  await showResult(told, run);
  return !hasWorked && allWork([told]);
}

/** What was tested before is no news then. @returns whether anything was changed */
async function changeServices(run: SetupRun): Promise<boolean> {
  const before = await enteredValues(run.context);
  await runServices(run.context);
  const isOther = (await enteredValues(run.context)).join() !== before.join();
  if (isOther) run.tested = undefined;
  return isOther;
}

async function playFound(found: MediaRequest, context: SetupContext): Promise<boolean> {
  const { shell } = context.host;
  const started = Date.now();
  if (await context.play(found)) {
    if (shell !== undefined) await showCommands(shell, context);
    return true;
  }
  await showFailureSince(started, context);
  return false;
}

async function showReady(context: SetupContext): Promise<void> {
  const { host, signal } = context;
  if (host.shell === undefined) await host.questions.show(READY, signal);
  else await showCommands(host.shell, context);
}

function titleFor(tested: readonly TestedService[] = []): string {
  const checks = tested.flatMap((each) => each.checks);
  if (tested.length === 0) return 'Everything is set up';
  if (!allWork(tested) || failedNote(checks) !== undefined)
    return 'Everything is set up, but not all of it works';
  return hasRemarks(checks) ? 'Everything is set up, but not all is proven yet' : 'Everything works';
}

/** What came of the tests stands below what goes on. */
const rowsFor = ({ context, foundTitle: found, tested = [] }: SetupRun): ChoiceRow[] => [
  ...(found === undefined
    ? []
    : [{ id: 'play', label: `Play ${found.title}`, detail: 'To see that all works.' }]),
  ...(context.host.shell === undefined ? [] : [CHANGE]),
  { id: 'end', label: 'Finish' },
  ...tested.map((each) => testedRow(each, tested)),
];
