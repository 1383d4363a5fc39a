import { StringDecoder } from 'node:string_decoder';
import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { PickerContext } from './picker.ts';

/** What keys other than letters send (ECMA-48, 5.4): nothing of it is meant for the text. */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O?.)/gu;
const INTERRUPT = '\u0003';
const END = '\u0004';
const ERASERS = ['\b', '\u007f'];

/**
 * Asks for a line that is not to be read on the screen; undefined for Ctrl-C and the end of the input. The terminal
 * echoes nothing in raw mode, in which its keys mean nothing either: we carry them out.
 */
export async function askHiddenLine(
  prompt: string,
  { input, screen, interrupts }: PickerContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const answer = deferred<string | undefined>();
  const back = () => {
    answer.resolve(undefined);
  };
  const line = hiddenLine({
    done: (text) => {
      answer.resolve(text);
    },
    back,
    interrupt: interrupts.interrupt,
  });
  const decoder = new StringDecoder('utf8');
  const hear = (chunk: Buffer) => {
    line.hear(decoder.write(chunk));
  };
  const release = interrupts.claim(back);
  input.setRawMode?.(true);
  input.on('data', hear);
  input.once('end', back);
  screen.prompt(`${prompt}: `);
  try {
    return await unlessAborted(answer.promise, signal);
  } finally {
    input.setRawMode?.(false);
    input.off('data', hear);
    input.off('end', back);
    input.pause();
    release();
    screen.closePrompt(false);
  }
}

interface Ends {
  readonly done: (text: string) => void;
  readonly back: () => void;
  readonly interrupt: () => void;
}

/** Takes what the keys send, up to the end of the line. */
function hiddenLine({ done, back, interrupt }: Ends) {
  let typed: readonly string[] = [];
  const take = (key: string) => {
    if (ERASERS.includes(key)) typed = typed.slice(0, -1);
    else if (!/\p{Cc}/u.test(key)) typed = [...typed, key];
  };
  return {
    hear: (text: string) => {
      for (const key of text.replace(SEQUENCE, '')) {
        if (key === '\r' || key === '\n') done(typed.join('').trim());
        else if (key === INTERRUPT) interrupt();
        else if (key === END && typed.length === 0) back();
        else take(key);
      }
    },
  };
}
