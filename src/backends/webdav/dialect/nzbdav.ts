import type { FinishedJob } from '../../backend.ts';
import { type Dialect, distinct, type Place, partsOf } from './dialect.ts';

const CONTENT = 'content';

/** nzbdav 0.6, and davex, which differs from it in nothing that is asked here (protocols.md §2.9). */
export const NZBDAV: Dialect = {
  name: 'nzbdav',
  apiPath: '/api',
  keyIn: 'header',
  keyPlace: 'the settings of nzbdav, SABnzbd',
  addFile: () => ({}),
  // The highest priority: the running job is not interrupted, and of equals the oldest is next (protocols.md §1.4).
  goesFirst: { priority: '2' },
  deletion: { del_completed_files: '1' },
  leavesFiles: false,
  showsPercent: true,
  tellsHolds: false,
  replacesNames: false,
  checksCategories: false,
  comparesSpelling: false,
  fetchesAddresses: true,
  serving: { look: 'dear', windows: false, zeroFills: false, complete: true },
  sharePath: [],
  tellsFolders: false,
  root: () => [CONTENT],
  places,
};

/** nzbdav's maintained fork: a drop-in. */
export const INFINIDYSK: Dialect = {
  ...NZBDAV,
  name: 'InfiniDysk',
  keyPlace: 'the settings of InfiniDysk, SABnzbd',
  tellsHolds: true,
  // It refuses whatever is not on the internet, unless its owner has listed it.
  fetchesAddresses: false,
  serving: { look: 'cheap', windows: false, zeroFills: true, complete: true },
};

/**
 * `storage` is a path on the server's disk, whose last part is the folder's name in the share (protocols.md §1.6); with
 * nzbdav-rs it is the path in the share. Some file under another category's folder than the history names.
 */
function places({ category, storage, name }: FinishedJob): readonly Place[] {
  const parts = partsOf(storage);
  if (parts[0] === CONTENT && parts.length > 1) return [{ folder: parts }];
  const inCategory = { folder: [CONTENT, category, parts.at(-1) ?? name] };
  return parts.length < 2 ? [inCategory] : distinct([inCategory, { folder: [CONTENT, ...parts.slice(-2)] }]);
}
