/** Letters that no decomposition takes apart. */
const LIGATURES: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Text without accents, in lower case: "Amélie" becomes "amelie". */
function withoutAccents(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LIGATURES[letter] ?? letter);
}

/** Nearly all names are, and need none of what other alphabets do. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * The words of a name or title with one blank between them, for comparison: lower case, no accents, no apostrophes,
 * everything else that is neither letter, digit nor "+" taken as a blank. "HDR10+" and "DD+" keep their sign.
 */
export function plainWords(text: string): string {
  if (ASCII.test(text)) {
    return text
      .toLowerCase()
      .replace(/['`]/g, '')
      .replace(/[^a-z0-9+]+/g, ' ')
      .trim();
  }
  return withoutAccents(text)
    .replace(/['’‘`´]/g, '')
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
}
