import { OWN_PLACE } from '../../errors/index.ts';

/** What a shell has in place of pages of settings. */
export interface ShellContext {
  readonly settingsFile: string;
  /** As Shell.command. */
  readonly command: (words: string) => string;
}

const OPEN = new RegExp(`Open ${OWN_PLACE} and`, 'g');
const IN = new RegExp(`in(?:to)? (${OWN_PLACE})`, 'g');
/** What the set-up asks for; all else stands in the settings file alone. */
const SET_UP_PLACES = /Connection|Backends|list of indexers/;

const MOUNT = 'A shell opens no shares: mount it, and enter where it is mounted.';

/** What is said of Kodi, and what stands for it in a shell, which opens the files of this machine alone. */
export const KODI_TO_SHELL: readonly (readonly [ofKodi: string, here: string])[] = [
  [
    'As Kodi opens it, such as smb://nas/done. A path and nfs:// work as well.',
    'A full path of this machine; a share has to be mounted.',
  ],
  [
    'Check the name of the share and the folder; if it wants a password, add it as a source in Kodi (Settings, File manager) and let Kodi remember it.',
    MOUNT,
  ],
  [
    'Take them out, and enter them in Kodi: Settings, File manager, Add source, browse to the share once, and let Kodi remember them.',
    MOUNT,
  ],
  [', smb://server/share/folder or nfs://server/folder', ''],
  ['restart Kodi, or mount the folder by NFS', 'mount the folder anew'],
  ['Choose it in TMDbHelper', 'Name its IMDb id (--imdb)'],
];

/** A text that everybody may be told, as somebody at a shell needs it: with commands and files in place of settings. */
export function shellText(text: string, { settingsFile, command }: ShellContext): string {
  const setUp = `"${command('setup')}"`;
  const ofShell = KODI_TO_SHELL.reduce((told, [ofKodi, here]) => told.replaceAll(ofKodi, here), text);
  return ofShell
    .replace(/"slipstream ([^"]+)"/g, (_, words: string) => `"${command(words)}"`)
    .replace(OPEN, () => `Run ${setUp} and`)
    .replace(IN, (_, place: string) => (SET_UP_PLACES.test(place) ? `with ${setUp}` : `in ${settingsFile}`));
}

/** A word of a command line, as a shell takes it. */
export const shellQuoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
