import { redact } from './redact.ts';

export type Level = 'debug' | 'info' | 'warning' | 'error';

export interface Logger {
  debug(text: string): void;
  info(text: string): void;
  warning(text: string): void;
  error(text: string, cause?: unknown): void;
}

/** A logger whose lines are redacted before they reach `write`. One event, one line. */
export function createLogger(write: (level: Level, line: string) => void): Logger {
  const emit = (level: Level, text: string) => {
    write(level, redact(text).replace(/[\r\n]+/g, ' | '));
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

const MAX_CAUSES = 5;

function describe(error: unknown): string {
  const parts: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined; depth++) {
    if (!(current instanceof Error)) {
      parts.push(typeof current === 'string' ? current : JSON.stringify(current));
      break;
    }
    parts.push(current.stack ?? current.message);
    current = current.cause;
  }
  return parts.join(' <- ');
}
