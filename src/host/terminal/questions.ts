import type { ChoiceRow, Questions } from '../port.ts';
import { askHiddenLine } from './hidden-line.ts';
import type { PickerContext } from './picker.ts';
import { askLine } from './question.ts';

/** What the person types to empty a text that Enter alone would keep. */
const EMPTY = '-';

/** Questions by plain prompts; Ctrl-C, "q" at a list and the end of the input go back. */
export function terminalQuestions(context: PickerContext): Questions {
  const { screen } = context;
  const lines = (text: string) => {
    for (const line of text.split('\n')) screen.line(line);
  };
  return {
    text: async ({ title, value, hidden = false }, signal) => {
      const isNew = value === undefined || value === '';
      const kept = hidden ? 'as it is' : value;
      const prompt = isNew ? title : `${title} (Enter: ${kept}, ${EMPTY}: empty)`;
      const ask = hidden && context.input.isTTY === true ? askHiddenLine : askLine;
      const answer = await ask(prompt, context, signal);
      if (isNew || answer === undefined) return answer === '' ? value : answer;
      return answer === '' ? value : answer === EMPTY ? '' : answer;
    },
    choose: async ({ title, rows, focused }, signal) => {
      signal.throwIfAborted();
      screen.line(title, 'bold');
      rows.forEach(({ label, detail }, index) => {
        screen.line(`${index + 1}  ${label}`);
        if (detail !== undefined) screen.line(`   ${detail}`, 'dim');
      });
      const first = Math.max(
        0,
        rows.findIndex(({ id }) => id === focused),
      );
      const prompt = `Which one? (Enter: ${first + 1}, q: back)`;
      const hint = `Type a number from 1 to ${rows.length}, or q.`;
      return await untilClear({ prompt, hint }, context, signal, (answer) => rowFor(answer, rows, first)?.id);
    },
    confirm: async ({ title, text, yes, no }, signal) => {
      signal.throwIfAborted();
      screen.line(title, 'bold');
      lines(text);
      return await untilClear(
        { prompt: `y: ${yes}, n: ${no}, q: back`, hint: 'Type y, n or q.' },
        context,
        signal,
        (answer) => ({ y: true, n: false })[answer[0] ?? ''],
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

/** Asks again, with the hint, until the answer means something; undefined for "q" and for Back. */
async function untilClear<T>(
  { prompt, hint }: { readonly prompt: string; readonly hint: string },
  context: PickerContext,
  signal: AbortSignal,
  meaning: (answer: string) => T | undefined,
): Promise<T | undefined> {
  for (;;) {
    const answer = (await askLine(prompt, context, signal))?.toLowerCase();
    if (answer === undefined || answer === 'q') return undefined;
    const meant = meaning(answer);
    if (meant !== undefined) return meant;
    context.screen.line(hint);
  }
}

function rowFor(answer: string, rows: readonly ChoiceRow[], first: number): ChoiceRow | undefined {
  if (answer === '') return rows[first];
  return /^\d{1,6}$/.test(answer) ? rows[Number(answer) - 1] : undefined;
}
