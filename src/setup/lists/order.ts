import {
  CRITERION_IDS,
  type CriterionId,
  criterionText,
  DEFAULT_CRITERIA,
  readPreferenceLists,
  saveCriteria,
} from '../../release/index.ts';
import type { SetupContext } from '../action.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import { entryDialog, type ListRow, listDialog, moved } from './list-dialog.ts';

/** By which criteria releases are ranked, the weightiest first. */
export async function runOrder(context: SetupContext): Promise<void> {
  const { host, signal } = context;
  if ((await storedSettings(host)).sort_by !== 'best') {
    const text = 'This order counts with "Best first" only, and the setting "Order" says something else.';
    await host.questions.show({ title: 'Order of the criteria', text }, signal);
  }
  await listDialog('What counts most stands first', () => rows(context), context);
}

async function rows(context: SetupContext): Promise<ListRow[]> {
  const { host, log } = context;
  const folder = host.dataFolder;
  const kept = (await readPreferenceLists(folder, log)).criteria;
  const criteria = kept.length > 0 ? kept : DEFAULT_CRITERIA;
  const keep = (changed: readonly CriterionId[]) => saveCriteria(folder, changed);
  return [
    ...criteria.map((id, index) => ({
      id,
      label: `${index + 1}. ${criterionText(id)}`,
      ...(STAND_LAST.has(id) && { detail: 'Such releases stand last.' }),
      act: () => change(criteria, index, { context, keep }),
    })),
    { id: 'add', label: 'Add a criterion', act: () => add(criteria, { context, keep }) },
    {
      id: 'reset',
      label: 'Back to the usual order',
      detail: kept.length > 0 ? '' : 'It is the usual one',
      act: () => keep([]),
    },
  ];
}

/** Of these criteria the name tells what is not wanted. */
const STAND_LAST: ReadonlySet<CriterionId> = new Set(['camera', '3d', 'upscaled']);

interface Changing {
  readonly context: SetupContext;
  readonly keep: (criteria: readonly CriterionId[]) => Promise<void>;
}

async function change(
  criteria: readonly CriterionId[],
  index: number,
  { context, keep }: Changing,
): Promise<void> {
  const id = criteria[index];
  if (id === undefined) return;
  const to = (place: number) => () => keep(moved(criteria, index, place));
  const isLast = index === criteria.length - 1;
  await entryDialog(
    criterionText(id),
    [
      ...(index > 0
        ? [
            { id: 'up', label: 'Move up', act: to(index - 1) },
            { id: 'top', label: 'Move to the top', act: to(0) },
          ]
        : []),
      ...(isLast ? [] : [{ id: 'down', label: 'Move down', act: to(index + 1) }]),
      // An empty list means the usual order.
      ...(criteria.length > 1
        ? [{ id: 'remove', label: 'Leave it out', act: () => keep(criteria.filter((each) => each !== id)) }]
        : []),
    ],
    context,
  );
}

async function add(criteria: readonly CriterionId[], { context, keep }: Changing): Promise<void> {
  const missing = CRITERION_IDS.filter((id) => !criteria.includes(id));
  const { host, signal } = context;
  if (missing.length === 0) {
    await host.questions.show({ title: 'Add a criterion', text: 'All criteria are in the list.' }, signal);
    return;
  }
  await entryDialog(
    'Add a criterion',
    missing.map((id) => ({ id, label: criterionText(id), act: () => keep([...criteria, id]) })),
    context,
  );
}
