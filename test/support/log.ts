import { createLogger, type Logger } from '../../src/log/index.ts';

/** A logger that keeps its lines, as they would reach the media centre's log. */
export function memoryLog(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  return { ...createLogger((level, line) => lines.push(`${level}: ${line}`)), lines };
}
