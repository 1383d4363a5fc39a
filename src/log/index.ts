export { logCrashes } from './crash.ts';
export { createLogger, type Logger, stderrLogger } from './logger.ts';
export { redact, registerLogin, registerSecret } from './redact.ts';
export { withRecentLines as remembering } from './remembering.ts';
