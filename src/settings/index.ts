export type { Check, Fix as Mend } from '../diagnosis/check.ts';
export { openThroughputStore as openSustainedRate } from '../library/throughput.ts';
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
  type Condition,
  type Group,
  type Level,
  PAGES,
  type Page,
  type Row,
  rowsOf,
  SETTINGS,
  type Setting,
  type SettingId,
} from './table.ts';
export { openUserDocument as openHandWritten } from './user-document.ts';
