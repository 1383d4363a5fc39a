import { registerSecret } from '../log/index.ts';
import type { Posting } from '../model/index.ts';

/** How posters write the archive's password into a name, and downloaders read it there (protocols.md §1.4). */
const IN_NAME = /(?:\{\{|\spassword=)(.*?)(\}\}|$)/gis;
/** Of a file's name it becomes a part. */
const USABLE = /^[^\p{C}]{1,100}$/u;

/** A listing whose password stands by itself: names are shown, logged and stored. */
export function withoutPassword(posting: Posting): Posting {
  const { name, password } = withoutPasswordIn(posting.name, /\.nzb$/i);
  if (name === posting.name) return posting;
  return { ...posting, name, ...(password !== undefined && USABLE.test(password) && { password }) };
}

/** What a service calls a file, without a password in it: it is shown, logged and stored as well. */
export const fileNameWithoutPassword = (name: string): string =>
  withoutPasswordIn(name, /\.[a-z][a-z\d]{1,3}$/i).name;

interface NameAndPassword {
  readonly name: string;
  readonly password?: string;
}

/** The log knows the password from now on. @param ending The file's extension: it stays. */
function withoutPasswordIn(name: string, ending: RegExp): NameAndPassword {
  const [extension = ''] = ending.exec(name) ?? [];
  const stem = name.slice(0, name.length - extension.length);
  const found = [...stem.matchAll(IN_NAME)];
  const [first] = found;
  if (first === undefined) return { name };
  for (const [, password = ''] of found) registerSecret(password.trim());
  const bare = `${stem.replace(IN_NAME, '').trimEnd()}${extension}`;
  const [whole, password = '', end] = first;
  // Cut in the middle it is of no use, and still to be shown to nobody.
  const isWhole = end === '}}' || !whole.startsWith('{{');
  return { name: bare, ...(isWhole && { password }) };
}
