export { createLogger, type Logger, stderrLogger } from './logger.ts';
export { redact, registerSecret } from './redact.ts';
