import { type Document, openDocument } from '../io/store.ts';
import type { Logger } from '../log/index.ts';
import { NO_LISTS, type PreferenceLists, parsePreferenceLists } from '../release/index.ts';
import { readFormatFolder } from './format-folder.ts';

/** The person's lists: the order of the criteria, groups, custom formats. */
const openPreferenceLists = (folder: string): Document<PreferenceLists> =>
  openDocument(folder, 'preferences', { version: 1, parse: parsePreferenceLists });

/** The same, with the formats of the folder for them. */
export async function readPreferenceLists(folder: string, log: Logger): Promise<PreferenceLists> {
  const lists = (await openPreferenceLists(folder).read()) ?? NO_LISTS;
  return { ...lists, formats: [...lists.formats, ...(await readFormatFolder(folder, log))] };
}
