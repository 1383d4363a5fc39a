import { firstFailure } from '../../connections/words.ts';
import { mend, type Tested, testAll, testedRow } from '../testing/all.ts';
import { beforePhone } from './intro.ts';
import { isNew } from './is-new.ts';
import type { Outcome, Run, Step } from './step.ts';

const GO_ON = 'go-on';

/** Does all that was entered on a phone work? Asks only when something does not. */
export const testEverything: Step = {
  id: 'all-test',
  label: 'Whether everything works',
  isQuiet: true,
  isNeeded: (run) => Promise.resolve(run.isChosenElsewhere),
  run: async (run) => {
    const tested = await testAll(run.context, run.patience);
    if (tested === undefined) return beforePhone(run);
    run.tested = tested;
    return await mendAll(tested, run);
  },
};

export const allWork = (tested: readonly Tested[]): boolean =>
  tested.every(({ checks }) => firstFailure(checks) === undefined);

/** What does not work stands first, and has the focus. */
async function mendAll(tested: readonly Tested[], run: Run): Promise<Outcome> {
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
    if (row !== undefined) await show(row, run);
  }
}

/** Helps to mend it where it does not work, else tells what was found. */
export async function show(tested: Tested, run: Run): Promise<void> {
  await mend(tested, run.context, { leave: 'Go on without it', isNew: await isNew(tested.thing, run) });
}
