import { registerSecret } from '../log/index.ts';
import type { Posting } from '../model/index.ts';

/** How posters write the archive's password into a name. */
const IN_NAME = /\{\{(.*?)(?:\}\}|$)/;
const EACH = new RegExp(IN_NAME, 'g');
/** Of a file's name it becomes a part. */
const USABLE = /^[^\p{C}]{1,100}$/u;

/** A listing whose password stands by itself: names are shown, logged and stored. */
export function withoutPassword(posting: Posting): Posting {
  const found = IN_NAME.exec(posting.name);
  if (found === null) return posting;
  const [, password = ''] = found;
  if (password !== '') registerSecret(password);
  // Cut in the middle it is of no use, and still to be shown to nobody.
  const name = posting.name.replace(EACH, '').replace(/\s+(?=\.nzb$|$)/i, '');
  if (!found[0].endsWith('}}')) return { ...posting, name };
  return { ...posting, name, ...(USABLE.test(password) && { password }) };
}
