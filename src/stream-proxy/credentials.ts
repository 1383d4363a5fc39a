import { registerLogin, registerSecret } from '../log/index.ts';
import type { SourceSpec } from './source.ts';

/** Headers and parameters whose value opens something. */
const SECRET_NAME = /auth|cookie|key|pass|secret|token/i;

/**
 * Registers what opens a source with the log's redaction: the proxy gets it by /prepare and never reads the settings,
 * and a server may quote it in an answer that is then logged.
 */
export function registerCredentials({ url, headers }: SourceSpec): void {
  for (const [name, value] of [...Object.entries(headers), ...new URL(url).searchParams]) {
    if (!SECRET_NAME.test(name)) continue;
    const [, scheme = '', token = value] = /^(basic|bearer) +(.+)$/i.exec(value) ?? [];
    registerSecret(token);
    if (scheme.toLowerCase() === 'basic') registerLogin(Buffer.from(token, 'base64').toString('utf8'));
  }
}
