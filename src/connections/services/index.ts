import type { Check } from '../../diagnosis/check.ts';
import type { Settings, SourceEntry } from '../../settings/index.ts';
import { explainMissing } from '../missing-values.ts';
import type { Service, ServiceId, TestContext } from '../service.ts';
import { sourceOfEntry } from '../sources.ts';
import { withoutPlaces } from '../without-places.ts';
import { ALTMOUNT } from './altmount.ts';
import { HYDRA } from './hydra.ts';
import { NEWZNAB } from './newznab.ts';
import { NZBGET } from './nzbget.ts';
import { PROWLARR } from './prowlarr.ts';
import { STREAMNZB } from './streamnzb.ts';
import { STREMIO } from './stremio.ts';
import { tmdbService } from './tmdb.ts';
import { WEBDAV } from './webdav.ts';

/** All that can be set up, in the order in which a person should see it: within a role, what most people have first. */
export const SERVICES: readonly Service[] = [
  NEWZNAB,
  HYDRA,
  PROWLARR,
  STREMIO,
  WEBDAV,
  NZBGET,
  ALTMOUNT,
  STREAMNZB,
  tmdbService(),
];

const BY_ID: ReadonlyMap<ServiceId, Service> = new Map(SERVICES.map((service) => [service.id, service]));

export function serviceById(id: ServiceId): Service {
  const service = BY_ID.get(id);
  if (service === undefined) throw new TypeError(`no service ${id}`);
  return service;
}

/** What people may mean by a name: an id, a service, or a product that is set up as one. */
export const servicesCalled = (name: string): readonly Service[] =>
  SERVICES.filter(({ id, name: own, products = [] }) =>
    [id, own, ...products].some((each) => plain(each) === plain(name)),
  );

/** "NZBHydra 2" and "nzbhydra2" are the same. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Those for which enough is entered to try them. */
export const servicesSetUp = (settings: Settings): readonly Service[] =>
  SERVICES.filter((service) => service.isSetUp(settings));

/** The one that is to play; undefined: it is not set up. */
export const playingService = (settings: Settings): Service | undefined =>
  servicesSetUp(settings).find(
    ({ chosenBy: { playback_backend } }) => playback_backend === settings.playback_backend,
  );

/**
 * As Service.test, for a source of the person's list. A check's setting is the one that stands for the same in the
 * settings: hydra_url for the address of any NZBHydra2.
 */
export const testEntry = async (
  entry: SourceEntry,
  settings: Settings,
  { folder, log, signal }: TestContext,
): Promise<readonly Check[]> =>
  withoutPlaces(
    explainMissing(
      await sourceOfEntry(entry, settings, folder, log).test(signal),
      (id) => id.endsWith('_api_key') && entry.apiKey === '',
    ),
  );
