import { loginOf } from '../../../io/login.ts';
import { registerLogin, registerSecret } from '../../../log/index.ts';
import { SECRET_PARAMETER } from './fields.ts';

/** Characters. Shorter values are words and numbers; no key is as short. */
const MIN_SECRET = 8;
/** Addresses in an address in an address: nobody goes further. */
const MAX_DEPTH = 2;

/** A link to an NZB that somebody else has made holds keys that were never entered here: the log knows them from now on. */
export function registerLinkSecrets(link: URL, depth = 0): void {
  if (link.password !== '') registerLogin(loginOf(link).join(':'));
  for (const [name, value] of link.searchParams) {
    if (SECRET_PARAMETER.test(name) && value.length >= MIN_SECRET) registerSecret(value);
  }
  registerInnerSecrets(link, depth);
}

/** The same for a link that plays, of the links that are its parameters; its own keys may be others in each row. */
export function registerInnerSecrets(link: URL, depth = 0): void {
  if (depth === MAX_DEPTH) return;
  for (const value of link.searchParams.values()) {
    if (/^https?:/i.test(value) && URL.canParse(value)) registerLinkSecrets(new URL(value), depth + 1);
  }
}
