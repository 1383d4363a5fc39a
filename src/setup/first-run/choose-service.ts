import type { Service, ServiceId } from '../../connections/service.ts';
import { SERVICES, serviceById } from '../../connections/services/index.ts';
import type { ChoiceRow } from '../../host/port.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import { whileShowing } from '../asking/while-showing.ts';
import { type Found, findServices } from '../discovery/index.ts';
import { askPreset } from '../lists/indexers/presets.ts';
import type { Run, Side, Step } from './step.ts';

const QUESTIONS: Readonly<Record<Side, { readonly label: string; readonly title: string }>> = {
  search: { label: 'What searches', title: 'What do you search with? One is enough for now' },
  play: { label: 'What plays', title: 'What gets a release ready for playing?' },
};

const LOOK = 'look';
const NONE = 'none';

/** Which service does the work of one side. */
export function chooseService(side: Side): Step {
  const { label, title } = QUESTIONS[side];
  return {
    id: `${side}-service`,
    label,
    isNeeded: (run) => Promise.resolve(!(run.isChosenElsewhere && run.chosen[side] !== undefined)),
    run: async (run) => {
      const { host, signal } = run.context;
      let found: readonly Found[] = [];
      for (;;) {
        const rows = await rowsFor(side, found, run);
        const focused = run.chosen[side];
        const chosen = await host.questions.choose({ title, rows, ...(focused && { focused }) }, signal);
        if (chosen === undefined) return 'back';
        if (chosen === LOOK) found = await look(run);
        else if (await take(chosen as ServiceId | typeof NONE, side, found, run)) return 'next';
      }
    },
  };
}

async function rowsFor(side: Side, found: readonly Found[], { context, chosen }: Run): Promise<ChoiceRow[]> {
  const settings = await storedSettings(context.host);
  const detail = (service: Service) => {
    const address = found.find((each) => each.service === service.id)?.url;
    if (address !== undefined) return `Found at ${address}`;
    return service.isSetUp(settings) ? `Is set up. ${service.help}` : service.help;
  };
  const services = SERVICES.filter(({ role }) => role === side).map((service) => ({
    id: service.id,
    label: service.name,
    detail: detail(service),
  }));
  const none = {
    id: NONE,
    label: 'Nothing else',
    detail: 'The Stremio add-on lists streams that play by themselves.',
  };
  return [
    ...services,
    ...(side === 'play' && chosen.search === 'stremio' ? [none] : []),
    { id: LOOK, label: 'Look for them on my network', detail: 'Takes a few seconds.' },
  ];
}

async function look({ context }: Run): Promise<readonly Found[]> {
  const found = await whileShowing('Looking on your network', context, async (progress, signal) => {
    await progress.update({ stage: 'Looking for services on your network' });
    const seen: string[] = [];
    return await findServices({
      signal,
      onFound: ({ label, url }) => {
        seen.push(`${label} at ${url}`);
        progress.update({ stage: 'Looking for services', detail: seen.join(', ') }).catch(() => undefined);
      },
    });
  });
  if (found?.length === 0)
    await context.host.questions.show(
      {
        title: 'Nothing was found',
        text: 'None of the services that Slipstream knows answered on your network at its usual port. Choose the one that you have, and enter its address.',
      },
      context.signal,
    );
  return found ?? [];
}

/** Stores what makes it the chosen one, and where it was found. @returns false when the person went back */
async function take(
  id: ServiceId | typeof NONE,
  side: Side,
  found: readonly Found[],
  run: Run,
): Promise<boolean> {
  const { host } = run.context;
  if (id !== NONE) {
    const service = serviceById(id);
    const address = found.find((each) => each.service === id)?.url;
    const field = addressField(service);
    const preset = id === 'newznab' ? await askPreset(run.context) : 'other';
    if (preset === undefined) return false;
    const chosenBy = service.chosenBy as Readonly<Record<string, string>>;
    await host.writeSettings({
      ...chosenBy,
      ...(preset !== 'other' && { indexer_name: preset.name, indexer_url: preset.url }),
      ...(address !== undefined && field !== undefined && { [field]: address }),
    });
  }
  run.chosen = { ...run.chosen, [side]: id };
  return true;
}

const addressField = ({ fields }: Service): string | undefined =>
  fields.find(({ setting }) => setting.endsWith('_url'))?.setting;
