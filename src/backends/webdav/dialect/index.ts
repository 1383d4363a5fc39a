export { ALTMOUNT } from './altmount.ts';
export { type Dialect, type Folders, NO_FOLDERS, type Place, partsOf } from './dialect.ts';
export { INFINIDYSK, NZBDAV } from './nzbdav.ts';
export { SABNZBD } from './sabnzbd.ts';
