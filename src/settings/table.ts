import { ADVANCED } from './pages/advanced.ts';
import { BACKENDS } from './pages/backends.ts';
import { CONNECTION } from './pages/connection.ts';
import { FALLBACK } from './pages/fallback.ts';
import { LIMITS } from './pages/limits.ts';
import { WORDS } from './pages/name-words.ts';
import { PLAYBACK } from './pages/playback.ts';
import { QUALITY } from './pages/quality.ts';
import { RESILIENCE } from './pages/resilience.ts';
import type { ActionRow, SettingsPage } from './pages/schema.ts';
import { SORTING } from './pages/sorting.ts';

export type {
  ActionRow,
  RowCondition,
  Setting,
  SettingLevel,
  SettingsGroup,
  SettingsPage,
  SettingsRow as Row,
} from './pages/schema.ts';

/**
 * The settings dialog, page by page, in its order on screen; a file for each page. settings.xml, strings.po and the
 * settings page of the docs are generated from this table. An id is forever: a person's stored value hangs on it.
 * String ids are explicit and never reused: what goes is listed in retired-strings.ts.
 */
export const PAGES = [
  CONNECTION,
  BACKENDS,
  QUALITY,
  WORDS,
  LIMITS,
  SORTING,
  PLAYBACK,
  FALLBACK,
  RESILIENCE,
  ADVANCED,
] as const satisfies readonly SettingsPage[];

type AnyRow = (typeof PAGES)[number]['groups'][number]['rows'][number];

/** Every setting as the table has it, with its own id and its own options. */
export type TableSetting = Exclude<AnyRow, { readonly type: 'action' }>;
export type SettingId = TableSetting['id'];

/** Every setting, once. */
export const SETTINGS: readonly TableSetting[] = rowsOf(PAGES).filter(
  (row): row is TableSetting => row.type !== 'action',
);

/** Whether a setting holds an address or a folder, by its id. */
export const isAddressId = (id: string): boolean => /_(?:url|folder)$/.test(id);

/** Every button, once. */
export const ACTION_ROWS: readonly ActionRow[] = rowsOf(PAGES).filter((row) => row.type === 'action');

/** All rows of some pages, in their order. */
export function rowsOf<const P extends SettingsPage>(pages: readonly P[]) {
  return pages.flatMap(({ groups }) =>
    groups.flatMap(({ rows }): readonly P['groups'][number]['rows'][number][] => rows),
  );
}
