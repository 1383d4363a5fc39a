export { ALTMOUNT } from './altmount.ts';
export {
  type Dialect,
  type JobLocation as Place,
  NO_FOLDERS,
  pathParts as partsOf,
  type ServerFolders as Folders,
} from './dialect.ts';
export { INFINIDYSK, NZBDAV } from './nzbdav.ts';
export { SABNZBD } from './sabnzbd.ts';
