export { createLogger, type Level, type Logger, stderrLogger } from './logger.ts';
export { redact, registerSecret } from './redact.ts';
