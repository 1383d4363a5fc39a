import { isDeepStrictEqual } from 'node:util';
import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Picker, PickerView } from '../port.ts';
import { type ShownRows, shownRows } from '../shown-rows.ts';
import type { KodiDialogs } from './dialogs.ts';
import { type KeyIdle, openKeyIdle } from './key-idle.ts';
import { kodiListRow } from './picker-row.ts';
import { openKodiSelect } from './select.ts';
import { kodiLabel } from './text.ts';
import type { KodiWindows, WindowContent, WindowListRow } from './windows.ts';

const PICKER_XML = 'slipstream-picker.xml';
const LIST = 50;
const TOGGLE = 70;

export interface KodiPickerContext {
  readonly windows: KodiWindows;
  readonly dialogs: KodiDialogs;
  readonly log: Logger;
}

/** Opens our list over the whole screen; Kodi's own select dialog where that window cannot open. */
export async function openKodiPicker(
  { windows, dialogs, log }: KodiPickerContext,
  view: PickerView,
  signal: AbortSignal,
): Promise<Picker> {
  signal.throwIfAborted();
  try {
    return await openPickerWindow(windows, view, signal, log);
  } catch (error) {
    signal.throwIfAborted();
    log.error("the list's window did not open; Kodi's own dialog is shown instead", error);
    return openKodiSelect(dialogs, view, signal);
  }
}

async function openPickerWindow(
  windows: KodiWindows,
  view: PickerView,
  signal: AbortSignal,
  log: Logger,
): Promise<Picker> {
  const choice = deferred<string | undefined>();
  const list = shownList(view);
  const keys = openKeyIdle();
  const updates = coalesced(keys, async () => (await opening).update(list.changes(ALL_ROWS)));
  const toggle = () => {
    list.toggle();
    keys.release();
    updates.request().catch((error: unknown) => {
      log.error('the list could not be shown anew', error);
    });
  };
  const back = () => {
    choice.resolve(undefined);
  };
  const opening = windows.open(PICKER_XML, list.changes(FIRST_ROWS), {
    onClick: (control, row) => {
      if (control === TOGGLE) toggle();
      else if (control === LIST && row !== '') choice.resolve(row);
    },
    onMenu: toggle,
    onMove: () => {
      keys.pressed();
    },
    onBack: back,
    onClosed: back,
  });
  const window = await opening;
  if (!list.isWhole())
    updates.request().catch((error: unknown) => {
      log.error('the rest of the list could not be shown', error);
    });
  const chosen = unlessAborted(choice.promise, signal).finally(async () => {
    updates.end();
    await window.close();
  });
  // Nobody may be waiting for it yet.
  chosen.catch(() => undefined);
  if (signal.aborted) await chosen;
  return {
    update: (next) => {
      list.show(next);
      return updates.request();
    },
    chosen,
    close: async () => {
      back();
      await chosen.catch(() => undefined);
    },
  };
}

/** As many as fill the screen twice: they are there at once, the others follow before anybody gets to them. */
const FIRST_ROWS = 30;
const ALL_ROWS = Infinity;

/** What the window shows of the latest view, and what has changed since the host was last told. */
function shownList(first: PickerView) {
  let view = first;
  let asked: boolean | undefined;
  let sent: ReadonlyMap<string, string> = new Map();
  let wasEmpty: boolean | undefined;
  return {
    show: (next: PickerView) => {
      view = next;
    },
    toggle: () => {
      asked = !shownRows(view, asked).everything;
    },
    /** Whether all rows of the view have been sent. */
    isWhole: () => shownRows(view, asked).rows.length <= sent.size,
    changes: (most: number): WindowContent => {
      const shown = shownRows(view, asked);
      const listed = shown.rows.slice(0, most);
      const texts = new Map(listed.map((row) => [row.id, JSON.stringify(row)]));
      const rows = listed.map(
        (row): WindowListRow => (sent.get(row.id) === texts.get(row.id) ? { id: row.id } : kodiListRow(row)),
      );
      const same = isDeepStrictEqual([...sent], [...texts]);
      sent = texts;
      // A list without rows cannot hold the focus: it goes to the button, and the first rows bring it back.
      const isEmpty = rows.length === 0;
      const focus = isEmpty === wasEmpty ? null : isEmpty ? TOGGLE : LIST;
      wasEmpty = isEmpty;
      return { properties: headerOf(view, shown), lists: same ? {} : { [LIST]: rows }, focus };
    },
  };
}

function headerOf(
  view: PickerView,
  { rows, everything, hidden, summary }: ShownRows,
): Record<string, string> {
  return {
    title: kodiLabel(view.title),
    summary: kodiLabel(summary),
    order: kodiLabel(view.order),
    status: kodiLabel(view.status),
    searching: view.searching ? 'true' : '',
    toggle: hidden === 0 ? '' : everything ? 'Only what passes' : `Show everything (${hidden} more)`,
    empty: rows.length > 0 ? '' : view.searching ? 'Nothing yet' : 'Nothing was found',
    poster: view.poster ?? '',
    fanart: view.fanart ?? '',
  };
}

/**
 * Runs `task` once more for any number of requests that come while it runs or while keys are pressed; none after the
 * end.
 */
function coalesced(keys: KeyIdle, task: () => Promise<void>) {
  const ended = new AbortController();
  let waiting: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  return {
    request: (): Promise<void> => {
      waiting ??= running.then(async () => {
        await keys.wait(ended.signal);
        waiting = undefined;
        if (ended.signal.aborted) return;
        const run = task();
        running = run.catch(() => undefined);
        await run;
      });
      return waiting;
    },
    end: () => {
      ended.abort(new Error('the list is closed'));
    },
  };
}
