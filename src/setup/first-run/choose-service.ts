import type { Service, ServiceId } from '../../connections/service.ts';
import { SERVICES, serviceById } from '../../connections/services/index.ts';
import type { ChoiceRow } from '../../host/port.ts';
import { settingRow, storedSettings } from '../asking/stored-settings.ts';
import { type FoundService, SCAN_DURATION_TEXT } from '../discovery/index.ts';
import { askPreset, isPreset } from '../lists/indexers/presets.ts';
import { asksHow, continueAfterPhone, PHONE } from './intro.ts';
import { canBeService, scanNetwork } from './scan-network.ts';
import { addressField, type ServiceAddress, storeServiceAddress } from './service-address.ts';
import type { SetupRun, Side, Step } from './step.ts';

const QUESTIONS: Readonly<Record<Side, { readonly label: string; readonly title: string }>> = {
  search: { label: 'What searches', title: 'What do you search with? One is enough for now' },
  play: { label: 'What plays', title: 'What gets a release ready for playing?' },
};

/** On a screen the set-up begins with it, so it says what it is. */
const FIRST_TITLE = 'Set up Slipstream: what do you search with?';

const SCAN = 'look';
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
      let focused: string | undefined = run.chosen[side];
      const asked = isFirstOnScreen(side, run) ? FIRST_TITLE : title;
      for (;;) {
        const found = run.foundServices.flatMap((each) => rowsOfFound(each, side));
        const rows = [...found.map(({ row }) => row), ...(await rowsFor(side, run))];
        const chosen = await host.questions.choose(
          { title: asked, rows, ...(focused && { focused }) },
          signal,
        );
        if (chosen === undefined) return 'back';
        if (chosen === PHONE.id) return await continueAfterPhone(run, { goTo: 'intro' });
        focused = undefined;
        const taken = found.find(({ row }) => row.id === chosen);
        if (chosen === SCAN) await scanNetwork(run);
        else if (taken !== undefined && (await chooseFound(taken, side, run))) return 'next';
        else if (taken === undefined && (await chooseById(chosen as ServiceId | typeof NONE, side, run)))
          return 'next';
      }
    },
  };
}

interface FoundRow {
  readonly row: ChoiceRow;
  readonly service: Service;
  readonly found: FoundService;
}

/** What was found, as each service of that side that it can be. */
function rowsOfFound(found: FoundService, side: Side): FoundRow[] {
  return SERVICES.filter((service) => service.role === side && canBeService(found, service)).map(
    (service) => ({
      service,
      found,
      row: {
        id: `${service.id} ${found.url}`,
        label:
          found.service === service.id && found.alsoAs !== undefined
            ? `${found.label} by WebDAV`
            : found.label,
        detail:
          found.isPage === true ? `Found: ${found.url} shows the address to copy` : `Found at ${found.url}`,
      },
    }),
  );
}

async function rowsFor(side: Side, run: SetupRun): Promise<ChoiceRow[]> {
  const { context, chosen } = run;
  const settings = await storedSettings(context.host);
  const services = SERVICES.filter(({ role }) => role === side).map((service) => ({
    id: service.id,
    label: service.name,
    detail: service.isSetUp(settings) ? `Is set up. ${service.help}` : service.help,
  }));
  const none = {
    id: NONE,
    label: 'Nothing else',
    detail: 'The Stremio add-on lists streams that play by themselves.',
  };
  const byPhone = side === 'search' && !asksHow(run) ? [PHONE] : [];
  const isOnScreen = isFirstOnScreen(side, run);
  return [
    ...(isOnScreen ? byPhone : []),
    ...services,
    ...(side === 'play' && chosen.search === 'stremio' ? [none] : []),
    {
      id: SCAN,
      label: 'Look for them on my network',
      detail: `Takes ${SCAN_DURATION_TEXT}, and can be stopped.`,
    },
    ...(isOnScreen ? [] : byPhone),
  ];
}

/** The first question of all, for somebody with a remote control: a phone is easier there, and harder at a keyboard. */
const isFirstOnScreen = (side: Side, run: SetupRun): boolean =>
  side === 'search' && run.context.host.shell === undefined && !asksHow(run);

/** Stores that it is the chosen one, and where it is. @returns false when the person went back */
async function chooseFound({ service, found }: FoundRow, side: Side, run: SetupRun): Promise<boolean> {
  const address = addressField(service);
  const place = address === undefined || found.isPage === true ? {} : { [address]: found.url };
  return await choose(service, place, side, run);
}

/** Stores what makes it the chosen one; where it is, is asked for later. @returns false when the person went back */
async function chooseById(id: ServiceId | typeof NONE, side: Side, run: SetupRun): Promise<boolean> {
  if (id === NONE) {
    run.chosen = { ...run.chosen, [side]: id };
    return true;
  }
  const service = serviceById(id);
  const place = id === 'newznab' ? await indexerAddress(run) : await addressOfOther(service, run);
  return place !== undefined && (await choose(service, place, side, run));
}

async function choose(service: Service, place: ServiceAddress, side: Side, run: SetupRun): Promise<boolean> {
  if (!(await storeServiceAddress(place, service, run.context))) return false;
  await run.context.host.writeSettings(service.chosenBy);
  run.chosen = { ...run.chosen, [side]: service.id };
  return true;
}

/** What stands there of another service, which shares its settings, is not where it is. */
async function addressOfOther(service: Service, { context }: SetupRun): Promise<ServiceAddress> {
  const address = addressField(service);
  if (address === undefined) return {};
  const settings = await storedSettings(context.host);
  return settings[address] === '' || service.isSetUp(settings) ? {} : { [address]: '' };
}

/** One without a preset is where it was entered, unless that is where a preset led. Undefined: back. */
async function indexerAddress({ context }: SetupRun): Promise<ServiceAddress | undefined> {
  const preset = await askPreset(context);
  if (preset === undefined) return undefined;
  const unnamed = String(settingRow('indexer_name').default);
  if (preset !== 'other') return { indexer_name: preset.name || unnamed, indexer_url: preset.url };
  const { indexer_url } = await storedSettings(context.host);
  return isPreset(indexer_url) ? { indexer_name: unnamed, indexer_url: '' } : {};
}
