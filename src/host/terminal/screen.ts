import type { Writable } from 'node:stream';
import { redact } from '../../log/index.ts';

/** A stream that may be a terminal. */
export type ScreenStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where the person reads: lines that stay, and below them one status line that is redrawn in place. */
export interface Screen {
  /** Columns; 80 where nobody knows. */
  readonly columns: number;
  /** Whether a status line can be redrawn. */
  readonly interactive: boolean;
  line(text: string): void;
  /** Asks for input: like a line, but the cursor stays behind it. */
  prompt(text: string): void;
  /** Shows the status line, cut to the width; where it cannot be redrawn it becomes a line. */
  status(text: string): void;
  clearStatus(): void;
}

const ERASE_LINE = '\r\u001b[2K';
const DEFAULT_COLUMNS = 80;

/** Shows text on `stream`. Control characters and secrets never get through: much of it comes from strangers. */
export function createScreen(stream: ScreenStream): Screen {
  const interactive = stream.isTTY === true;
  let status = '';
  const write = (text: string) => {
    stream.write(text);
  };
  const clearStatus = () => {
    if (interactive && status !== '') write(ERASE_LINE);
    status = '';
  };
  const screen: Screen = {
    get columns() {
      return stream.columns ?? DEFAULT_COLUMNS;
    },
    interactive,
    line: (text) => {
      const shown = status;
      clearStatus();
      write(`${printable(text)}\n`);
      if (interactive && shown !== '') screen.status(shown);
    },
    prompt: (text) => {
      clearStatus();
      write(printable(text));
    },
    status: (text) => {
      const line = cut(printable(text), screen.columns - 1);
      if (interactive) write(`${ERASE_LINE}${line}`);
      else if (line !== status) write(`${line}\n`);
      status = line;
    },
    clearStatus,
  };
  return screen;
}

/** Text without escape sequences, line breaks or invisible marks that would reorder it, and without secrets. */
function printable(text: string): string {
  return redact(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '');
}

function cut(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
