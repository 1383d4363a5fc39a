import { loginOf } from '../../io/login.ts';
import { registerLogin, registerSecret } from '../../log/index.ts';
import { isKeyName } from './reading.ts';

/** Characters. Shorter values are words and numbers. */
const MIN_SECRET = 8;
/** Addresses in an address in an address: nobody goes further. */
const DEEPEST = 2;

/** A link that somebody else has made holds keys that were never entered here: the log knows them from now on. */
export function registerLinkSecrets(link: URL, depth = 0): void {
  if (link.password !== '') registerLogin(loginOf(link).join(':'));
  for (const [name, value] of link.searchParams) {
    if (isKeyName(name) && value.length >= MIN_SECRET) registerSecret(value);
    if (depth < DEEPEST && /^https?:/i.test(value) && URL.canParse(value))
      registerLinkSecrets(new URL(value), depth + 1);
  }
}
