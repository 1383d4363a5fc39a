import type { Service } from '../../../connections/service.ts';
import { SERVICES, serviceById } from '../../../connections/services/index.ts';
import { editListedSources, type ListedSource, readListedSources } from '../../../settings/index.ts';
import type { SetupContext } from '../../action.ts';
import { settingRow, storedSettings } from '../../asking/stored-settings.ts';
import { testAndFix, valueRows } from '../../testing/test-and-fix.ts';
import { testableService } from '../../testing/testable-service.ts';
import { confirmRemoval, entryDialog, type ListRow, listDialog } from '../list-dialog.ts';
import { addService } from './add.ts';
import { editSource } from './edit.ts';

/** All that is searched: what the settings have, then the list of further ones. */
export async function runIndexers(context: SetupContext): Promise<void> {
  await listDialog('What is searched', () => rows(context, ['search']), context);
}

/** The same with what plays and what is of help. */
export async function runServices(context: SetupContext): Promise<void> {
  await listDialog('Indexers and services', () => rows(context, ['search', 'play', 'extra']), context);
}

async function rows(context: SetupContext, roles: readonly Service['role'][]): Promise<ListRow[]> {
  const settings = await storedSettings(context.host);
  const ofRoles = SERVICES.filter(({ role }) => roles.includes(role));
  const own = ofRoles.filter((service) => service.isSetUp(settings));
  const extras = ofRoles.filter((service) => service.role === 'extra' && !own.includes(service));
  const listed = await readListedSources(context.host.dataFolder);
  return [
    ...own.map((service) => ownRow(service, context)),
    ...listed.map((source, index) => listedRow(source, index, context)),
    {
      id: 'add',
      label: 'Add',
      detail: `An indexer, NZBHydra2, Prowlarr or a Stremio add-on${extras.map(({ name }) => `; ${name}`).join('')}.`,
      act: () => addService(extras, context),
    },
  ];
}

/** One of the settings can be changed here as well, but not moved: it stands before the list. */
function ownRow(service: Service, context: SetupContext): ListRow {
  const { id, name } = service;
  const thing = testableService(service, context);
  const act = async () => {
    const values = await valueRows(thing);
    await entryDialog(
      name,
      [
        {
          id: 'test',
          label: 'Test',
          act: () => testAndFix(thing, context, { leave: 'Close', tellsSuccess: true }),
        },
        ...values.map((row) => ({ ...row, act: () => thing.change(row.id) })),
        ...thing.moreDialogs,
        { id: 'remove', label: 'Remove', act: () => removeOwn(service, context) },
      ],
      context,
    );
  };
  return { id, label: name, detail: 'From the settings', act };
}

/** Its settings are as if it had never been entered. */
async function removeOwn({ name, fields }: Service, context: SetupContext): Promise<void> {
  if (!(await confirmRemoval(name, context, 'What was entered for it is forgotten.'))) return;
  const unset = fields.map(({ setting }) => [setting, String(settingRow(setting).default)]);
  await context.host.writeSettings(Object.fromEntries(unset) as Record<string, string>);
}

function listedRow({ entry, problem = '' }: ListedSource, index: number, context: SetupContext): ListRow {
  const id = `entry-${index}`;
  if (entry !== undefined) {
    const kind = serviceById(entry.kind).name;
    const detail = entry.enabled ? kind : `Switched off. ${kind}`;
    return { id, label: entry.name, detail, act: () => editSource(index, context) };
  }
  const name = `Entry ${index + 1} of sources.json`;
  const remove = async () => {
    if (!(await confirmRemoval(name, context))) return;
    await editListedSources(context.host.dataFolder, (sources) => sources.filter((_, at) => at !== index));
  };
  return { id, label: name, detail: `Left out: ${problem}. Choose it to remove it.`, act: remove };
}
