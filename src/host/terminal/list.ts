import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { PickList, PickRow } from '../port.ts';
import type { Interrupts } from './interrupts.ts';
import type { Screen } from './screen.ts';

export type InputStream = Readable & { readonly isTTY?: boolean };

export interface ListContext {
  readonly input: InputStream;
  readonly screen: Screen;
  readonly interrupts: Interrupts;
}

/**
 * Shows a numbered list and waits for a number. Without a person at the input (a pipe, a cron job) the first row is
 * taken. Gives undefined for "q", Ctrl-C and the end of the input.
 */
export async function pickFromList(
  list: PickList,
  context: ListContext,
  signal: AbortSignal,
): Promise<number | undefined> {
  signal.throwIfAborted();
  const [first] = list.rows;
  if (first === undefined) return undefined;
  showList(list, context.screen);
  if (context.input.isTTY !== true) {
    context.screen.line(`Taking the first: ${first.label}`);
    return 0;
  }
  return await askForNumber(list.rows.length, context, signal);
}

function showList({ title, subtitle, rows }: PickList, screen: Screen): void {
  const width = String(rows.length).length;
  screen.heading(title);
  if (subtitle !== '') screen.line(subtitle);
  screen.line('');
  for (const [index, row] of rows.entries()) {
    screen.line(`${String(index + 1).padStart(width)}  ${row.label}`, 'bold');
    screen.line(`${' '.repeat(width)}  ${rowFacts(row)}`, 'dim');
  }
  screen.line('');
}

function rowFacts({ badge, facts, rejection }: PickRow): string {
  return [
    ...(badge === '' ? [] : [badge]),
    ...facts,
    ...(rejection === '' ? [] : [`rejected: ${rejection}`]),
  ].join(' · ');
}

const BACK = 'back';
const AGAIN = 'again';

/** What the person typed: the index of a row, BACK, or AGAIN when it makes no sense. Enter takes the first row. */
function parseChoice(text: string, rows: number): number | typeof BACK | typeof AGAIN {
  const word = text.trim().toLowerCase();
  if (word === '') return 0;
  if (word === 'q') return BACK;
  const number = /^\d{1,6}$/.test(word) ? Number(word) : 0;
  return number >= 1 && number <= rows ? number - 1 : AGAIN;
}

function askForNumber(
  rows: number,
  { input, screen, interrupts }: ListContext,
  signal: AbortSignal,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // Not readline's terminal mode: the system's own line editing is enough, and Ctrl-C stays a signal.
    const reader = createInterface({ input, terminal: false });
    let open = true;
    const finish = (answered: boolean, settle: () => void) => {
      if (!open) return;
      open = false;
      screen.closePrompt(answered);
      release();
      signal.removeEventListener('abort', onAbort);
      reader.close();
      settle();
    };
    const goBack = (answered: boolean) => {
      finish(answered, () => {
        resolve(undefined);
      });
    };
    const leave = () => {
      goBack(false);
    };
    const onAbort = () => {
      finish(false, () => {
        reject(signal.reason as Error);
      });
    };
    const choices = rows === 1 ? '1' : `1 to ${rows}`;
    const ask = (words: string) => {
      screen.prompt(`${words} (Enter: 1, q: back) `);
    };
    const release = interrupts.claim(leave);
    signal.addEventListener('abort', onAbort);
    reader.on('close', leave);
    reader.on('line', (text) => {
      const choice = parseChoice(text, rows);
      if (choice === AGAIN) ask(`${choices}, please.`);
      else if (choice === BACK) goBack(true);
      else
        finish(true, () => {
          resolve(choice);
        });
    });
    ask(`Which one, ${choices}?`);
  });
}
