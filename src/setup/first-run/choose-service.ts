import type { Service, ServiceId } from '../../connections/service.ts';
import { SERVICES, serviceById } from '../../connections/services/index.ts';
import type { ChoiceRow } from '../../host/port.ts';
import { settingRow, storedSettings } from '../asking/stored-settings.ts';
import { whileShowing } from '../asking/while-showing.ts';
import { type Found, findServices } from '../discovery/index.ts';
import { askPreset, isPreset } from '../lists/indexers/presets.ts';
import { addressField, moveTo, type Place } from './move.ts';
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
    { id: LOOK, label: 'Look for them on my network', detail: 'Takes about half a minute.' },
  ];
}

/** What was found until the person had enough counts as well. */
async function look({ context }: Run): Promise<readonly Found[]> {
  const seen: Found[] = [];
  const all = await whileShowing('Looking on your network', context, async (progress, signal) => {
    await progress.update({ stage: 'Looking for services on your network' });
    return await findServices({
      signal,
      onFound: (found) => {
        seen.push(found);
        const detail = seen.map(({ label, url }) => `${label} at ${url}`).join(', ');
        progress.update({ stage: 'Looking for services', detail }).catch(() => undefined);
      },
    });
  });
  if (all?.length === 0)
    await context.host.questions.show(
      {
        title: 'Nothing was found',
        text: 'None of the services that Slipstream knows answered on your network at its usual port. Choose the one that you have, and enter its address.',
      },
      context.signal,
    );
  return seen;
}

/** Stores what makes it the chosen one, and where it is, if that is known. @returns false when the person went back */
async function take(
  id: ServiceId | typeof NONE,
  side: Side,
  found: readonly Found[],
  run: Run,
): Promise<boolean> {
  if (id !== NONE) {
    const service = serviceById(id);
    const place = id === 'newznab' ? await placeOfIndexer(run) : await placeFound(service, found, run);
    if (place === undefined || !(await moveTo(place, service, run.context))) return false;
    await run.context.host.writeSettings(service.chosenBy);
  }
  run.chosen = { ...run.chosen, [side]: id };
  return true;
}

/** Where it was found. What stands there of another service, which shares its settings, is not where it is. */
async function placeFound(service: Service, found: readonly Found[], { context }: Run): Promise<Place> {
  const address = addressField(service);
  if (address === undefined) return {};
  const url = found.find((each) => each.service === service.id)?.url;
  if (url !== undefined) return { [address]: url };
  const settings = await storedSettings(context.host);
  return settings[address] === '' || service.isSetUp(settings) ? {} : { [address]: '' };
}

/** One without a preset is where it was entered, unless that is where a preset led. Undefined: back. */
async function placeOfIndexer({ context }: Run): Promise<Place | undefined> {
  const preset = await askPreset(context);
  if (preset === undefined) return undefined;
  if (preset !== 'other') return { indexer_name: preset.name, indexer_url: preset.url };
  const { indexer_url } = await storedSettings(context.host);
  const indexer_name = String(settingRow('indexer_name').default);
  return isPreset(indexer_url) ? { indexer_name, indexer_url: '' } : {};
}
