import { editListedSources, readListedSources } from '../../../settings/index.ts';
import type { SetupContext } from '../../action.ts';
import { testAndFix } from '../../testing/test-and-fix.ts';
import { confirmRemoval, entryDialog, moved } from '../list-dialog.ts';
import { askField, changeEntry, fieldsOf, labelOf, shownField, testableEntry } from './testable-entry.ts';

/** What can be done with a source of the list. */
export async function editSource(index: number, context: SetupContext): Promise<void> {
  const folder = context.host.dataFolder;
  const sources = await readListedSources(folder);
  const entry = sources[index]?.entry;
  if (entry === undefined) return;
  const move = (to: number) => editListedSources(folder, (list) => moved(list, index, to));
  const remove = async () => {
    if (!(await confirmRemoval(entry.name, context))) return;
    await editListedSources(folder, (list) => list.filter((_, at) => at !== index));
  };
  const test = async () => {
    await testAndFix(await testableEntry(index, context), context, { leave: 'Close', tellsSuccess: true });
  };
  await entryDialog(
    entry.name,
    [
      { id: 'test', label: 'Test', act: test },
      ...fieldsOf(entry).map((field) => ({
        id: field,
        label: labelOf(field),
        detail: shownField(field, entry),
        act: async () => {
          const value = await askField(field, entry, context);
          if (value !== undefined && (value !== '' || field === 'apiKey'))
            await changeEntry(index, { [field]: value }, context);
        },
      })),
      {
        id: 'enabled',
        label: entry.enabled ? 'Switch off' : 'Switch on',
        act: () => changeEntry(index, { enabled: !entry.enabled }, context),
      },
      ...(index > 0 ? [{ id: 'up', label: 'Move up', act: () => move(index - 1) }] : []),
      ...(index < sources.length - 1 ? [{ id: 'down', label: 'Move down', act: () => move(index + 1) }] : []),
      { id: 'remove', label: 'Remove', act: remove },
    ],
    context,
  );
}
