import type { Writable } from 'node:stream';
import { redact } from '../../log/index.ts';
import { wrapLine } from './wrap.ts';

/** A stream that may be a terminal. */
export type ScreenStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** `print`: black on white, whatever the terminal's own colours are. */
export type Style = 'plain' | 'bold' | 'dim' | 'print';

/** Where the person reads: lines that stay, and below them one status line, or one question, that is redrawn. */
export interface Screen {
  /** Columns; 80 where nobody knows. */
  readonly columns: number;
  /** Whether a status line can be redrawn. */
  readonly interactive: boolean;
  /** Whether lines have a style. */
  readonly styled: boolean;
  line(text: string, style?: Style): void;
  /** A line that is not broken, as one to be copied. */
  unbrokenLine(text: string): void;
  /** The same for what is a secret elsewhere, and is shown for the person to type it. */
  unredactedLine(text: string): void;
  /** A line that says what all below is about; not again when it is what the last one said. */
  heading(text: string): void;
  /** Asks for input: like a line, but the cursor stays behind it, until the question is closed. */
  prompt(text: string): void;
  /** Whether a question stands there. */
  readonly isAsking: boolean;
  /** @param answered whether the person's Enter has ended the line already. */
  closePrompt(answered: boolean): void;
  /** Shows the status line, cut to the width; where it cannot be redrawn it becomes a line. */
  status(text: string): void;
  clearStatus(): void;
  /** Empties the screen for what is to be drawn anew, where there is one. */
  clear(): void;
}

const ERASE_LINE = '\r\u001b[2K';
/** The cursor to the first place (CUP), then all of the screen erased (ED). */
const ERASE_SCREEN = '\u001b[H\u001b[2J';
const DEFAULT_COLUMNS = 80;
/** SGR codes that start a style (ECMA-48, 8.3.117). */
const STYLES: Readonly<Record<Style, string>> = {
  plain: '',
  bold: '\u001b[1m',
  dim: '\u001b[2m',
  print: '\u001b[30;107m',
};
const RESET = '\u001b[0m';

/**
 * Shows text on `stream`, on a terminal with bold and dim unless `styled` is false, and broken at words. Control
 * characters and secrets never get through: much of it comes from strangers.
 *
 * @param plain Values that are shown though a secret may equal one.
 * @param inWords What is shown in place of a text.
 */
export function createScreen(
  stream: ScreenStream,
  styled: boolean,
  plain: ReadonlySet<string>,
  inWords: (text: string) => string,
): Screen {
  /** Text without escape sequences, line breaks or invisible marks that would reorder it, and without secrets. */
  const printable = (text: string) => sanitized(redact(inWords(text), plain));
  const interactive = stream.isTTY === true;
  let status = '';
  let question = '';
  let title = '';
  const write = (text: string) => {
    stream.write(text);
  };
  const clearStatus = () => {
    if (interactive && status !== '') write(ERASE_LINE);
    status = '';
  };
  /** A file, or another program, breaks no lines. */
  const fitted = (text: string) => (interactive ? wrapLine(text, screen.columns) : [text]);
  const writeLines = (lines: readonly string[], start: string) => {
    const [shown, asked] = [status, question];
    clearStatus();
    if (interactive && asked !== '') write(ERASE_LINE);
    for (const line of lines) write(`${start}${line}${start === '' ? '' : RESET}\n`);
    if (interactive && shown !== '') screen.status(shown);
    if (interactive) write(asked);
  };
  const screen: Screen = {
    get columns() {
      return stream.columns ?? DEFAULT_COLUMNS;
    },
    interactive,
    styled: interactive && styled,
    get isAsking() {
      return question !== '';
    },
    line: (text, style = 'plain') => {
      writeLines(fitted(printable(text)), screen.styled ? STYLES[style] : '');
    },
    unbrokenLine: (text) => {
      writeLines([printable(text)], '');
    },
    unredactedLine: (text) => {
      writeLines(fitted(sanitized(text)), '');
    },
    heading: (text) => {
      if (text !== title) screen.line(text);
      title = text;
    },
    prompt: (text) => {
      clearStatus();
      const lines = [...fitted(printable(text).trimEnd())];
      // Only the row with the cursor is drawn again when something is said meanwhile.
      question = `${lines.pop() ?? ''} `;
      for (const line of lines) write(`${line}\n`);
      write(question);
    },
    closePrompt: (answered) => {
      if (question !== '' && !answered) write('\n');
      question = '';
    },
    status: (text) => {
      const line = truncated(printable(text), screen.columns - 1);
      if (interactive) write(`${ERASE_LINE}${line}`);
      else if (line !== status) write(`${line}\n`);
      status = line;
    },
    clearStatus,
    clear: () => {
      if (interactive) write(ERASE_SCREEN);
      [status, question, title] = ['', '', ''];
    },
  };
  return screen;
}

function sanitized(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '');
}

function truncated(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
