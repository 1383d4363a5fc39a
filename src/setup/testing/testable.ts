import type { Service } from '../../connections/service.ts';
import type { Check, Mend, SettingId } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { askValue } from '../asking/ask-value.ts';
import { settingRow, shownValue, storedSettings } from '../asking/stored-settings.ts';
import { runMappings } from '../lists/mappings.ts';
import { holdsLogin } from '../phone/shown-settings.ts';

/** Something whose connection can be tried, with what was entered for it. */
export interface Testable {
  readonly name: string;
  /** All that was entered for it, secrets too: to be compared with what was, and nothing else. */
  entered(): Promise<string>;
  /** Rejects only when the signal aborts. */
  test(signal: AbortSignal): Promise<readonly Check[]>;
  /** What can be changed. */
  readonly values: readonly SettingId[];
  /** What else may be wrong with it, and has a dialog of its own. */
  readonly more: readonly MoreOfIt[];
  /** How one of them is called. */
  labelOf(id: SettingId): string;
  /** What stands there now, fit to be seen by others. */
  shown(id: SettingId): Promise<string>;
  /** Whether nothing that was entered is lost by that value, as a login in an address would be. */
  takes(mend: Mend): Promise<boolean>;
  /** Stores a value that is known to be right. */
  enter(mend: Mend): Promise<void>;
  /** Asks for it and stores it. @returns whether something was entered */
  change(id: SettingId): Promise<boolean>;
}

export interface MoreOfIt {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly act: () => Promise<unknown>;
}

export function testableService(service: Service, context: SetupContext): Testable {
  const { host, log } = context;
  const thing: Testable = {
    name: service.name,
    entered: async () => {
      const settings = await storedSettings(host);
      return JSON.stringify([service.id, ...service.fields.map(({ setting }) => settings[setting])]);
    },
    test: async (signal) =>
      service.test(await storedSettings(host), { files: host.files, folder: host.dataFolder, log, signal }),
    values: service.fields.map(({ setting }) => setting),
    labelOf: (id) => settingRow(id).label,
    shown: async (id) => shownValue(id, await storedSettings(host)),
    takes: async ({ setting }) => losesNothing(setting, String((await storedSettings(host))[setting])),
    enter: ({ setting, value }) => host.writeSettings({ [setting]: value }),
    more: service.id === 'nzbget' ? [moreFolders(() => runMappings(context, thing))] : [],
    change: (id) => askValue(service, id, context),
  };
  return thing;
}

/** As the button for it is called in the settings. */
const moreFolders = (act: () => Promise<unknown>): MoreOfIt => ({
  id: 'mappings',
  label: 'More folders',
  detail: 'Where other folders of NZBGet are found from here, such as those of its categories.',
  act,
});

/** A login that stands in an address is not in the one that is known to be right. */
export const losesNothing = (setting: SettingId, entered: string): boolean =>
  !setting.endsWith('_url') || !holdsLogin(entered);
