import type { Dialect } from './dialect.ts';
import { NZBDAV } from './nzbdav.ts';

/**
 * SABnzbd, and whatever else speaks its dialect (protocols.md §3). It serves no files itself; what serves them beside it
 * is expected to do so as nzbdav does.
 */
export const SABNZBD: Dialect = {
  ...NZBDAV,
  name: 'SABnzbd',
  keyIn: 'query',
  keyLocation: 'SABnzbd, Config, General',
  // There 2 is "force": it downloads although a person has paused everything.
  priorityParams: {},
  deleteParams: { del_completed_files: '1', del_files: '1', archive: '0' },
  checksCategories: true,
  // It tries a dead address for 300 s, and shows every address with its key in its history.
  fetchesUrls: false,
};
