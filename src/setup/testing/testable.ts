import type { Service } from '../../connections/service.ts';
import type { Check, SettingId } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { askValue } from '../asking/ask-value.ts';
import { settingRow, shownValue, storedSettings } from '../asking/stored-settings.ts';

/** Something whose connection can be tried, with what was entered for it. */
export interface Testable {
  readonly name: string;
  /** Rejects only when the signal aborts. */
  test(signal: AbortSignal): Promise<readonly Check[]>;
  /** What can be changed. */
  readonly values: readonly SettingId[];
  /** How one of them is called. */
  labelOf(id: SettingId): string;
  /** What stands there now, fit to be seen by others. */
  shown(id: SettingId): Promise<string>;
  /** Asks for it and stores it. @returns whether something was entered */
  change(id: SettingId): Promise<boolean>;
}

export function testableService(service: Service, context: SetupContext): Testable {
  const { host, log } = context;
  return {
    name: service.name,
    test: async (signal) =>
      service.test(await storedSettings(host), { files: host.files, folder: host.dataFolder, log, signal }),
    values: service.fields.map(({ setting }) => setting),
    labelOf: (id) => settingRow(id).label,
    shown: async (id) => shownValue(id, await storedSettings(host)),
    change: (id) => askValue(service, id, context),
  };
}
