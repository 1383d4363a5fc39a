import {
  editListedMappings,
  type ListedMapping,
  type PathMapping,
  readListedMappings,
} from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { testAndFix } from '../testing/test-and-fix.ts';
import type { Testable } from '../testing/testable.ts';
import { confirmRemoval, entryDialog, type ListRow, listDialog } from './list-dialog.ts';

const TITLE = 'Further folders of NZBGet';

/**
 * The folders of a download client under both their names, beside the one of the settings.
 *
 * @param client The download client, to test them.
 */
export async function runMappings(context: SetupContext, client: Testable): Promise<void> {
  await listDialog(TITLE, () => rows(context, client), context);
}

async function rows(context: SetupContext, client: Testable): Promise<ListRow[]> {
  const listed = await readListedMappings(context.host.dataFolder);
  return [
    ...listed.map((each, index) => row(each, index, context)),
    {
      id: 'add',
      label: 'Add a folder',
      detail: 'How NZBGet calls it, and how it is opened from here.',
      act: () => add(context),
    },
    {
      id: 'test',
      label: 'Test them',
      detail: 'Asks NZBGet, and looks into each folder.',
      act: () => testAndFix(client, context, { leave: 'Close', tellsSuccess: true }),
    },
  ];
}

function row({ mapping }: ListedMapping, index: number, context: SetupContext): ListRow {
  const id = `entry-${index}`;
  if (mapping === undefined) {
    const name = `Entry ${index + 1} of path-mappings.json`;
    const remove = async () => {
      if (await confirmRemoval(name, context)) await replace(index, undefined, context);
    };
    return {
      id,
      label: name,
      detail: 'It cannot be read, and is left as it is. Choose it to remove it.',
      act: remove,
    };
  }
  return { id, label: mapping.from, detail: mapping.to, act: () => change(mapping, index, context) };
}

async function change(mapping: PathMapping, index: number, context: SetupContext): Promise<void> {
  const edit = async (field: keyof PathMapping) => {
    const path = await askPath(field, mapping[field], context);
    if (path !== undefined) await replace(index, { ...mapping, [field]: path }, context);
  };
  await entryDialog(
    mapping.from,
    [
      { id: 'from', label: 'How NZBGet calls it', detail: mapping.from, act: () => edit('from') },
      { id: 'to', label: 'How it is opened from here', detail: mapping.to, act: () => edit('to') },
      {
        id: 'remove',
        label: 'Remove',
        act: async () => {
          if (await confirmRemoval(mapping.from, context)) await replace(index, undefined, context);
        },
      },
    ],
    context,
  );
}

async function add(context: SetupContext): Promise<void> {
  const from = await askPath('from', '', context);
  if (from === undefined) return;
  const to = await askPath('to', '', context);
  if (to === undefined) return;
  const raw: PathMapping = { from, to };
  await editListedMappings(context.host.dataFolder, (listed) => [...listed, { stored: raw }]);
}

const QUESTIONS: Readonly<Record<keyof PathMapping, string>> = {
  from: 'How NZBGet calls the folder, such as /downloads/series',
  to: 'How it is opened from here: a path, smb://server/share/folder or nfs://server/folder',
};

/** Undefined: back, or nothing was entered. */
async function askPath(
  field: keyof PathMapping,
  value: string,
  { host, signal }: SetupContext,
): Promise<string | undefined> {
  const question = { title: QUESTIONS[field], ...(value !== '' && { value, isNeeded: true as const }) };
  const path = await host.questions.text(question, signal);
  return path === '' ? undefined : path;
}

async function replace(
  index: number,
  mapping: PathMapping | undefined,
  { host }: SetupContext,
): Promise<void> {
  await editListedMappings(host.dataFolder, (listed) =>
    listed.flatMap((each, at) => {
      if (at !== index) return [each];
      const rest = each.mapping === undefined ? {} : (each.stored as object);
      return mapping === undefined ? [] : [{ stored: { ...rest, ...mapping } }];
    }),
  );
}
