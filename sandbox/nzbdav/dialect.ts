/** Where the members of the family differ. Facts, not judgements: a client has to cope with each. */
export interface Dialect {
  readonly family: 'nzbdav' | 'altmount';
  /** Where API and share are. */
  readonly apiPath: '/api' | '/sabnzbd/api';
  readonly sharePath: '' | '/webdav';
  /** The folder of all finished jobs in the share. */
  readonly completeFolder: string;
  /** The host of what a listing names: its own, which nobody outside reaches, or the one that was asked. */
  readonly hrefHost: 'own' | 'asked';
  /** What `storage` names of a finished job: its folder, or a file in a tree that is built like the share. */
  readonly storage: 'folder' | 'symlink' | 'strm';
  /** Its front end closes the connection after each answer that it passes on. */
  readonly closes: boolean;
  /** What its front end answers while the server behind it does not run. */
  readonly gateway: 502 | 504;
  /** A waiting job of the same file name and category: the submission is refused with 500, or takes its place. */
  readonly sameName: 'refused' | 'replaced';
  /** `nzbname` names the job in place of the file. */
  readonly honoursNzbname: boolean;
  /** The lists are filtered by `cat` as well as by `category`. */
  readonly filtersByCat: boolean;
  /** The modes, slots and error documents that the fork has added. */
  readonly isFork: boolean;
  /** `percentage` is the inner progress modulo 100. */
  readonly wrapsPercentage: boolean;
  /** A full article check follows the download, so that the inner progress runs to 200 (a setting of the server). */
  readonly checksArticles: boolean;
  /** `mb` and `mbleft` as the server's culture writes them. */
  readonly decimalComma: boolean;
  /** HTTP 500 for an id that is no GUID, for a comma list and for `all`. */
  readonly strictIds: boolean;
  /** What jobs fail of, in its words. */
  readonly failureWords: 'nzbdav' | 'infinidysk' | 'altmount';
  /** Milliseconds of the clock at which jobs begin; 0: they begin at once. */
  readonly clock: number;
  /** Milliseconds for which a job whose files can be had is not yet called completed. */
  readonly settles: number;
  /** A plain file whose first article is gone completes. */
  readonly takesHeadless: boolean;
  /** Milliseconds for which a job is held each time its provider cannot be had. */
  readonly hold: number;
  /** Each answer of the share to somebody who may read it sets a cookie. */
  readonly cookie: boolean;
  /** Answer to a range that covers the whole file; with Content-Range either way. */
  readonly wholeRangeStatus: 200 | 206;
  /** `bytes=-N` yields the first bytes, 0 to N. */
  readonly suffixIsPrefix: boolean;
  /** A Range that is not understood: HTTP 500, or the whole file. */
  readonly malformedRange: 'error' | 'ignore';
  /** Several ranges: the first one is served, or it is a Range that is not understood. */
  readonly severalRanges: 'first' | 'malformed';
  /** HEAD with a Range is answered 206. */
  readonly rangedHead: boolean;
  /** HEAD says that ranges are accepted. */
  readonly headTellsRanges: boolean;
  /** Depths of a PROPFIND: anything but 0 and 1 is infinity; deeper than 1 is 403. */
  readonly depths: 'any' | 'shallow';
  /** Content types by ending; any other is application/octet-stream. */
  readonly types: Readonly<Record<string, string>>;
  /** In place of an article that is gone: the body ends there (a GET that begins in it is 404), or zeros. */
  readonly lostArticle: 'end' | 'zeros';
  /** How a body ends before its time: quietly, or with a broken connection. */
  readonly shortBody: 'fin' | 'reset';
  /** A GET while the provider is away or refuses the login. */
  readonly providerAway: 500 | 503;
  /** Milliseconds until that answer when the provider takes commands and never replies. */
  readonly providerSilence: number;
  /** What the resourcetype of a file contains. */
  readonly fileType: '<D:item />' | '';
  /** The date of the folders that are always there. */
  readonly epoch: string;
}

/** nzbdav 0.6.4. */
export const NZBDAV: Dialect = {
  family: 'nzbdav',
  apiPath: '/api',
  sharePath: '',
  completeFolder: 'content',
  hrefHost: 'own',
  storage: 'folder',
  closes: true,
  gateway: 504,
  sameName: 'refused',
  honoursNzbname: false,
  filtersByCat: false,
  isFork: false,
  wrapsPercentage: true,
  checksArticles: false,
  decimalComma: false,
  strictIds: true,
  failureWords: 'nzbdav',
  clock: 0,
  settles: 0,
  takesHeadless: true,
  hold: 60_000,
  cookie: true,
  wholeRangeStatus: 200,
  suffixIsPrefix: true,
  malformedRange: 'error',
  severalRanges: 'first',
  rangedHead: true,
  headTellsRanges: true,
  depths: 'any',
  types: { mp4: 'video/mp4', txt: 'text/plain' },
  lostArticle: 'end',
  shortBody: 'fin',
  providerAway: 500,
  providerSilence: 20_000,
  fileType: '<D:item />',
  epoch: 'Mon, 01 Jan 0001 00:00:00 GMT',
};

/** InfiniDysk 1.2.3, its maintained fork. */
export const INFINIDYSK: Dialect = {
  ...NZBDAV,
  hrefHost: 'asked',
  closes: false,
  gateway: 502,
  sameName: 'replaced',
  honoursNzbname: true,
  filtersByCat: true,
  isFork: true,
  wrapsPercentage: false,
  strictIds: false,
  failureWords: 'infinidysk',
  takesHeadless: false,
  hold: 10_000,
  cookie: false,
  wholeRangeStatus: 206,
  suffixIsPrefix: false,
  malformedRange: 'ignore',
  severalRanges: 'malformed',
  rangedHead: false,
  headTellsRanges: false,
  depths: 'shallow',
  types: { mkv: 'video/x-matroska', mp4: 'video/mp4', txt: 'text/plain' },
  lostArticle: 'zeros',
  shortBody: 'reset',
  providerAway: 503,
  providerSilence: 40_000,
  fileType: '',
  epoch: 'Thu, 01 Jan 1970 00:00:00 GMT',
};

/** AltMount of July 2026: another program with the same two interfaces (protocols.md §2.10). */
export const ALTMOUNT: Dialect = {
  ...INFINIDYSK,
  family: 'altmount',
  apiPath: '/sabnzbd/api',
  sharePath: '/webdav',
  completeFolder: 'complete',
  isFork: false,
  failureWords: 'altmount',
  clock: 5_000,
  settles: 950,
  takesHeadless: true,
};
