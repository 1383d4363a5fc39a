import { createLogger, type Logger } from './logger.ts';

const MAX_LINES = 60;

/** A log that remembers its last lines, redacted, so that a failure can be told with what led to it. */
export function withRecentLines(log: Logger): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const kept = createLogger((level, line) => {
    if (lines.push(`${level}: ${line}`) > MAX_LINES) lines.shift();
  });
  return {
    lines,
    log: {
      debug: (text) => {
        log.debug(text);
        kept.debug(text);
      },
      info: (text) => {
        log.info(text);
        kept.info(text);
      },
      warning: (text) => {
        log.warning(text);
        kept.warning(text);
      },
      // The failure itself is kept with its causes; a stack tells a person nothing.
      error: (text, cause) => {
        log.error(text, cause);
        kept.error(text);
      },
    },
  };
}
