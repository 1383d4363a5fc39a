export { logCrashes } from './crash.ts';
export { createLogger, type Logger, stderrLogger } from './logger.ts';
export { withRecentLines } from './recent-lines.ts';
export { redact, registerLogin, registerSecret } from './redact.ts';
