import type { SetupContext } from '../action.ts';
import type { Places } from '../discovery/index.ts';
import { chooseService } from './choose-service.ts';
import { chosenInSettings } from './chosen.ts';
import { enterValues } from './enter-values.ts';
import { findResult } from './find-result.ts';
import { intro } from './intro.ts';
import { allEntered } from './is-new.ts';
import { type LeftAt, openLeftAt } from './left-at.ts';
import { playFilm } from './play-film.ts';
import { playerFile } from './player-file.ts';
import { runSteps } from './run-steps.ts';
import type { Run, Step, StepId } from './step.ts';
import { testEverything } from './test-everything.ts';
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
  testEverything,
  findResult,
  playerFile,
  playFilm,
];

interface FirstRunOptions {
  /** A film is to be played afterwards. */
  readonly filmWaits?: boolean;
  /** Begins with the code for a phone, and ends there when the person does nothing on one. */
  readonly withPhone?: boolean;
  /** Where to look for services; absent: in the local network. */
  readonly places?: Places;
  /** As Run.patience; absent: as long as the page on the phone waits. */
  readonly patience?: number;
}

/** Milliseconds: who was done on the phone in spite of a service that is silent waits no longer for it here. */
const PATIENCE = 20_000;

/**
 * The guided set-up. What is entered is stored at once, and so is where the person is: it can be left anywhere, and
 * goes on from there.
 *
 * @returns whether it was gone through to its end
 */
export async function runFirstRun(
  context: SetupContext,
  { filmWaits = false, withPhone = false, places, patience = PATIENCE }: FirstRunOptions = {},
): Promise<boolean> {
  const kept = openLeftAt(context.host.dataFolder);
  const before = await kept.read();
  // What was set up elsewhere since then counts for more than what was begun here.
  const chosen = { ...before?.chosen, ...(await chosenInSettings(context)) };
  const step = before?.step ?? firstMissing(chosen);
  const left = STEPS.find(({ id }) => id === step);
  const wasFinished = before?.wasFinished ?? isComplete(chosen);
  const run: Run = {
    ...{ context, filmWaits, chosen, wasFinished, patience },
    before: new Set(wasFinished ? await allEntered(context) : []),
    beginsWithPhone: withPhone,
    isNew: before === undefined && Object.keys(chosen).length === 0,
    isChosenElsewhere: false,
    near: [],
    ...(places !== undefined && { places }),
    ...(left !== undefined && { left }),
  };
  const note = async (value: LeftAt) => {
    await kept.write(value).catch((error: unknown) => {
      context.log.warning(`where the set-up is cannot be kept: ${String(error)}`);
    });
  };
  const isDone = await runSteps(STEPS, run, async (step) => {
    // Of who has chosen nothing yet, there is nothing to go on with.
    const hasBegun = !run.isNew || Object.keys(run.chosen).length > 0;
    if (step !== 'intro' && hasBegun)
      await note({ step, wasFinished, chosen: run.chosen as LeftAt['chosen'] });
  });
  if (isDone) await kept.remove();
  return isDone;
}

const isComplete = ({ search, play }: Run['chosen']): boolean => search !== undefined && play !== undefined;

/** Who has set up what searches by other means need not do it again. */
const firstMissing = ({ search, play }: Run['chosen']): StepId | undefined =>
  search !== undefined && play === undefined ? 'play-service' : undefined;
