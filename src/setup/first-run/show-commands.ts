import { servicesSetUp } from '../../connections/services/index.ts';
import type { Shell } from '../../host/port.ts';
import { readSourceList } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { storedSettings } from '../asking/stored-settings.ts';

/** What comes next in a shell: commands, which may be copied. */
export async function showCommands(shell: Shell, context: SetupContext): Promise<void> {
  const id = (await isAskedByIdOnly(context)) ? ' --imdb tt1727587' : '';
  shell.print('Slipstream is set up. From now on:');
  shell.printUnbroken(`  ${shell.command(`play "Sintel" --year 2010${id}`)}`);
  shell.printUnbroken(`  ${shell.command('test')}`);
  shell.printUnbroken(`  ${shell.command('setup')}  (to add, change or remove indexers and services)`);
  shell.print('The settings are in:');
  shell.printUnbroken(`  ${shell.settingsFile}`);
}

/** Whether nothing is searched but Stremio add-ons, and there is no TMDb key by which a title has an id. */
async function isAskedByIdOnly({ host, log }: SetupContext): Promise<boolean> {
  const settings = await storedSettings(host);
  const { entries } = await readSourceList(host.dataFolder, log);
  const searched: readonly string[] = [
    ...servicesSetUp(settings)
      .filter(({ role }) => role === 'search')
      .map(({ id }) => id),
    ...entries.filter(({ enabled, url }) => enabled && url !== '').map(({ kind }) => kind),
  ];
  return settings.tmdb_api_key === '' && searched.length > 0 && searched.every((id) => id === 'stremio');
}
