/** Percent-decoded once; a text in which a "%" starts nothing valid was never encoded and stands for itself. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
