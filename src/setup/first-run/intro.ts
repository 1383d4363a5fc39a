import { asSlipstreamError } from '../../errors/index.ts';
import type { SetupContext } from '../action.ts';
import { runPhoneSetup } from '../phone/index.ts';
import { chosenInSettings } from './chosen.ts';
import type { Outcome, Run, Step, StepId } from './step.ts';

/** How to go about it: a phone is easier than a remote control. */
export const intro: Step = {
  id: 'intro',
  label: 'How to set it up',
  run: async (run) => {
    const { context, left } = run;
    const { host, signal } = context;
    const rows = [
      ...(left === undefined ? [] : [{ id: 'go-on', label: 'Go on where you left off', detail: left.label }]),
      {
        id: 'phone',
        label: 'With a phone',
        detail: 'Easier: shows a code to scan, and long keys can be pasted.',
      },
      { id: 'here', label: 'On this screen', detail: 'Asks one thing after the other.' },
    ];
    const way = await host.questions.choose({ title: 'Set up Slipstream', rows }, signal);
    switch (way) {
      case 'go-on':
        return left === undefined ? 'next' : { goTo: left.id };
      case 'phone':
        return await withPhone(run);
      case 'here':
        return 'next';
      default:
        return 'leave';
    }
  },
};

/** Whether it was open to a phone; where it could not be, why is told, and another way is left. */
async function pairedWithPhone(context: SetupContext): Promise<boolean> {
  const { host, log, signal } = context;
  try {
    await runPhoneSetup(context);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    const failure = asSlipstreamError(error);
    log.error('the set-up from a phone failed', failure);
    const { what, next } = failure.explanation;
    await host.questions.show({ title: 'With a phone', text: `${what}\n${next}`.trim() }, signal);
    return false;
  }
}

/** What the phone has entered is tested here all the same; what it has not is asked for. */
async function withPhone(run: Run): Promise<Outcome> {
  if (!(await pairedWithPhone(run.context))) return { goTo: 'intro' };
  run.chosen = await chosenInSettings(run.context);
  run.isChosenElsewhere = true;
  const next: StepId = run.chosen.search === undefined ? 'search-service' : 'search-test';
  // Nothing was entered: another way may be wanted.
  return run.chosen.search === undefined && run.chosen.play === undefined
    ? { goTo: 'intro' }
    : { goTo: next };
}
