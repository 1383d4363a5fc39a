import { SlipstreamError } from '../errors/index.ts';
import type { Host } from '../host/port.ts';
import type { SetupContext } from '../setup/action.ts';
import { chosenServices } from '../setup/first-run/chosen-services.ts';
import type * as Setup from '../setup/index.ts';

// The set-up is loaded when it is asked for: a play does not wait for it.

/** As setup's. */
export const runAction: typeof Setup.runAction = async (...given) => {
  const setup = await import('../setup/index.ts');
  await setup.runAction(...given);
};

/** As setup's. */
export const runFirstRun: typeof Setup.runFirstRun = async (...given) => {
  const setup = await import('../setup/index.ts');
  return await setup.runFirstRun(...given);
};

/** Whether all is set up that a play needs. */
export async function isSetUp(context: Pick<SetupContext, 'host' | 'log'>): Promise<boolean> {
  const { search, play } = await chosenServices(context);
  return search !== undefined && play !== undefined;
}

/** Whether the failure is that something is not set up, and a person is there who can do that. */
export async function needsSetup(
  error: unknown,
  context: { readonly host: Host } & Pick<SetupContext, 'log'>,
): Promise<boolean> {
  if (!(error instanceof SlipstreamError) || error.code !== 'NOT_CONFIGURED') return false;
  return !(await isSetUp(context)) && (await context.host.startedBy()) === 'person';
}
