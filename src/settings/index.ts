export { parseSettings, SETTING_IDS, type Settings } from './settings.ts';
export { SETTINGS, type Setting } from './table.ts';
export { openSourceList, type SourceEntry } from './source-list.ts';
