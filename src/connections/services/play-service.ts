import type { Check } from '../../diagnosis/check.ts';
import { runCheckSteps } from '../../diagnosis/index.ts';
import { asSlipstreamError } from '../../errors/index.ts';
import type { SettingId, Settings } from '../../settings/index.ts';
import { openBackend } from '../backends.ts';
import { explainMissing } from '../missing-values.ts';
import type { Service, TestContext } from '../service.ts';
import { withoutPlaces } from '../without-places.ts';

interface BackendService
  extends Pick<Service, 'id' | 'name' | 'products' | 'help' | 'fields' | 'usualPorts'> {
  /** Without it there is none. */
  readonly address: SettingId;
  readonly chosenBy: { readonly playback_backend: Settings['playback_backend'] } & Service['chosenBy'];
}

/** A service that plays, tested as if it were the chosen one. */
export const playService = ({ address, chosenBy, ...service }: BackendService): Service => ({
  ...service,
  chosenBy,
  role: 'play',
  isSetUp: (settings) =>
    settings[address] !== '' &&
    (chosenBy.direct_kind === undefined || settings.direct_kind === chosenBy.direct_kind),
  test: async (settings, context) => {
    const chosen = { ...settings, ...chosenBy };
    try {
      const backend = await openBackend(chosenBy.playback_backend, chosen, context);
      return withoutPlaces(explainMissing(await backend.test(context.signal), (id) => settings[id] === ''));
    } catch (error) {
      context.signal.throwIfAborted();
      return await invalidAddressChecks(service.name, address, error, context);
    }
  },
});

/** What is entered is no address. */
function invalidAddressChecks(
  name: string,
  setting: SettingId,
  error: unknown,
  { signal }: TestContext,
): Promise<readonly Check[]> {
  const failure = asSlipstreamError(error);
  const step = {
    what: () => `The address of ${name}`,
    run: () => Promise.reject(failure),
    explain: () => ({ failure, setting }),
  };
  return runCheckSteps([step], signal);
}
