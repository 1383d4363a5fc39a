import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TerminalIo } from './picker.ts';

const INTERRUPT = '\u0003';

/**
 * Takes what is typed while nothing is asked, so that it answers no later question. In raw mode, in which the terminal
 * hands on each key at once, shows none of them, and leaves Ctrl-C to us.
 * @returns what ends it; may be called again
 */
export function discardKeys({ input, interrupts }: TerminalIo): () => Promise<void> {
  const drop = (keys: Buffer | string) => {
    if (keys.toString().includes(INTERRUPT)) interrupts.interrupt();
  };
  let isOn = true;
  input.setRawMode?.(true);
  input.on('data', drop);
  input.resume();
  return async () => {
    if (!isOn) return;
    isOn = false;
    // Two turns of the loop: in the second one at the latest, what was typed by now has been read.
    await nextTurn();
    await nextTurn();
    input.off('data', drop);
    input.pause();
    input.setRawMode?.(false);
  };
}
