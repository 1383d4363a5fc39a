import type { Check } from '../../diagnosis/check.ts';
import type { SettingId, Settings } from '../../settings/index.ts';
import { explainMissing } from '../missing-values.ts';
import type { Service, TestContext } from '../service.ts';
import { sourceOfSettings } from '../sources.ts';
import { withoutPlaces } from '../without-places.ts';

type Kind = 'newznab' | 'hydra' | 'prowlarr' | 'stremio';

interface SourceService
  extends Pick<
    Service,
    'name' | 'products' | 'help' | 'fields' | 'usualPorts' | 'usualPaths' | 'offeredKey'
  > {
  readonly id: Kind;
  /** Without it there is none. */
  readonly address: SettingId;
}

/** A service that is searched, as the settings have it. */
export const searchService = ({ address, ...service }: SourceService): Service => ({
  ...service,
  role: 'search',
  chosenBy: {},
  isSetUp: (settings) => settings[address] !== '',
  test: async (settings: Settings, { folder, log, signal }: TestContext): Promise<readonly Check[]> =>
    withoutPlaces(
      explainMissing(
        await sourceOfSettings(service.id, settings, folder, log).test(signal),
        (id) => settings[id] === '',
      ),
    ),
});
