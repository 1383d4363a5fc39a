import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { Picker, PickerRow, PickerView } from '../port.ts';
import { rowFacts, shownRows } from '../shown-rows.ts';
import type { KodiDialogs } from './dialogs.ts';
import { kodiLabel } from './text.ts';

/**
 * The list in Kodi's own select dialog, for where our window cannot open. That dialog cannot change while it is open:
 * it opens with the first rows that there are, and shows those that passed (all of them when none did).
 */
export function openKodiSelect(dialogs: KodiDialogs, view: PickerView, signal: AbortSignal): Picker {
  const choice = deferred<string | undefined>();
  const closed = new AbortController();
  let isOpen = false;
  const show = async ({ title }: PickerView, rows: readonly PickerRow[]) => {
    const lines = rows.map((row) => ({ label: kodiLabel(row.name), label2: kodiLabel(detailLine(row)) }));
    const index = await dialogs.select(title, lines, AbortSignal.any([signal, closed.signal]));
    return index === undefined ? undefined : rows[index]?.id;
  };
  const consider = (latest: PickerView) => {
    const { rows } = shownRows(latest, undefined);
    if (isOpen || closed.signal.aborted || signal.aborted || (rows.length === 0 && latest.searching)) return;
    isOpen = true;
    if (rows.length === 0) choice.resolve(undefined);
    else {
      show(latest, rows).then(
        (id) => {
          choice.resolve(id);
        },
        (error: unknown) => {
          choice.reject(error as Error);
        },
      );
    }
  };
  consider(view);
  const chosen = unlessAborted(choice.promise, signal);
  // Nobody may be waiting for it yet.
  chosen.catch(() => undefined);
  return {
    update: (next) => {
      consider(next);
      return Promise.resolve();
    },
    chosen,
    close: () => {
      choice.resolve(undefined);
      closed.abort();
      return Promise.resolve();
    },
  };
}

function detailLine(row: PickerRow): string {
  const badges = row.badges.map(({ text }) => text).join(' ');
  const [rejection] = row.rejections;
  return [...(rejection === undefined ? [] : [rejection]), badges, row.size, rowFacts(row)]
    .filter((part) => part !== '')
    .join(' · ');
}
