export type { Check } from './check.ts';
export { openPathMappings } from './path-mappings.ts';
export { parseSettings, SETTING_IDS, type Settings } from './settings.ts';
export { readSourceList, type SourceEntry } from './source-list.ts';
export { openSustainedRate } from './sustained.ts';
export { SETTINGS, type Setting, type SettingId } from './table.ts';
