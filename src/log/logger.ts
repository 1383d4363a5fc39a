import { inspect } from 'node:util';
import { redact } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export interface Logger {
  debug(text: string): void;
  info(text: string): void;
  warning(text: string): void;
  error(text: string, cause?: unknown): void;
}

/** Characters of a line; what a stranger sent may be of any length. */
const MAX_LINE = 16_000;

/** A logger whose lines are redacted before they reach `write`. One event, one line. */
export function createLogger(write: (level: LogLevel, line: string) => void): Logger {
  const emit = (level: LogLevel, text: string) => {
    write(level, oneLine(redact(text)));
  };
  return {
    debug: (text) => {
      emit('debug', text);
    },
    info: (text) => {
      emit('info', text);
    },
    warning: (text) => {
      emit('warning', text);
    },
    error: (text, cause) => {
      emit('error', cause === undefined ? text : `${text}: ${describe(cause)}`);
    },
  };
}

/** The form that the Python host reads from the engine's stderr: "level: text". */
export const stderrLogger = (): Logger =>
  createLogger((level, line) => {
    process.stderr.write(`${level}: ${line}\n`);
  });

/** Neither a line break nor a control character of a stranger's text may look like another entry of the log. */
function oneLine(text: string): string {
  const cut = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
  return cut.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, ' | ').replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

const MAX_CAUSES = 5;

function describe(error: unknown): string {
  const parts: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined; depth++) {
    if (!(current instanceof Error)) {
      parts.push(
        typeof current === 'string' ? current : inspect(current, { depth: 2, breakLength: Infinity }),
      );
      break;
    }
    parts.push(current.stack ?? current.message);
    current = current.cause;
  }
  return parts.join(' <- ');
}
