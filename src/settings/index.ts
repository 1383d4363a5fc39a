export {
  editListedMappings,
  type ListedMapping,
  openPathMappings,
  type PathMapping,
  readListedMappings,
} from './path-mappings.ts';
export { RETIRED_STRINGS } from './retired-strings.ts';
export { parseSettings, SETTING_IDS, type Settings } from './settings.ts';
export {
  editListedSources,
  type ListedSource,
  listedSource,
  readListedSources,
  readSourceList,
  type SourceEntry,
} from './source-list.ts';
export {
  ACTION_ROWS,
  type ActionRow,
  isAddressId,
  PAGES,
  type Row,
  type RowCondition,
  rowsOf,
  SETTINGS,
  type Setting,
  type SettingId,
  type SettingLevel,
  type SettingsGroup,
  type SettingsPage,
} from './table.ts';
export { openUserDocument } from './user-document.ts';
