import { type Document, openDocument } from '../io/store.ts';
import { type PreferenceLists, parsePreferenceLists } from '../release/index.ts';

/** The person's lists: the order of the criteria, custom formats, groups. */
export const openPreferenceLists = (folder: string): Document<PreferenceLists> =>
  openDocument(folder, 'preferences', { version: 1, parse: parsePreferenceLists });
