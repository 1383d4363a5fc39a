export { parseSettings, SETTING_IDS, type Settings } from './settings.ts';
export { SETTINGS, type Setting } from './table.ts';
