import type { ServiceId } from '../../connections/service.ts';
import { serviceById } from '../../connections/services/index.ts';
import type { SetupContext } from '../action.ts';
import { listDialog } from '../lists/list-dialog.ts';
import { fixTested, testAll, testedRow } from './test-all.ts';
import { testAndFix } from './test-and-fix.ts';
import { testableService } from './testable-service.ts';

/** Tests one service, or all that is set up, and helps to mend what does not work. */
export async function runTest(service: ServiceId | undefined, context: SetupContext): Promise<void> {
  if (service === undefined) await showConnections(context);
  else
    await testAndFix(testableService(serviceById(service), context), context, {
      leave: 'Close',
      tellsSuccess: true,
    });
}

async function showConnections(context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const tested = await testAll(context);
  if (tested === undefined) return;
  if (tested.length === 0) {
    const text = 'Nothing is set up yet, so there is nothing to test. Choose "Set up" first.';
    await host.questions.show({ title: 'Test connections', text }, signal);
    return;
  }
  const rows = () =>
    tested.map((each) => ({
      ...testedRow(each, tested),
      act: () => fixTested(each, context, { leave: 'Close' }),
    }));
  await listDialog('Connections', () => Promise.resolve(rows()), context);
}
