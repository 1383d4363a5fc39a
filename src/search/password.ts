import type { Posting } from '../model/index.ts';

/** How posters write the archive's password into a name. */
const IN_NAME = /\{\{(.*?)\}\}/;
/** Of a file's name it becomes a part. */
const USABLE = /^[^\p{C}]{1,100}$/u;

/** A listing whose password stands by itself: names are shown, logged and stored. */
export function withoutPassword(posting: Posting): Posting {
  const found = IN_NAME.exec(posting.name);
  if (found === null) return posting;
  const [whole, password = ''] = found;
  const name = posting.name.replace(whole, '').replace(/\s+(?=\.nzb$|$)/i, '');
  return { ...posting, name, ...(USABLE.test(password) && { password }) };
}
