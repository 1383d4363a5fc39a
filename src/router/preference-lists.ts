import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { openDocument } from '../io/store.ts';
import type { Logger } from '../log/index.ts';
import { NO_LISTS, type PreferenceLists, parsePreferenceLists } from '../release/index.ts';
import { readFormatFolder } from './format-folder.ts';

/**
 * The person's lists: the order of the criteria, groups, custom formats, also those of the folder for them. What of it
 * cannot be used is left out, and the log says so.
 */
export async function readPreferenceLists(folder: string, log: Logger): Promise<PreferenceLists> {
  const lists = await readKept(folder, log);
  return { ...lists, formats: [...lists.formats, ...(await readFormatFolder(folder, log))] };
}

async function readKept(folder: string, log: Logger): Promise<PreferenceLists> {
  const warn = (problem: string) => {
    log.warning(`preferences.json: ${problem}`);
  };
  const document = openDocument(folder, 'preferences', {
    version: 1,
    parse: (value) => parsePreferenceLists(value, warn),
  });
  const lists = await document.read();
  if (lists !== undefined) return lists;
  const isThere = await access(join(folder, 'preferences.json')).then(
    () => true,
    () => false,
  );
  // It is written by hand, and a comma may be missing.
  if (isThere) warn('it is no JSON of the form {"version": 1, "value": {…}}, so none of it counts');
  return NO_LISTS;
}
