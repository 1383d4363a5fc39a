import type { FinishedJob } from '../../backend.ts';
import { type Dialect, distinct, type JobLocation, pathParts } from './dialect.ts';

const CONTENT = 'content';

/** nzbdav 0.6, and davex, which differs from it in nothing that is asked here (protocols.md §2.9). */
export const NZBDAV: Dialect = {
  name: 'nzbdav',
  apiPath: '/api',
  keyIn: 'header',
  keyLocation: 'the settings of nzbdav, SABnzbd',
  addFileParams: () => ({}),
  // The highest priority: the running job is not interrupted, and of equals the oldest is next (protocols.md §1.4).
  priorityParams: { priority: '2' },
  deleteParams: { del_completed_files: '1' },
  leavesFiles: false,
  hasPercent: true,
  hasWarnings: false,
  replacesObfuscatedNames: false,
  checksCategories: false,
  isCategoryCaseSensitive: false,
  fetchesUrls: true,
  serving: { look: 'dear', windows: false, zeroFills: false, complete: true },
  sharePath: [],
  hasFolderSettings: false,
  root: () => [CONTENT],
  jobLocations,
};

/** nzbdav's maintained fork: a drop-in. */
export const INFINIDYSK: Dialect = {
  ...NZBDAV,
  name: 'InfiniDysk',
  keyLocation: 'the settings of InfiniDysk, SABnzbd',
  hasWarnings: true,
  // It refuses whatever is not on the internet, unless its owner has listed it.
  fetchesUrls: false,
  serving: { look: 'cheap', windows: false, zeroFills: true, complete: true },
};

/**
 * `storage` is a path on the server's disk, whose last part is the folder's name in the share (protocols.md §1.6); with
 * nzbdav-rs it is the path in the share. Some file under another category's folder than the history names.
 */
function jobLocations({ category, storage, name }: FinishedJob): readonly JobLocation[] {
  const parts = pathParts(storage);
  if (parts[0] === CONTENT && parts.length > 1) return [{ folder: parts }];
  const inCategory = { folder: [CONTENT, category, parts.at(-1) ?? name] };
  return parts.length < 2 ? [inCategory] : distinct([inCategory, { folder: [CONTENT, ...parts.slice(-2)] }]);
}
