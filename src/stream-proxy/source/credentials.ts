import { registerLogin, registerSecret } from '../../log/index.ts';
import type { SourceSpec } from './source-spec.ts';

/** A header that is sent to one source only is hardly ever anything but a credential; better one too many. */
const SECRET_HEADER = /auth|cookie|key|pass|secret|token/i;
/** Parameters are named by ordinary words, too ("keyword", "author"): only whole parts of a name count. */
const SECRET_PARAMETER =
  /(?:^|[-_.])(?:auth|authorization|(?:access|api|auth|download|pass|rss|secret)?[-_]?(?:key|token)|pass|passw(?:or)?d|secret|cookie)(?:$|[-_.])/;
/**
 * Characters. A shorter value may be an ordinary word, which would then be masked in every text from there on; at its
 * place in an address it is masked anyway (log/redact.ts).
 */
const MIN_PARAMETER = 8;

/**
 * Registers what opens a source with the log's redaction: the proxy gets it by /prepare and never reads the settings,
 * and a server may quote it in an answer that is then logged.
 */
export function registerCredentials({ url, headers }: SourceSpec): void {
  for (const [name, value] of Object.entries(headers)) if (SECRET_HEADER.test(name)) registerValue(value);
  for (const [name, value] of new URL(url).searchParams)
    if (value.length >= MIN_PARAMETER && SECRET_PARAMETER.test(hyphenated(name))) registerValue(value);
}

/** "downloadKey" as "download-key". */
const hyphenated = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();

function registerValue(value: string): void {
  const [, scheme = '', token = value] = /^(basic|bearer) +(.+)$/i.exec(value) ?? [];
  registerSecret(token);
  if (scheme.toLowerCase() === 'basic') registerLogin(Buffer.from(token, 'base64').toString('utf8'));
}
