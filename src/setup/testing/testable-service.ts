import type { Service } from '../../connections/service.ts';
import type { SettingId } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { askValue } from '../asking/ask-value.ts';
import { settingRow, shownValue, storedSettings } from '../asking/stored-settings.ts';
import { runMappings } from '../lists/mappings.ts';
import { holdsLogin } from '../phone/shown-settings.ts';
import type { RelatedDialog, Testable } from './testable.ts';

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
    shownValue: async (id) => shownValue(id, await storedSettings(host)),
    keepsLogin: async ({ setting }) => keepsLogin(setting, String((await storedSettings(host))[setting])),
    enter: ({ setting, value }) => host.writeSettings({ [setting]: value }),
    moreDialogs: service.id === 'nzbget' ? [foldersDialog(() => runMappings(context, thing))] : [],
    change: (id) => askValue(service, id, context),
  };
  return thing;
}

/** As the button for it is called in the settings. */
const foldersDialog = (act: () => Promise<unknown>): RelatedDialog => ({
  id: 'mappings',
  label: 'More folders',
  detail: 'Where other folders of NZBGet are found from here, such as those of its categories.',
  act,
});

/** A login that stands in an address is not in the one that is known to be right. */
export const keepsLogin = (setting: SettingId, entered: string): boolean =>
  !setting.endsWith('_url') || !holdsLogin(entered);
