import type { SetupRun, Step, StepId, StepOutcome } from './step.ts';

/**
 * Runs the steps from the first one until the last is done. Going back leads to the step before that asks something;
 * before the first one, out.
 *
 * @param onStep Hears of each step before it runs.
 * @returns whether the last step was done
 */
export async function runSteps(
  steps: readonly Step[],
  run: SetupRun,
  onStep: (id: StepId) => Promise<void>,
): Promise<boolean> {
  let at = 0;
  let cameBack = false;
  for (;;) {
    const step = steps[at];
    if (step === undefined) return at >= steps.length;
    const isNeeded = (await step.isNeeded?.(run)) ?? true;
    if (isNeeded) await onStep(step.id);
    const outcome: StepOutcome = isNeeded ? await step.run(run, cameBack) : 'next';
    if (outcome === 'leave') return false;
    cameBack = outcome === 'back';
    at = await stepIndexAfter(outcome, at, steps, run);
  }
}

/** -1: before the first. */
async function stepIndexAfter(
  outcome: Exclude<StepOutcome, 'leave'>,
  at: number,
  steps: readonly Step[],
  run: SetupRun,
): Promise<number> {
  if (outcome === 'next') return at + 1;
  if (outcome !== 'back') return steps.findIndex(({ id }) => id === outcome.goTo);
  for (let before = at - 1; before >= 0; before--) {
    const step = steps[before];
    if (step?.isQuiet !== true && ((await step?.isNeeded?.(run)) ?? true)) return before;
  }
  return -1;
}
