import type { Host, MenuIcon, MenuRow } from '../host/port.ts';
import { openFailures } from '../library/index.ts';
import type { Action, SetupContext } from '../setup/action.ts';
import { isSetUp } from './lazy-setup.ts';

const SEARCH: MenuRow = {
  label: 'Search',
  help: 'Finds and plays a film or an episode by its title.',
  icon: 'search',
  route: '/search',
};

const row = (action: Action, icon: MenuIcon, label: string, help: string): MenuRow => ({
  label,
  help,
  icon,
  route: `/setup/${action}`,
});

const FIRST_RUN_HELP =
  'Leads from nothing to a film that plays: what searches, what plays, and whether it works.';
const FAILURE = row(
  'failure',
  'failure',
  'What failed last',
  'Tells in full what failed, what is wrong there now, and what to do.',
);
const ALWAYS: readonly MenuRow[] = [
  row(
    'phone',
    'phone',
    'Set up from a phone',
    'Shows a code to scan; on the phone everything can be typed and pasted.',
  ),
  row(
    'test',
    'test',
    'Test connections',
    'Tries everything that is set up, and helps to mend what does not work.',
  ),
  row('indexers', 'indexers', 'Indexers', 'What is searched: add, change, test, sort and remove.'),
  row(
    'player-file',
    'player-file',
    'TMDbHelper player',
    'Puts Slipstream among the players of TMDbHelper, or takes it away.',
  ),
  row('settings', 'settings', 'Settings', 'Everything else.'),
  row(
    'report',
    'report',
    'Export a report',
    'Writes a file for whoever helps you, without keys and addresses.',
  ),
];

/** What can be started without another add-on: first what is mostly wanted. */
export async function menuRows(context: Pick<SetupContext, 'host' | 'log'>): Promise<readonly MenuRow[]> {
  if (!(await isSetUp(context)))
    return [row('first-run', 'set-up', 'Set up Slipstream', FIRST_RUN_HELP), ...ALWAYS];
  const failures = (await openFailures(context.host.dataFolder).read()) ?? [];
  return [
    SEARCH,
    ...(failures.length > 0 ? [FAILURE] : []),
    row('first-run', 'set-up', 'Set up', FIRST_RUN_HELP),
    ...ALWAYS,
  ];
}

/** Does what is chosen in the menu; when that has changed the menu's rows, and nothing plays, the menu is shown anew. */
export async function runFromMenu(
  context: { readonly host: Host } & Pick<SetupContext, 'log'>,
  act: () => Promise<boolean>,
): Promise<boolean> {
  const before = JSON.stringify(await menuRows(context));
  let hasPlayed = false;
  try {
    hasPlayed = await act();
    return hasPlayed;
  } finally {
    if (!hasPlayed && before !== JSON.stringify(await menuRows(context))) await context.host.renewMenu();
  }
}
