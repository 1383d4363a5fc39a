import { serviceById } from '../connections/services/index.ts';
import type { Action, ActionRequest, SetupContext } from './action.ts';
import { exportReport } from './failure/report.ts';
import { showLastFailure } from './failure/show-failure.ts';
import { runFirstRun } from './first-run/index.ts';
import { runFormats } from './lists/formats.ts';
import { runIndexers } from './lists/indexers/index.ts';
import { runMappings } from './lists/mappings.ts';
import { runOrder } from './lists/order.ts';
import { runPlayerFile } from './player-file/index.ts';
import { runTest } from './testing/index.ts';
import { testableService } from './testing/testable-service.ts';

export type { Action, ActionRequest, SetupContext } from './action.ts';
export { runFirstRun } from './first-run/index.ts';
export { allTestable, testableOf } from './testing/test-all.ts';

/**
 * Does what was asked for, then opens the settings again where they were left for it, also when it has failed; but not
 * in front of a film that it has started.
 */
export async function runAction(request: ActionRequest, context: SetupContext): Promise<void> {
  const played = { isOn: false };
  const play: SetupContext['play'] = async (film) => {
    played.isOn = await context.play(film);
    return played.isOn;
  };
  try {
    await HANDLERS[request.action]({ ...context, play }, request);
  } finally {
    const { back } = request;
    if (back !== undefined && !played.isOn && !context.signal.aborted) await context.host.openSettings(back);
  }
}

const HANDLERS: Readonly<
  Record<Action, (context: SetupContext, request: ActionRequest) => Promise<unknown>>
> = {
  'first-run': (context) => runFirstRun(context),
  phone: (context) => runFirstRun(context, { withPhone: true }),
  test: (context, { service }) => runTest(service, context),
  indexers: runIndexers,
  mappings: (context) => runMappings(context, testableService(serviceById('nzbget'), context)),
  order: runOrder,
  formats: runFormats,
  'player-file': runPlayerFile,
  failure: showLastFailure,
  report: exportReport,
  settings: ({ host }) => host.openSettings(),
};
