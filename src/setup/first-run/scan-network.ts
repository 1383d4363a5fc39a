import type { Service } from '../../connections/service.ts';
import type { SetupContext } from '../action.ts';
import type { TextOffer } from '../asking/ask-setting.ts';
import { whileShowing } from '../asking/while-showing.ts';
import { type FoundService, findServices, SCAN_DURATION_TEXT } from '../discovery/index.ts';
import type { SetupRun } from './step.ts';

/** Looks for services on the network until all was looked at or the person has enough, and keeps what was found. */
export async function scanNetwork(run: SetupRun): Promise<void> {
  const { context, scanTargets: places } = run;
  const seen: FoundService[] = [];
  const how = `Takes ${SCAN_DURATION_TEXT}. ${context.host.cancelKey} stops it and keeps what was found.`;
  const all = await whileShowing('Looking on your network', context, async (progress, signal) => {
    progress.printLine?.(how);
    const show = async () => {
      const found = seen.map(({ label, url }) => `${label} at ${url}`).join(', ');
      const detail = progress.printLine === undefined ? `${how} ${found}`.trim() : found;
      await progress.update({ stage: 'Looking for services', detail });
    };
    await show();
    const onFound = (found: FoundService) => {
      seen.push(found);
      show().catch(() => undefined);
    };
    return await findServices({ ...places, signal, onFound });
  });
  // Who has stopped it has not looked everywhere: what an earlier look has found is still there.
  const before =
    all === undefined ? run.foundServices.filter(({ url }) => !seen.some((each) => each.url === url)) : [];
  run.foundServices = [...seen, ...before];
  if (all?.length === 0) await reportNothingFound(context);
}

async function reportNothingFound({ host, signal }: SetupContext): Promise<void> {
  await host.questions.show(
    {
      title: 'Nothing was found',
      text: 'None of the services that Slipstream knows answered on your network at its usual port. Choose the one that you have, and enter its address.',
    },
    signal,
  );
}

/** Whether what was found can be set up as this service. */
export const canBeService = ({ service, alsoAs }: FoundService, { id }: Service): boolean =>
  service === id || alsoAs === id;

/** What the question for a service's address offers, where the service was found. */
export function addressOffer(
  service: Service,
  { foundServices: near }: Pick<SetupRun, 'foundServices'>,
): TextOffer {
  const found = near.find((each) => canBeService(each, service));
  if (found === undefined) return {};
  if (found.isPage !== true) return { value: found.url };
  return { help: `Open ${found.url} in a browser, and copy here the address of the manifest that it shows.` };
}
