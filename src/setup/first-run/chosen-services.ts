import type { ServiceId } from '../../connections/service.ts';
import { SERVICES } from '../../connections/services/index.ts';
import { readSourceList, type Settings } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import type { SetupRun, Side } from './step.ts';

/** What the settings have for each side of the pipeline; a side that has nothing is absent. */
export async function chosenServices({
  host,
  log,
}: Pick<SetupContext, 'host' | 'log'>): Promise<SetupRun['chosen']> {
  const settings = await storedSettings(host);
  const { entries } = await readSourceList(host.dataFolder, log);
  const listed = entries.find(({ enabled, url }) => enabled && url !== '')?.kind;
  const search = setUpFor('search', settings) ?? (listed === undefined ? undefined : 'none');
  const listsLinks =
    search === 'stremio' || entries.some(({ kind, enabled }) => kind === 'stremio' && enabled);
  const play = setUpFor('play', settings) ?? (listsLinks ? 'none' : undefined);
  return { ...(search !== undefined && { search }), ...(play !== undefined && { play }) };
}

/** Of those that play, only the one that is chosen counts. */
function setUpFor(side: Side, settings: Settings): ServiceId | undefined {
  return SERVICES.find(
    (service) => service.role === side && isChosen(service.chosenBy, settings) && service.isSetUp(settings),
  )?.id;
}

const isChosen = (by: Readonly<Record<string, unknown>>, settings: Settings): boolean =>
  Object.entries(by).every(([id, value]) => settings[id as keyof Settings] === value);
