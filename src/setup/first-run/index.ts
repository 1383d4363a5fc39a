import type { SetupContext } from '../action.ts';
import type { ScanTargets } from '../discovery/index.ts';
import { chooseService } from './choose-service.ts';
import { chosenServices } from './chosen-services.ts';
import { enterValues } from './enter-values.ts';
import { findResult } from './find-result.ts';
import { intro } from './intro.ts';
import { enteredValues } from './is-new.ts';
import { playFilm } from './play-film.ts';
import { playerFile } from './player-file.ts';
import { runSteps } from './run-steps.ts';
import { openSetupState, type SetupState } from './setup-state.ts';
import type { SetupRun, Step, StepId } from './step.ts';
import { testEverything } from './test-everything.ts';
import { testServiceStep } from './test-service.ts';

/** From nothing to a film that plays. */
const STEPS: readonly Step[] = [
  intro,
  chooseService('search'),
  enterValues('search'),
  testServiceStep('search'),
  chooseService('play'),
  enterValues('play'),
  testServiceStep('play'),
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
  readonly scanTargets?: ScanTargets;
  /** As SetupRun.testTimeout; absent: as long as the page on the phone waits. */
  readonly testTimeout?: number;
}

/** Milliseconds: who was done on the phone in spite of a service that is silent waits no longer for it here. */
const PHONE_TEST_TIMEOUT_MS = 20_000;

/**
 * The guided set-up. What is entered is stored at once, and so is where the person is: it can be left anywhere, and
 * goes on from there.
 *
 * @returns whether it was gone through to its end
 */
export async function runFirstRun(
  context: SetupContext,
  {
    filmWaits = false,
    withPhone = false,
    scanTargets: places,
    testTimeout: patience = PHONE_TEST_TIMEOUT_MS,
  }: FirstRunOptions = {},
): Promise<boolean> {
  const kept = openSetupState(context.host.dataFolder);
  const before = await kept.read();
  // What was set up elsewhere since then counts for more than what was begun here.
  const chosen = { ...before?.chosen, ...(await chosenServices(context)) };
  const step = before?.step ?? firstMissing(chosen);
  const left = STEPS.find(({ id }) => id === step);
  const wasFinished = before?.wasFinished ?? hasServices(chosen);
  const run: SetupRun = {
    context,
    filmWaits,
    chosen,
    wasFinished,
    testTimeout: patience,
    enteredBefore: new Set(wasFinished ? await enteredValues(context) : []),
    beginsWithPhone: withPhone,
    isNew: before === undefined && Object.keys(chosen).length === 0,
    isChosenElsewhere: false,
    foundServices: [],
    ...(places !== undefined && { scanTargets: places }),
    ...(left !== undefined && { leftState: left }),
  };
  const note = async (value: SetupState) => {
    await kept.write(value).catch((error: unknown) => {
      context.log.warning(`where the set-up is cannot be kept: ${String(error)}`);
    });
  };
  const isDone = await runSteps(STEPS, run, async (step) => {
    // Of who has chosen nothing yet, there is nothing to go on with.
    const hasBegun = !run.isNew || Object.keys(run.chosen).length > 0;
    if (step !== 'intro' && hasBegun)
      await note({ step, wasFinished, chosen: run.chosen as SetupState['chosen'] });
  });
  if (isDone) await kept.remove();
  return isDone;
}

const hasServices = ({ search, play }: SetupRun['chosen']): boolean =>
  search !== undefined && play !== undefined;

/** Who has set up what searches by other means need not do it again. */
const firstMissing = ({ search, play }: SetupRun['chosen']): StepId | undefined =>
  search !== undefined && play === undefined ? 'play-service' : undefined;
