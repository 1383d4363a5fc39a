import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { ResumeOffer } from '../port.ts';
import { resumeTimeText } from '../time-text.ts';
import type { TerminalIo } from './picker.ts';
import { readLine } from './read-line.ts';

/** Asks for one line of text; undefined for Ctrl-C and the end of the input. */
export async function askLine(
  prompt: string,
  { input, screen, interrupts }: TerminalIo,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const answer = deferred<string | undefined>();
  const back = () => {
    answer.resolve(undefined);
  };
  const release = interrupts.claim(back);
  screen.prompt(promptText(prompt));
  const stop = readLine(input, (line) => {
    if (line !== undefined) screen.closePrompt(true);
    answer.resolve(line?.trim());
  });
  try {
    return await unlessAborted(answer.promise, signal);
  } finally {
    screen.closePrompt(false);
    release();
    stop();
  }
}

/** What the cursor stands behind: no colon follows what ends by itself. */
export const promptText = (prompt: string): string => (/[.!?…]$/.test(prompt) ? `${prompt} ` : `${prompt}: `);

/** Without a person at the input the film is played from its start, as a script expects. */
export async function askResume(
  offer: ResumeOffer,
  context: TerminalIo,
  signal: AbortSignal,
): Promise<'resume' | 'start' | undefined> {
  signal.throwIfAborted();
  if (context.input.isTTY !== true) return 'start';
  const answer = await askLine(
    `r: resume from ${resumeTimeText(offer)}, b: play from the beginning`,
    context,
    signal,
  );
  const letter = answer?.[0]?.toLowerCase();
  return letter === 'r' ? 'resume' : letter === 'b' ? 'start' : undefined;
}
