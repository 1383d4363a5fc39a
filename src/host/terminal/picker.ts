import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { Picker, PickerView } from '../port.ts';
import { shownRows } from '../shown-rows.ts';
import type { Interrupts } from './interrupts.ts';
import { drawDetails, drawList, openRowNumbers } from './list.ts';
import { type PickerAnswer, parsePickerAnswer } from './picker-answer.ts';
import type { Screen } from './screen.ts';

/** A stream that may be a terminal. */
export type InputStream = Readable & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (raw: boolean) => unknown;
};

export interface TerminalIo {
  readonly input: InputStream;
  readonly screen: Screen;
  readonly interrupts: Interrupts;
}

/** Opens a numbered list. Without a person at the input (a pipe, a cron job) the first row that passed is taken. */
export function openTerminalPicker(view: PickerView, context: TerminalIo, signal: AbortSignal): Picker {
  return context.input.isTTY === true
    ? openInteractive(view, context, signal)
    : openUnattended(view, context.screen, signal);
}

/** Waits until nothing more will come, shows the list, and takes the first row that passed. */
function openUnattended(view: PickerView, screen: Screen, signal: AbortSignal): Picker {
  const choice = deferred<string | undefined>();
  let isOpen = true;
  const take = (id: string | undefined) => {
    isOpen = false;
    choice.resolve(id);
  };
  const show = (next: PickerView) => {
    if (!isOpen || next.searching) return;
    drawList(next, shownRows(next, undefined), openRowNumbers(), screen);
    const first = next.rows.find(({ rejections }) => rejections.length === 0);
    if (first !== undefined) screen.line(`Taking the first: ${first.name}`);
    take(first?.id);
  };
  show(view);
  return pickerOf(unlessAborted(choice.promise, signal), show, () => {
    take(undefined);
  });
}

/** Lets the person type a number, or a letter for what else there is. Ctrl-C and the end of the input go back. */
function openInteractive(view: PickerView, context: TerminalIo, signal: AbortSignal): Picker {
  const { input, screen, interrupts } = context;
  const choice = deferred<string | undefined>();
  let isOpen = true;
  const choose = (id: string | undefined) => {
    isOpen = false;
    choice.resolve(id);
  };
  const back = () => {
    choose(undefined);
  };
  const questions = askUntilChosen(view, screen, choose);
  // Not readline's terminal mode: the system's own line editing is enough, and Ctrl-C stays a signal.
  const reader = createInterface({ input, terminal: false });
  const release = interrupts.claim(back);
  reader.on('close', back);
  reader.on('line', (text) => {
    if (!isOpen) return;
    screen.closePrompt(true);
    questions.hear(parsePickerAnswer(text));
  });
  const chosen = unlessAborted(choice.promise, signal).finally(() => {
    isOpen = false;
    screen.closePrompt(false);
    release();
    reader.close();
  });
  return pickerOf(chosen, questions.show, back);
}

/** Shows the list and asks for a row until there is one. */
function askUntilChosen(opened: PickerView, screen: Screen, choose: (id: string | undefined) => void) {
  // A row keeps its number, so that one typed while the list changes means what it meant.
  const numberOf = openRowNumbers();
  let view = opened;
  let asked: boolean | undefined;
  const shown = () => shownRows(view, asked);
  // What Enter takes stays the same, too, for as long as it is listed.
  let first: string | undefined;
  const firstRow = () => {
    const { rows } = shown();
    const row = rows.find(({ id }) => id === first) ?? rows[0];
    first = row?.id;
    return row;
  };
  // Only what was on the screen can be meant.
  const drawn = new Set<string>();
  const rowAt = (number: number | undefined) =>
    number === undefined ? firstRow() : view.rows.find(({ id }) => drawn.has(id) && numberOf(id) === number);
  const ask = (words: string) => {
    const { everything, hidden } = shown();
    const best = firstRow();
    const hints = [
      ...(best === undefined ? [] : [`Enter: ${numberOf(best.id)}`, 'd and a number: details']),
      ...(hidden === 0 ? [] : [everything ? 'a: only what passes' : `a: everything, ${hidden} more`]),
      'q: back',
    ];
    screen.prompt(`${words} (${hints.join(', ')}) `);
  };
  const draw = () => {
    drawList(view, shown(), numberOf, screen);
    for (const { id } of shown().rows) drawn.add(id);
    if (view.rows.length > 0 || view.searching) ask('Which one?');
    else choose(undefined);
  };
  draw();
  return {
    show: (next: PickerView) => {
      const [before, { status, searching }] = [shown().rows, view];
      view = next;
      if (!isDeepStrictEqual(before, shown().rows) || (searching && !next.searching)) {
        screen.clear();
        draw();
      } else if (next.status !== status) screen.line(next.status);
    },
    hear: (answer: PickerAnswer) => {
      if (answer.kind === 'back') choose(undefined);
      else if (answer.kind === 'toggle') {
        asked = !shown().everything;
        draw();
      } else {
        const row = answer.kind === 'unclear' ? undefined : rowAt(answer.number);
        if (row === undefined) ask('The number of a row, please.');
        else if (answer.kind === 'choose') choose(row.id);
        else {
          drawDetails(row, screen);
          ask('Which one?');
        }
      }
    },
  };
}

function pickerOf(
  chosen: Promise<string | undefined>,
  show: (view: PickerView) => void,
  back: () => void,
): Picker {
  let isOpen = true;
  const over = chosen.finally(() => {
    isOpen = false;
  });
  // Nobody may be waiting for it yet.
  over.catch(() => undefined);
  return {
    update: (view) => {
      if (isOpen) show(view);
      return Promise.resolve();
    },
    chosen: over,
    close: async () => {
      back();
      await over.catch(() => undefined);
    },
  };
}
