export { parseSettings, SETTING_IDS, type Settings } from './settings.ts';
export { type Setting, type SettingId, SETTINGS } from './table.ts';
