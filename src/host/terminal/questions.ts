import type { ChoiceRow, Questions, TextQuestion } from '../port.ts';
import { askLine } from './ask-line.ts';
import { askHiddenLine } from './hidden-line.ts';
import type { TerminalIo } from './picker.ts';
import type { Screen } from './screen.ts';

/** What the person types to empty a text that Enter alone would keep. */
const EMPTY_KEY = '-';
/** Without it a keyboard seems dead. */
const HIDDEN_HINT = 'It is not shown while you type or paste it.';

/** "nas.lan", "localhost:5076", "http://nas", "10.0.0.2": no word, and no number, also where a full stop follows it. */
const ADDRESS = /^(?=.*(?:\p{L}|\d(?:\.\d+){3}|\[))\S*[.:/]\S*$/u;

/** Questions by plain prompts; Ctrl-C, "q" at a list and the end of the input go back. */
export function terminalQuestions(context: TerminalIo): Questions {
  const { screen } = context;
  const lines = (text: string) => {
    for (const line of text.split('\n')) screen.line(line);
  };
  return {
    text: async (question, signal) => {
      const { title, help, value, hidden = false } = question;
      signal.throwIfAborted();
      const isUnseen = hidden && context.input.isTTY === true;
      const above = [...(help === undefined ? [] : [help]), ...(isUnseen ? [HIDDEN_HINT] : [])];
      if (above.length > 0) screen.line(above.join(' '), 'dim');
      const isNew = value === undefined || value === '';
      const prompt = isNew ? title : `${title} (${keyHints(question)})`;
      const ask = isUnseen ? askHiddenLine : askLine;
      const answer = await ask(prompt, context, signal);
      if (isNew || answer === undefined) return answer === '' ? value : answer;
      return answer === '' ? value : answer === EMPTY_KEY ? '' : answer;
    },
    choose: async ({ title, rows, focused, orAddress }, signal) => {
      signal.throwIfAborted();
      screen.line(title, 'bold');
      drawRows(rows, screen);
      const first = Math.max(
        0,
        rows.findIndex(({ id }) => id === focused),
      );
      const numbers = `a number from 1 to ${rows.length}`;
      const words =
        orAddress === true
          ? { asked: 'Its number, or an address?', hint: `Type ${numbers}, an address, or q.` }
          : { asked: 'Which one?', hint: `Type ${numbers}, or q.` };
      const prompt = `${words.asked} (Enter: ${first + 1}, q: back)`;
      return await askUntilValid(
        { prompt, hint: words.hint },
        context,
        signal,
        (answer) =>
          rowFor(answer, rows, first)?.id ?? (orAddress && ADDRESS.test(answer) ? answer : undefined),
      );
    },
    confirm: async ({ title, text, yes, no }, signal) => {
      signal.throwIfAborted();
      screen.line(title, 'bold');
      lines(text);
      return await askUntilValid(
        { prompt: `y: ${yes}, n: ${no}, q: back`, hint: 'Type y, n or q.' },
        context,
        signal,
        (answer) => ({ y: true, n: false })[answer[0]?.toLowerCase() ?? ''],
      );
    },
    show: async ({ title, text }, signal) => {
      signal.throwIfAborted();
      screen.line(title, 'bold');
      lines(text);
      if (context.input.isTTY === true) await askLine('Enter: go on', context, signal);
    },
  };
}

/** What Enter alone and EMPTY come to: "Enter: sita, -: admin". */
function keyHints({ value, hidden = false, emptied = 'empty', isNeeded }: TextQuestion): string {
  const enter = `Enter: ${hidden ? 'as it is' : value}`;
  return isNeeded === true || emptied === value ? enter : `${enter}, ${EMPTY_KEY}: ${emptied}`;
}

/** Asks again, with the hint, until the answer means something; undefined for "q" and for Back. */
async function askUntilValid<T>(
  { prompt, hint }: { readonly prompt: string; readonly hint: string },
  context: TerminalIo,
  signal: AbortSignal,
  meaning: (answer: string) => T | undefined,
): Promise<T | undefined> {
  for (;;) {
    const answer = await askLine(prompt, context, signal);
    if (answer === undefined || answer.toLowerCase() === 'q') return undefined;
    const meant = meaning(answer);
    if (meant !== undefined) return meant;
    context.screen.line(hint);
  }
}

/** The numbers end in one column, so that the labels begin in one. */
function drawRows(rows: readonly ChoiceRow[], screen: Screen): void {
  const width = String(rows.length).length;
  rows.forEach(({ label, detail }, index) => {
    screen.line(`${String(index + 1).padStart(width)}  ${label}`);
    if (detail !== undefined) screen.line(`${' '.repeat(width)}  ${detail}`, 'dim');
  });
}

function rowFor(answer: string, rows: readonly ChoiceRow[], first: number): ChoiceRow | undefined {
  if (answer === '') return rows[first];
  return /^\d{1,6}$/.test(answer) ? rows[Number(answer) - 1] : undefined;
}
