import type { SetupContext } from '../action.ts';
import { allTestable } from '../testing/test-all.ts';
import type { Testable } from '../testing/testable.ts';
import type { SetupRun } from './step.ts';

/** All that is entered for each thing that is set up, as Testable.entered. */
export async function enteredValues(context: SetupContext): Promise<readonly string[]> {
  const things = await allTestable(context);
  return await Promise.all(things.map((thing) => thing.entered()));
}

/** Whether it may never have worked: it was not part of a finished set-up, or something of it has changed since. */
export const isNew = async (
  thing: Testable,
  { enteredBefore: before }: Pick<SetupRun, 'enteredBefore'>,
): Promise<boolean> => !before.has(await thing.entered());
