export { createLogger, type Logger, stderrLogger } from './logger.ts';
export { redact, registerLogin, registerSecret } from './redact.ts';
