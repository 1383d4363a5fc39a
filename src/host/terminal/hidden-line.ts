import { StringDecoder } from 'node:string_decoder';
import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import { promptText } from './ask-line.ts';
import type { TerminalIo } from './picker.ts';

/** What keys other than letters send, and the marks around what is pasted (ECMA-48, 5.4): nothing of it is meant for the text. */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O?\P{Cc})/gu;
/** The beginning of one whose rest is still to come. */
const PARTIAL_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*|O)?$/u;
const INTERRUPT = '\u0003';
const END_OF_INPUT = '\u0004';
const ERASERS = ['\b', '\u007f'];

/**
 * Asks for a line that is not to be read on the screen; undefined for Ctrl-C and the end of the input. The terminal
 * echoes nothing in raw mode, in which its keys mean nothing either: we carry them out. What follows the line stays in
 * the stream.
 */
export async function askHiddenLine(
  prompt: string,
  { input, screen, interrupts }: TerminalIo,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const answer = deferred<string | undefined>();
  const back = () => {
    answer.resolve(undefined);
  };
  const done = (text: string) => {
    answer.resolve(text);
  };
  const line = hiddenLine({ done, back, interrupt: interrupts.interrupt });
  const decoder = new StringDecoder('utf8');
  const hear = (chunk: Buffer | string) => {
    const rest = line.hear(typeof chunk === 'string' ? chunk : decoder.write(chunk));
    if (rest === undefined) return;
    leave();
    if (rest !== '') input.unshift(Buffer.from(rest));
  };
  const leave = () => {
    input.off('data', hear);
    input.off('end', back);
    input.pause();
  };
  const release = interrupts.claim(back);
  input.setRawMode?.(true);
  screen.prompt(promptText(prompt));
  if (input.readableEnded) back();
  input.on('data', hear);
  input.once('end', back);
  // The question before has paused it.
  input.resume();
  try {
    return await unlessAborted(answer.promise, signal);
  } finally {
    leave();
    input.setRawMode?.(false);
    release();
    screen.closePrompt(false);
  }
}

interface LineEnds {
  readonly done: (text: string) => void;
  readonly back: () => void;
  readonly interrupt: () => void;
}

/** Takes what the keys send. `hear` gives what came behind the end of the line; undefined before that. */
function hiddenLine({ done, back, interrupt }: LineEnds) {
  let typed: readonly string[] = [];
  let begun = '';
  const take = (key: string) => {
    if (key === INTERRUPT) interrupt();
    else if (key === END_OF_INPUT && typed.length === 0) back();
    else if (ERASERS.includes(key)) typed = typed.slice(0, -1);
    else if (!/\p{Cc}/u.test(key)) typed = [...typed, key];
  };
  return {
    hear: (text: string): string | undefined => {
      // A lone Esc means nothing, and takes nothing with it.
      const isGoingOn = begun !== '\u001b' || /^[[O]/.test(text);
      const whole = isGoingOn ? `${begun}${text}` : text;
      begun = PARTIAL_SEQUENCE.exec(whole)?.[0] ?? '';
      const keys = Array.from(whole.slice(0, whole.length - begun.length).replace(SEQUENCE, ''));
      const end = keys.findIndex((key) => key === '\r' || key === '\n');
      for (const key of end < 0 ? keys : keys.slice(0, end)) take(key);
      if (end < 0) return undefined;
      done(typed.join('').trim());
      // As a plain line reads it: raw keys end their lines otherwise.
      const rest = keys.slice(end).join('').replace(/\r\n?/g, '\n');
      return rest.slice(1);
    },
  };
}
