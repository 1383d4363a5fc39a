import { testAndFix } from '../testing/test-and-fix.ts';
import { testableService } from '../testing/testable-service.ts';
import { chosenService } from './enter-values.ts';
import { isNew } from './is-new.ts';
import type { Side, Step } from './step.ts';

const LABELS: Readonly<Record<Side, string>> = {
  search: 'Whether what searches answers',
  play: 'Whether what plays answers',
};

/** Does it answer, is the key right? What does not work can be mended here, or left. */
export const testServiceStep = (side: Side): Step => ({
  id: `${side}-test`,
  label: LABELS[side],
  isQuiet: true,
  isNeeded: (run) => Promise.resolve(chosenService(side, run) !== undefined),
  run: async (run) => {
    const service = chosenService(side, run);
    if (service === undefined) return 'next';
    const thing = testableService(service, run.context);
    const verdict = await testAndFix(thing, run.context, {
      leave: 'Go on without it',
      isNew: await isNew(thing, run),
    });
    return verdict === 'back' ? 'back' : 'next';
  },
});
