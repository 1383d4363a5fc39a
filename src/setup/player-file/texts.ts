import type { ChoiceQuestion, ChoiceRow, YesNoQuestion } from '../../host/port.ts';
import type { Form } from './form.ts';
import type { InstalledPlayer } from './installed.ts';

export const TITLE = 'Player for TMDbHelper';

/** How a film is started; the forms that Kodi resolves differ in what follows an episode. */
const START_MODES = ['resolvable', 'script'] as const;
type StartMode = (typeof START_MODES)[number];

const startModeOf = (form: Form): StartMode => (form === 'script' ? 'script' : 'resolvable');

const MODE_NAMES: Readonly<Record<StartMode, string>> = {
  resolvable: 'Kodi plays it (recommended)',
  script: 'Slipstream starts it',
};

const MODE_BENEFITS: Readonly<Record<StartMode, string>> = {
  resolvable: 'Kodi remembers where you stopped, and the next episode can follow by itself.',
  script: 'For when the other one makes trouble. No next episode follows by itself.',
};

const NEXT_EPISODES: Readonly<Record<Exclude<Form, 'script'>, Pick<ChoiceRow, 'label' | 'detail'>>> = {
  resolvable: { label: 'None (recommended)', detail: 'An episode ends, and nothing follows.' },
  'resolvable-upnext': {
    label: 'Up Next',
    detail: "That add-on asks at an episode's end, and plays the next one.",
  },
  'resolvable-playlist': {
    label: 'The playlist of TMDbHelper',
    detail:
      "The next one follows at once. A film started right after a cancelled episode may get the show's episodes behind it.",
  },
};

/** What can be done about it, with what is there now in the first line of its row. */
export function menu(installed: InstalledPlayer): ChoiceQuestion {
  const rows: ChoiceRow[] = START_MODES.map((way) => ({
    id: way,
    label: MODE_NAMES[way],
    detail: installedMode(installed) === way ? `Installed. ${MODE_BENEFITS[way]}` : MODE_BENEFITS[way],
  }));
  rows.push({ id: 'explain', label: 'Which of them?', detail: 'What each of them does, and what it costs.' });
  if (installed.kind !== 'absent')
    rows.push({ id: 'remove', label: 'Remove it', detail: 'TMDbHelper no longer offers Slipstream.' });
  const focused = installedMode(installed);
  return {
    title: `${TITLE}: ${STATES[installed.kind]}`,
    rows,
    ...(focused !== undefined && { focused }),
  };
}

const installedMode = (installed: InstalledPlayer) =>
  installed.kind === 'ours' ? startModeOf(installed.form) : undefined;

/** What is to follow an episode, where Kodi plays it. */
export function nextEpisodes(installed: InstalledPlayer, hasUpNext: boolean): ChoiceQuestion {
  const there = installed.kind === 'ours' ? installed.form : undefined;
  return {
    title: 'What follows an episode',
    rows: Object.entries(NEXT_EPISODES).map(([id, { label, detail }]) => ({
      id,
      label,
      detail: [
        id === there ? 'Installed.' : '',
        detail,
        id === 'resolvable-upnext' && !hasUpNext ? 'It has yet to be installed.' : '',
      ]
        .filter(Boolean)
        .join(' '),
    })),
    ...(there !== undefined && startModeOf(there) === 'resolvable' && { focused: there }),
  };
}

const STATES: Readonly<Record<InstalledPlayer['kind'], string>> = {
  absent: 'not installed',
  ours: 'installed',
  changed: 'installed, changed by you',
};

export const explanation = `TMDbHelper can start Slipstream in two ways. Both search, list and play the same.

${MODE_NAMES.resolvable}
To Kodi the film is a film like any other: it remembers where you stopped and what you have watched. Kodi shows its busy sign until the film is ready; going back there cancels.
Take this one, unless something speaks against it. Then choose what follows an episode:
- nothing;
- Up Next: that add-on asks at the end of an episode, and plays the next one about a second after your answer;
- the playlist of TMDbHelper: the next episode begins within a second. When you cancel an episode and start a film within half a minute, the episodes of that show stand behind the film.

${MODE_NAMES.script}
TMDbHelper first plays an empty clip for a moment, which takes 2 to 3 seconds, and then starts Slipstream, which starts the film. Slipstream remembers by itself where you stopped; TMDbHelper's clip wipes what Kodi remembers of that row. Kodi knows nothing of what comes next: no next episode follows by itself, and no playlist is made.
Take this one when your skin or a slow box gets into trouble with Kodi's busy sign.

You can change your mind here at any time. TMDbHelper shows the change the next time you choose something to play.`;

export const notInstalled = `TMDbHelper is not installed. It is the add-on (TheMovieDb Helper) in which you look for films and episodes, and which then plays them with Slipstream.

Install it in Kodi: Settings, Add-ons, Install from repository, Video add-ons, TheMovieDb Helper. Then come back here.

Without it you can search in Slipstream itself, under Add-ons, Video add-ons.`;

export const noAddons = 'Players can be installed where Slipstream runs in Kodi: this is not Kodi.';

/** Asked before a file is replaced that somebody has changed. */
export const replaceChanged = (backup: string): YesNoQuestion => ({
  title: TITLE,
  text: `The player file in TMDbHelper has been changed since it was installed. Replace it? What is there now is kept as ${backup}.`,
  yes: 'Replace',
  no: 'Keep it',
});

/** Asked before such a file is removed. */
export const removeChanged = (backup: string): YesNoQuestion => ({
  title: TITLE,
  text: `The player file in TMDbHelper has been changed since it was installed. Remove it? What is there now is kept as ${backup}.`,
  yes: 'Remove',
  no: 'Keep it',
});

export const installedText = (form: Form): string =>
  `Slipstream is now among the players of TMDbHelper ("${MODE_NAMES[startModeOf(form)]}"). Choose a film or an episode there, then Play, then Slipstream. To be asked no more: TMDbHelper, Settings, Players, Default player.`;

export const removedText = 'Slipstream is no longer among the players of TMDbHelper.';

/** @param override The file that TMDbHelper prefers */
export const overriddenText = (override: string): string =>
  `TMDbHelper does not see this yet: you have configured the player Slipstream in its own settings, and what it has written then counts more. Delete that there (TMDbHelper, Settings, Players, Configure players), or remove the file ${override}.`;
