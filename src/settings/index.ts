export { openPathMappings, type PathMapping } from './path-mappings.ts';
export { parseSettings, SETTING_IDS, type Settings } from './settings.ts';
export { readSourceList, type SourceEntry } from './source-list.ts';
export { openSustainedRate, type Sustained, type SustainedRate } from './sustained.ts';
export { SETTINGS, type Setting, type SettingId } from './table.ts';
