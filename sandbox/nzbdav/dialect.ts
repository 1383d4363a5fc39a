/** Where the members of the family differ. Facts, not judgements: a client has to cope with each. */
export interface Dialect {
  readonly family: 'nzbdav' | 'altmount';
  /** Where API and share are. */
  readonly apiPath: '/api' | '/sabnzbd/api';
  readonly sharePath: '' | '/webdav';
  /** The folder of all finished jobs in the share. */
  readonly completeFolder: string;
  /** Scheme and host of what a listing names; empty: paths only. */
  readonly hrefHost: string;
  /** What `storage` names of a finished job: its folder, or a file in a tree that is built like the share. */
  readonly storage: 'folder' | 'symlink' | 'strm';
  /** A submission under the file name and category of a waiting job takes its place. */
  readonly replacesSameName: boolean;
  /** `nzbname` names the job in place of the file. */
  readonly honoursNzbname: boolean;
  /** The lists are filtered by `cat` as well as by `category`. */
  readonly filtersByCat: boolean;
  /** A full article check follows the download, so that the inner progress runs to 200; as `percentage` it wraps. */
  readonly wrapsPercentage: boolean;
  /** `mb` and `mbleft` in the server's culture, and `mbleft` below zero during the check. */
  readonly decimalComma: boolean;
  /** `mode=history&limit=` has no effect. */
  readonly ignoresHistoryLimit: boolean;
  /** HTTP 500 for an id that is no GUID, for a comma list and for `all`. */
  readonly strictIds: boolean;
  /** `mode=status` answers an object in place of true. */
  readonly statusObject: boolean;
  readonly completedTime: boolean;
  /** Answer to a range that covers the whole file; with Content-Range either way. */
  readonly wholeRangeStatus: 200 | 206;
  /** `bytes=-N` yields the first bytes, 0 to N. */
  readonly suffixIsPrefix: boolean;
  /** A Range that is not understood: HTTP 500, the whole file, or 416. */
  readonly malformedRange: 'error' | 'ignore' | 'refuse';
  /** HEAD with a Range is answered 206. */
  readonly rangedHead: boolean;
  /** PROPFIND deeper than 1: the whole tree below, or 403. */
  readonly deepPropfind: boolean;
  /** The body of a damaged file: ends short and silent, or with a broken connection. */
  readonly shortBody: 'fin' | 'reset';
  /** What the resourcetype of a file contains. */
  readonly fileType: '<D:item/>' | '';
}

/** nzbdav 0.6.4. */
export const NZBDAV: Dialect = {
  family: 'nzbdav',
  apiPath: '/api',
  sharePath: '',
  completeFolder: 'content',
  // Its own name behind its front end, which nobody outside can reach.
  hrefHost: 'http://localhost:8080',
  storage: 'folder',
  replacesSameName: false,
  honoursNzbname: false,
  filtersByCat: false,
  wrapsPercentage: true,
  decimalComma: true,
  ignoresHistoryLimit: true,
  strictIds: true,
  statusObject: false,
  completedTime: false,
  wholeRangeStatus: 200,
  suffixIsPrefix: true,
  malformedRange: 'error',
  rangedHead: true,
  deepPropfind: true,
  shortBody: 'fin',
  fileType: '<D:item/>',
};

/** InfiniDysk 1.0, its maintained fork. */
export const INFINIDYSK: Dialect = {
  ...NZBDAV,
  replacesSameName: true,
  honoursNzbname: true,
  filtersByCat: true,
  wrapsPercentage: false,
  decimalComma: false,
  ignoresHistoryLimit: false,
  strictIds: false,
  statusObject: true,
  completedTime: true,
  wholeRangeStatus: 206,
  suffixIsPrefix: false,
  malformedRange: 'ignore',
  rangedHead: false,
  deepPropfind: false,
  shortBody: 'reset',
  fileType: '',
};

/** AltMount of July 2026: another program with the same two interfaces (protocols.md §2.10). */
export const ALTMOUNT: Dialect = {
  ...INFINIDYSK,
  family: 'altmount',
  apiPath: '/sabnzbd/api',
  sharePath: '/webdav',
  completeFolder: 'complete',
  hrefHost: '',
  replacesSameName: false,
  malformedRange: 'refuse',
  rangedHead: true,
  deepPropfind: true,
};
