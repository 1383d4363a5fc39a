import { asSlipstreamError } from '../../errors/index.ts';
import type { SetupContext } from '../action.ts';
import { runServices } from '../lists/indexers/index.ts';
import { runPhoneSetup } from '../phone/index.ts';
import { chosenServices } from './chosen-services.ts';
import type { SetupRun, Step, StepOutcome } from './step.ts';

/** The way by the phone, which is easier than a remote control. */
export const PHONE = {
  id: 'phone',
  label: 'With a phone',
  detail: 'Easier: shows a code to scan, and long keys can be pasted.',
};

/** What a screen has in the settings beside the set-up. */
export const CHANGE = {
  id: 'change',
  label: 'Indexers and services',
  detail: 'Add, change, test or remove one.',
};
const WHAT_PLAYS = { id: 'what-plays', label: 'Another service that plays' };

/** How to go about it. A new person is asked the first thing at once, with the phone as one of the answers. */
export const intro: Step = {
  id: 'intro',
  label: 'How to set it up',
  // What began with a phone that was used has asked nothing else.
  isNeeded: (run) => Promise.resolve(run.beginsWithPhone ? !run.isChosenElsewhere : asksHow(run)),
  run: async (run) => {
    const { context, leftState: left } = run;
    const { host, signal } = context;
    if (run.beginsWithPhone) return await continueAfterPhone(run, 'leave');
    const rows = [
      ...(left === undefined ? [] : [{ id: 'go-on', label: 'Go on where you left off', detail: left.label }]),
      PHONE,
      ...(host.shell === undefined ? [] : [CHANGE, WHAT_PLAYS]),
      { id: 'here', label: 'On this screen', detail: 'Asks one thing after the other.' },
    ];
    const way = await host.questions.choose({ title: 'Set up Slipstream', rows }, signal);
    switch (way) {
      case 'go-on':
        // What was left in the middle of its test came from a phone.
        run.isChosenElsewhere = left?.id === 'all-test';
        return left === undefined ? 'next' : { goTo: left.id };
      case PHONE.id:
        return await continueAfterPhone(run, { goTo: 'intro' });
      case CHANGE.id:
        await runServices(context);
        run.chosen = await chosenServices(context);
        return { goTo: 'intro' };
      case WHAT_PLAYS.id:
        return { goTo: 'play-service' };
      case 'here':
        return 'next';
      default:
        return 'leave';
    }
  },
};

/** Who has used a phone is new no more: from what it entered, Back leads to the ways. */
export const asksHow = ({ isNew, isChosenElsewhere }: SetupRun): boolean => !isNew || isChosenElsewhere;

/** Whether a phone has done something; where none could be used, why is told. */
async function usedPhone(context: SetupContext): Promise<boolean> {
  const { host, log, signal } = context;
  try {
    return await runPhoneSetup(context);
  } catch (error) {
    signal.throwIfAborted();
    const failure = asSlipstreamError(error);
    log.error('the set-up from a phone failed', failure);
    const { what, next } = failure.explanation;
    await host.questions.show({ title: 'With a phone', text: `${what}\n${next}`.trim() }, signal);
    return false;
  }
}

/** Where Back leads from what a phone has entered: to no other phone, which would need another code. */
export const beforePhone = ({ beginsWithPhone }: SetupRun): StepOutcome =>
  beginsWithPhone ? 'leave' : { goTo: 'intro' };

/** What the phone has entered is tested here all the same, and told; what it has not is asked for. */
export async function continueAfterPhone(run: SetupRun, unused: StepOutcome): Promise<StepOutcome> {
  if (!(await usedPhone(run.context))) return unused;
  run.chosen = await chosenServices(run.context);
  run.isChosenElsewhere = true;
  const { search, play } = run.chosen;
  if (search === undefined) return play === undefined ? unused : { goTo: 'search-service' };
  return { goTo: play === undefined ? 'search-test' : 'all-test' };
}
