import type { Serving } from '../../../model/index.ts';
import type { FinishedJob } from '../../backend.ts';
import type { SabDialect } from '../../sabnzbd/server.ts';

/** Where one kind of server differs from the others, for a client, in its API and its share (protocols.md §1, §2.10, §3). */
export interface Dialect extends SabDialect {
  /** A deletion leaves the files in the share, whatever is sent with it. */
  readonly leavesFiles: boolean;
  /** A submission under a category that it does not know is refused. */
  readonly checksCategories: boolean;
  /** So is one in other letters than its own, capitals and small ones; `mode=get_config` tells how it is spelled. */
  readonly isCategoryCaseSensitive: boolean;
  /** It fetches an NZB from an address in the house too, and names the job as it is told (protocols.md §1.4). */
  readonly fetchesUrls: boolean;
  /** How it serves the files of its finished jobs. */
  readonly serving: Serving;
  /** Where its share begins below the WebDAV address; [] at the address itself. */
  readonly sharePath: readonly string[];
  /** Where it mounts finished jobs is a setting of its own, which `mode=get_config` tells. */
  readonly hasFolderSettings: boolean;
  /** The folder of all finished jobs in the share. */
  readonly root: (folders: ServerFolders) => readonly string[];
  /** Where a finished job may be in the share, the likeliest first. */
  readonly jobLocations: (job: FinishedJob, folders: ServerFolders) => readonly JobLocation[];
}

/** A place in the share. */
export interface JobLocation {
  readonly folder: readonly string[];
  /** Only the files of this name, whatever their ending: the job has no folder of its own. */
  readonly stem?: string;
}

/** What a server tells of its folders; empty where it is not asked. */
export interface ServerFolders {
  /** The folder of finished jobs, as it calls it. */
  readonly complete: readonly string[];
  /** By the name of the category, in small letters. */
  readonly categories: ReadonlyMap<string, string>;
  /** Of the categories, in its own spelling. */
  readonly names: readonly string[];
}

export const NO_FOLDERS: ServerFolders = { complete: [], categories: new Map(), names: [] };

/** A path of the server's own disk, in parts; those that lead elsewhere are left out. */
export const pathParts = (path: string): string[] =>
  path.split(/[/\\]/).filter((part) => part !== '' && part !== '.' && part !== '..');

/** Each place once. */
export function distinct(places: readonly JobLocation[]): readonly JobLocation[] {
  const keyOf = ({ folder, stem }: JobLocation) =>
    [...folder, stem === undefined ? '' : `*${stem}`].join('/');
  return [...new Map(places.map((place) => [keyOf(place), place])).values()];
}
