import { expect } from 'vitest';
import type { Pty } from '../../support/pty.ts';

/**
 * What somebody types by what is on the screen: the first entry whose words stand there counts. Of several answers each
 * is given once, and the last one from then on; one may depend on what else is on the screen.
 */
export type Answers = readonly (readonly [words: string, ...answers: readonly Answer[]])[];
type Answer = string | ((screen: string) => string);

/** Escape sequences of the terminal (ECMA-48, 5.4). */
const SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]/gu;
/** What the cursor stands behind while something is asked. */
const ASKED = ': ';

/** Somebody who answers the questions of a command on its terminal. */
export function shellPerson(shell: Pty) {
  let heard = 0;
  let count = 0;
  const news = () => shell.text().slice(heard).replace(SEQUENCE, '');
  const something = (end: string) =>
    expect
      .poll(() => news().includes(end) || news().endsWith(ASKED), {
        interval: 10,
        timeout: 20_000,
        message: `neither asks anything nor shows "${end}"`,
      })
      .toBe(true);
  return {
    /** Answers until those words are shown; fails at a question for which there is no answer. */
    answerUntil: async (end: string, answers: Answers): Promise<void> => {
      const given = new Map<string, number>();
      for (;;) {
        await something(end);
        const text = news();
        if (text.includes(end)) return;
        const entry = answers.find(([words]) => text.includes(words));
        expect(entry, `an answer to:\n${text}`).toBeDefined();
        const [words = '', ...keys] = entry ?? [];
        const before = given.get(words) ?? 0;
        given.set(words, before + 1);
        heard = shell.text().length;
        count++;
        const answer = keys[Math.min(before, keys.length - 1)] ?? '';
        await shell.type(`${typeof answer === 'string' ? answer : answer(text)}\r`);
      }
    },
    /** How many questions were answered so far. */
    count: () => count,
  };
}
