const PLAIN = /^[a-z\d]*$/;
const ASCII = /^[\x20-\x7e]*$/;

/** A word as the tables spell it: lower case, without accents and apostrophes. */
export function wordKey(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  const plain = ASCII.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
  return plain.replace(/['’`´]/g, '');
}
