export { ALTMOUNT } from './altmount.ts';
export {
  type Dialect,
  type JobLocation,
  NO_FOLDERS,
  pathParts,
  type ServerFolders,
} from './dialect.ts';
export { INFINIDYSK, NZBDAV } from './nzbdav.ts';
export { SABNZBD } from './sabnzbd.ts';
