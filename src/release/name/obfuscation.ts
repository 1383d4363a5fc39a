/** Whether a name says nothing at all: a hash, an identifier, random letters. */
export function isObfuscated(text: string): boolean {
  return (
    HASH.test(text) || PIECES.test(text) || IDENTIFIER.test(text) || (WORD.test(text) && looksRandom(text))
  );
}

const HASH = /^[\da-f]{16,}$/i;
/** As posting programs name their files: a fixed prefix and hexadecimal pieces. */
const PIECES = /^abc\.xyz(?:\.[\da-f]{2,40}){1,6}$/i;
const IDENTIFIER = /^\{?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}?$/i;
const WORD = /^[a-z\d_-]{8,}={0,2}$/i;

/** A single word whose letters and digits alternate more often, or with fewer vowels, than a language's do. */
function looksRandom(text: string): boolean {
  if (/[-_]/.test(text) && !/^[a-z\d]*[-_]?[a-z\d]*$/i.test(text)) return false;
  const digits = count(text, /\d/g);
  const letters = count(text, /[a-z]/gi);
  const changes = count(text, /\d(?=[a-z])|[a-z](?=\d)/gi);
  const humps = count(text, /[a-z](?=[A-Z])/g) + count(text, /[A-Z]{2}(?=[a-z])/g);
  const vowels = count(text, /[aeiouy]/gi);
  const runs = text.match(/[bcdfghjklmnpqrstvwxz]{5,}/gi)?.length ?? 0;
  if (letters === 0) return digits >= 16;
  if (text.length >= 12 && changes >= 4 && digits >= 3) return true;
  if (changes >= 5) return true;
  if (letters >= 10 && vowels / letters < 0.2) return true;
  if (text.length >= 10 && humps >= 4 && (runs > 0 || changes >= 2 || humps / letters > 0.25)) return true;
  return letters >= 12 && runs >= 2;
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
