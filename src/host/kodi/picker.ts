import { deferred } from '../../io/deferred.ts';
import type { PickList, PickRow } from '../port.ts';
import type { KodiWindows } from './windows.ts';

const PICKER_XML = 'slipstream-picker.xml';
const LIST = 50;

/** Shows the list; gives the chosen index, or undefined after Back. The window is closed on every path. */
export async function pickInKodi(
  windows: KodiWindows,
  list: PickList,
  signal: AbortSignal,
): Promise<number | undefined> {
  signal.throwIfAborted();
  const choice = deferred<number | undefined>();
  const window = await windows.open(
    PICKER_XML,
    { properties: { title: list.title, subtitle: list.subtitle }, lists: { [LIST]: list.rows.map(listRow) } },
    LIST,
    {
      onClick: (control, index) => {
        if (control === LIST && index in list.rows) choice.resolve(index);
      },
      onBack: () => {
        choice.resolve(undefined);
      },
      onClosed: () => {
        choice.resolve(undefined);
      },
    },
  );
  const onAbort = () => {
    choice.reject(signal.reason as Error);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await choice.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await window.close();
  }
}

function listRow(row: PickRow) {
  return {
    label: row.label,
    label2: row.facts.join(' · '),
    properties: { resolution: row.badge, rejection: row.rejection },
  };
}
