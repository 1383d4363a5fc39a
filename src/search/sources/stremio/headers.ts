import { registerSecret } from '../../../log/index.ts';
import type { Link } from '../../../model/index.ts';

/** Headers that say who asks; others would change what is asked. */
const ALLOWED_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'x-api-key',
]);
const MAX_HEADER = 4096;

/** What is to be sent along with a link that plays, of what its add-on wants to be sent. */
export function headersOf(request: Readonly<Record<string, unknown>> = {}): Pick<Link, 'headers'> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(request)) {
    const known = name.toLowerCase();
    if (!ALLOWED_HEADERS.has(known) || typeof value !== 'string' || !isSendable(value)) continue;
    kept[known] = value;
    if (known !== 'user-agent' && known !== 'referer' && known !== 'origin') registerSecret(value);
  }
  return Object.keys(kept).length > 0 ? { headers: kept } : {};
}

const isSendable = (value: string) => value.length <= MAX_HEADER && /^[\t\x20-\x7e]+$/.test(value);
