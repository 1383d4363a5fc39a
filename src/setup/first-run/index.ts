import type { SetupContext } from '../action.ts';
import { chooseService } from './choose-service.ts';
import { chosenInSettings } from './chosen.ts';
import { enterValues } from './enter-values.ts';
import { findResult } from './find-result.ts';
import { intro } from './intro.ts';
import { type LeftAt, openLeftAt } from './left-at.ts';
import { playFilm } from './play-film.ts';
import { playerFile } from './player-file.ts';
import { runSteps } from './run-steps.ts';
import type { Run, Step, StepId } from './step.ts';
import { testService } from './test-service.ts';

/** From nothing to a film that plays. */
const STEPS: readonly Step[] = [
  intro,
  chooseService('search'),
  enterValues('search'),
  testService('search'),
  chooseService('play'),
  enterValues('play'),
  testService('play'),
  findResult,
  playerFile,
  playFilm,
];

/**
 * The guided set-up. What is entered is stored at once, and so is where the person is: it can be left anywhere, and
 * goes on from there.
 *
 * @param filmWaits A film is to be played afterwards.
 * @returns whether it was gone through to its end
 */
export async function runFirstRun(
  context: SetupContext,
  { filmWaits = false }: { readonly filmWaits?: boolean } = {},
): Promise<boolean> {
  const kept = openLeftAt(context.host.dataFolder);
  const before = await kept.read();
  // What was set up elsewhere since then counts for more than what was begun here.
  const chosen = { ...before?.chosen, ...(await chosenInSettings(context)) };
  const step = before?.step ?? firstMissing(chosen);
  const left = STEPS.find(({ id }) => id === step);
  const run: Run = {
    ...{ context, filmWaits, chosen },
    isChosenElsewhere: false,
    ...(left !== undefined && { left }),
  };
  const note = async (value: LeftAt) => {
    await kept.write(value).catch((error: unknown) => {
      context.log.warning(`where the set-up is cannot be kept: ${String(error)}`);
    });
  };
  const isDone = await runSteps(STEPS, run, async (step) => {
    if (step !== 'intro') await note({ step, chosen: run.chosen as LeftAt['chosen'] });
  });
  if (isDone) await kept.remove();
  return isDone;
}

/** Who has set up what searches by other means need not do it again. */
const firstMissing = ({ search, play }: Run['chosen']): StepId | undefined =>
  search !== undefined && play === undefined ? 'play-service' : undefined;
