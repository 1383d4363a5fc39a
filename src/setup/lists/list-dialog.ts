import { asSlipstreamError, CancelledError } from '../../errors/index.ts';
import type { ChoiceRow } from '../../host/port.ts';
import type { SetupContext } from '../action.ts';

/** A row, and what happens when it is chosen. */
export interface ListRow extends ChoiceRow {
  readonly act: () => Promise<unknown>;
}

/**
 * A list that stays until the person goes back: after each choice it is made anew. What a choice fails with, as a file
 * that cannot be read, is shown, and the list is back.
 *
 * @throws what the making of the rows does; the signal's reason
 */
export async function listDialog(
  title: string,
  rowsNow: () => Promise<readonly ListRow[]>,
  { host, log, signal }: SetupContext,
): Promise<void> {
  let focused: string | undefined;
  for (;;) {
    const rows = await rowsNow();
    const question = {
      title,
      rows: rows.map(({ id, label, detail }) => ({ id, label, ...(detail !== undefined && { detail }) })),
      ...(focused !== undefined && { focused }),
    };
    focused = await host.questions.choose(question, signal);
    if (focused === undefined) return;
    try {
      await rows.find(({ id }) => id === focused)?.act();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CancelledError) continue;
      const failure = asSlipstreamError(error);
      log.error('a choice in a list failed', failure);
      const { what, next } = failure.explanation;
      await host.questions.show({ title, text: `${what}\n${next}`.trim() }, signal);
    }
  }
}

/** The same for one choice: what can be done with an entry. */
export async function entryDialog(
  title: string,
  rows: readonly ListRow[],
  { host, signal }: SetupContext,
): Promise<void> {
  const choices = rows.map(({ id, label, detail }) => ({
    id,
    label,
    ...(detail !== undefined && { detail }),
  }));
  const chosen = await host.questions.choose({ title, rows: choices }, signal);
  await rows.find(({ id }) => id === chosen)?.act();
}

/** Whether the person really wants it gone. Pressing OK once more than was meant keeps it. */
export async function confirmRemoval(
  name: string,
  { host, signal }: SetupContext,
  whatGoes?: string,
): Promise<boolean> {
  const text = whatGoes === undefined ? `Remove ${name} from the list?` : `Remove ${name}? ${whatGoes}`;
  const question = { title: name, text, yes: 'Remove', no: 'Keep', focused: 'no' } as const;
  return (await host.questions.confirm(question, signal)) === true;
}

/** The list with the entry at `from` moved to `to`; the same list when there is no such place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const entry = list[from];
  if (entry === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), entry, ...rest.slice(to)];
}
