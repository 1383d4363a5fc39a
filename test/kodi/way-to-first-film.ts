import type { Key, Screen } from './remote-control.ts';

export type Value = 'site' | 'indexer' | 'indexer key' | 'nzbdav' | 'nzbdav key' | 'WebDAV password';

/** Something that is typed, and the words by which Kodi's keyboard asks for it. One key: its OK. */
interface Typed {
  readonly asked: string;
  readonly value: Value;
}
/** A key, and what has the focus when it is pressed; a value where it is what was typed before. */
type Pressed = readonly [focus: string | { readonly value: Value }, key: Key];

export interface WayStep {
  /** As the table of docs/keys.md calls it. */
  readonly name: string;
  readonly screen: Screen;
  readonly presses: readonly (Pressed | Typed)[];
  /** What the person waits for then, because the screen says so and the focus does not. */
  readonly until?: 'repository' | 'add-on';
}

/** The row of a folder that leads out of it. */
const OUT = '..';

/** From the home screen of a Kodi in which nothing is installed to a film that plays, with an indexer and nzbdav. */
export const WAY: readonly WayStep[] = [
  {
    name: 'Settings',
    screen: 'Kodi',
    presses: [
      ['Movies', 'Up'],
      ['Power', 'Right'],
      ['Settings', 'Select'],
    ],
  },
  {
    name: 'File manager, Add source',
    screen: 'Kodi',
    presses: [
      ['File manager', 'Select'],
      ['Profile directory', 'Up'],
      ['Add source', 'Select'],
    ],
  },
  {
    name: 'Address of the repository',
    screen: 'Kodi',
    presses: [
      ['<None>', 'Select'],
      { asked: 'Enter the path', value: 'site' },
      [{ value: 'site' }, 'Up'],
      ['OK', 'Select'],
    ],
  },
  {
    name: 'Add-ons',
    screen: 'Kodi',
    presses: [
      ['Add source', 'Back'],
      ['File manager', 'Right'],
      ['Add-ons', 'Select'],
    ],
  },
  {
    name: 'Install from zip file',
    screen: 'Kodi',
    presses: [
      ['My add-ons', 'Up'],
      ['Search', 'Up'],
      ['Install from zip file', 'Select'],
    ],
  },
  {
    name: 'Unknown sources',
    screen: 'Kodi',
    presses: [
      ['OK', 'Left'],
      ['Settings', 'Select'],
      ['Unknown sources', 'Select'],
      ['No', 'Left'],
      ['Yes', 'Select'],
      ['Unknown sources', 'Back'],
      ['Install from zip file', 'Select'],
    ],
  },
  {
    name: 'Slipstream, its zip',
    screen: 'Kodi',
    presses: [
      [OUT, 'Up'],
      ['Zeroconf browser', 'Up'],
      ['Windows network (SMB)', 'Up'],
      ['slipstream', 'Select'],
      [OUT, 'Up'],
      ['repository.slipstream-1.0.0.zip', 'Select'],
    ],
    until: 'repository',
  },
  {
    name: 'Install from repository, Slipstream repository, Video add-ons, Slipstream',
    screen: 'Kodi',
    presses: [
      ['Install from zip file', 'Up'],
      ['Install from repository', 'Select'],
      [OUT, 'Up'],
      ['Slipstream repository', 'Select'],
      [OUT, 'Up'],
      ['Video add-ons', 'Select'],
      [OUT, 'Up'],
      ['Slipstream', 'Select'],
    ],
  },
  {
    name: 'Install, OK',
    screen: 'Kodi',
    presses: [
      ['Install', 'Select'],
      ['OK', 'Select'],
    ],
    until: 'add-on',
  },
  {
    name: 'Open',
    screen: 'Kodi',
    presses: [
      ['Slipstream', 'Select'],
      ['Configure', 'Left'],
      ['Open', 'Select'],
    ],
  },
  { name: 'Node.js: Install', screen: 'Slipstream', presses: [['Install', 'Select']] },
  {
    name: 'Node.js: Yes',
    screen: 'Kodi',
    presses: [
      ['No', 'Left'],
      ['Yes', 'Select'],
    ],
  },
  {
    name: 'What do you search with?',
    screen: 'Slipstream',
    presses: [
      ['With a phone', 'Down'],
      ['Indexer', 'Select'],
    ],
  },
  {
    name: 'Which indexer? Another one, its address and key',
    screen: 'Slipstream',
    presses: [
      ['Another one', 'Select'],
      { asked: 'Indexer address', value: 'indexer' },
      { asked: 'Indexer API key', value: 'indexer key' },
    ],
  },
  {
    name: 'What gets a release ready for playing? nzbdav, its address, key and password',
    screen: 'Slipstream',
    presses: [
      ['nzbdav', 'Select'],
      { asked: 'nzbdav address', value: 'nzbdav' },
      { asked: 'nzbdav API key', value: 'nzbdav key' },
      { asked: 'WebDAV password', value: 'WebDAV password' },
    ],
  },
  { name: 'Play Big Buck Bunny', screen: 'Slipstream', presses: [['Play Big Buck Bunny', 'Select']] },
];
