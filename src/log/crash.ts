import { createLogger } from './logger.ts';

const FAILED = 1;

/**
 * Writes what nobody has caught, a rejected promise's reason included, as every other line is written, redacted, and
 * ends the process. Node itself would print the error as it is, with what its message and its causes hold of addresses
 * and keys.
 */
export function logCrashes(): void {
  process.on('uncaughtException', (error, origin) => {
    crashLog.error(`the engine crashed (${origin})`, error);
  });
}

/** The process ends once the line has left it, or cannot leave it. */
const crashLog = createLogger((level, line) => {
  process.stderr.write(`${level}: ${line}\n`, () => {
    process.exit(FAILED);
  });
});
