import type { ActionRequest, SetupContext } from './action.ts';
import { exportReport } from './failure/report.ts';
import { showLastFailure } from './failure/show.ts';
import { runFirstRun } from './first-run/index.ts';
import { runFormats } from './lists/formats.ts';
import { runIndexers } from './lists/indexers/index.ts';
import { runMappings } from './lists/mappings.ts';
import { runOrder } from './lists/order.ts';
import { runPhoneSetup } from './phone/index.ts';
import { runPlayerFile } from './player-file/index.ts';
import { runTest } from './testing/index.ts';

export { ACTIONS, type Action, type ActionRequest, type SetupContext } from './action.ts';
export { runFirstRun } from './first-run/index.ts';

/** Does what was asked for, then opens the settings again where they were left for it, also when it has failed. */
export async function runAction(request: ActionRequest, context: SetupContext): Promise<void> {
  try {
    await perform(request, context);
  } finally {
    const { back } = request;
    if (back !== undefined && !context.signal.aborted) await context.host.openSettings(back);
  }
}

async function perform({ action, service }: ActionRequest, context: SetupContext): Promise<void> {
  switch (action) {
    case 'first-run':
      await runFirstRun(context);
      return;
    case 'phone':
      return await runPhoneSetup(context);
    case 'test':
      return await runTest(service, context);
    case 'indexers':
      return await runIndexers(context);
    case 'mappings':
      return await runMappings(context);
    case 'order':
      return await runOrder(context);
    case 'formats':
      return await runFormats(context);
    case 'player-file':
      return await runPlayerFile(context);
    case 'failure':
      return await showLastFailure(context);
    case 'report':
      return await exportReport(context);
    case 'settings':
      return await context.host.openSettings();
  }
}
