import { createInterface } from 'node:readline';
import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import { clock } from '../clock.ts';
import type { PickerContext } from './picker.ts';

/** Asks for one line of text; undefined for Ctrl-C and the end of the input. */
export async function askLine(
  prompt: string,
  { input, screen, interrupts }: PickerContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const answer = deferred<string | undefined>();
  const back = () => {
    answer.resolve(undefined);
  };
  const reader = createInterface({ input, terminal: false });
  const release = interrupts.claim(back);
  reader.on('close', back);
  reader.once('line', (text) => {
    screen.closePrompt(true);
    answer.resolve(text.trim());
  });
  screen.prompt(`${prompt}: `);
  try {
    return await unlessAborted(answer.promise, signal);
  } finally {
    screen.closePrompt(false);
    release();
    reader.close();
  }
}

/** Without a person at the input the film is played from its start, as a script expects. */
export async function askResume(
  position: number,
  context: PickerContext,
  signal: AbortSignal,
): Promise<'resume' | 'start' | undefined> {
  signal.throwIfAborted();
  if (context.input.isTTY !== true) return 'start';
  const answer = await askLine(
    `r: resume from ${clock(position)}, b: play from the beginning`,
    context,
    signal,
  );
  const letter = answer?.[0]?.toLowerCase();
  return letter === 'r' ? 'resume' : letter === 'b' ? 'start' : undefined;
}
