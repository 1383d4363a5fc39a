import { firstFailure } from '../../connections/check-texts.ts';
import { fixTested, type TestedService, testAll, testedRow } from '../testing/test-all.ts';
import { beforePhone } from './intro.ts';
import { isNew } from './is-new.ts';
import type { SetupRun, Step, StepOutcome } from './step.ts';

const GO_ON = 'go-on';

/** Does all that was entered on a phone work? Asks only when something does not. */
export const testEverything: Step = {
  id: 'all-test',
  label: 'Whether everything works',
  isQuiet: true,
  isNeeded: (run) => Promise.resolve(run.isChosenElsewhere),
  run: async (run) => {
    const tested = await testAll(run.context, run.testTimeout);
    if (tested === undefined) return beforePhone(run);
    run.tested = tested;
    return await fixAll(tested, run);
  },
};

export const allWork = (tested: readonly TestedService[]): boolean =>
  tested.every(({ checks }) => firstFailure(checks) === undefined);

/** What does not work stands first, and has the focus. */
async function fixAll(tested: readonly TestedService[], run: SetupRun): Promise<StepOutcome> {
  const { host, signal } = run.context;
  for (;;) {
    const [failed, fine] = [
      tested.filter((each) => !allWork([each])),
      tested.filter((each) => allWork([each])),
    ];
    if (failed.length === 0) return 'next';
    const news = await Promise.all(failed.map(({ thing }) => isNew(thing, run)));
    const title = `Something does not work${news.includes(true) ? ' yet' : ''}`;
    const rows = [...failed, ...fine].map((each) => testedRow(each, tested));
    const goOn = { id: GO_ON, label: 'Go on', detail: 'Leaves it as it is.' };
    const chosen = await host.questions.choose({ title, rows: [...rows, goOn] }, signal);
    if (chosen === undefined) return beforePhone(run);
    if (chosen === GO_ON) return 'next';
    const row = tested[Number(chosen)];
    if (row !== undefined) await showResult(row, run);
  }
}

/** Helps to mend it where it does not work, else tells what was found. */
export async function showResult(tested: TestedService, run: SetupRun): Promise<void> {
  await fixTested(tested, run.context, { leave: 'Go on without it', isNew: await isNew(tested.thing, run) });
}
