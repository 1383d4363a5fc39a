import type { Host } from '../../host/port.ts';
import {
  parseSettings,
  SETTING_IDS,
  SETTINGS,
  type Setting,
  type SettingId,
  type Settings,
} from '../../settings/index.ts';

/** The settings as they are stored now. */
export async function storedSettings(host: Pick<Host, 'readSettings'>): Promise<Settings> {
  return parseSettings(await host.readSettings(SETTING_IDS));
}

const ROWS: ReadonlyMap<string, Setting> = new Map(SETTINGS.map((setting) => [setting.id, setting]));

/** What the table says of a setting. */
export function settingRow(id: SettingId): Setting {
  const row = ROWS.get(id);
  if (row === undefined) throw new TypeError(`no setting ${id}`);
  return row;
}

export const isSecret = (setting: Setting): boolean => setting.type === 'text' && setting.secret === true;

/** What stands in a setting, for a screen that others may see. */
export function shownValue(id: SettingId, settings: Settings): string {
  const setting = settingRow(id);
  const value = settings[id];
  if (value === '') return 'empty';
  if (isSecret(setting)) return 'entered';
  if (setting.type === 'choice')
    return setting.options.find((option) => option.value === value)?.label ?? String(value);
  if (setting.type === 'boolean') return value === true ? 'on' : 'off';
  return String(value);
}
