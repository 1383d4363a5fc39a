const SOURCES =
  'bluray|bdrip|brrip|bdremux|webrip|webdl|web|dl|rip|hdtv|hdtvrip|pdtv|tvrip|dvdrip|dvd|hdrip|remux|bd';
const CODECS = '[xh]26[3-6]|xvid|divx|hevc|avc|av1';
const LINES = String.raw`\d{3,4}[pi]`;
const GLUED: readonly RegExp[] = [
  new RegExp(`^(${SOURCES})(${LINES})(${CODECS})$`, 'i'),
  new RegExp(`^(${SOURCES})(${LINES}|${CODECS})$`, 'i'),
  new RegExp(`^(${LINES})(${SOURCES})(${CODECS})$`, 'i'),
  new RegExp(`^(${LINES})(${SOURCES}|${CODECS})$`, 'i'),
];
/** Characters; the longest of the above has fewer. */
const MAX_LENGTH = 20;
/** What one of the parts at least is. */
const PICTURE = /\d[pi]|26[3-6]|vid$|divx$|vc$|av1$/i;

/** "Bluray1080p", "HDTVx264", "720pHDTV": the tags that are glued into one word, or the word itself. */
export function splitGlued(word: string): readonly string[] {
  if (word.length < 5 || word.length > MAX_LENGTH || !PICTURE.test(word)) return [word];
  for (const pattern of GLUED) {
    const parts = pattern.exec(word);
    if (parts !== null) return parts.slice(1);
  }
  return [word];
}
