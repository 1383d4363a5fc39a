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
      { id: 'here', label: 'Here', detail: 'Asks one thing after the other.' },
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

/** What the phone has entered is tested here all the same; what it has not is asked for. */
async function withPhone(run: Run): Promise<Outcome> {
  await runPhoneSetup(run.context);
  run.chosen = await chosenInSettings(run.context);
  run.isChosenElsewhere = true;
  const next: StepId = run.chosen.search === undefined ? 'search-service' : 'search-test';
  // Nothing was entered: another way may be wanted.
  return run.chosen.search === undefined && run.chosen.play === undefined
    ? { goTo: 'intro' }
    : { goTo: next };
}
