/** Takes off what posters, indexers and file systems hang onto a release's name. */
export interface CleanName {
  readonly text: string;
  /** Of the file, as its ending says. */
  readonly container?: string;
}

/** File systems allow no longer names. */
const MAX_NAME_LENGTH = 255;
/** A usenet subject holds the name and more. */
const MAX_SUBJECT_LENGTH = 1_000;

export function cleanName(name: string): CleanName {
  const subject = name.slice(0, MAX_SUBJECT_LENGTH).normalize('NFC').replace(/&amp;/g, '&').trim();
  const text = withoutAddress(
    isSubject(subject) ? nameInSubject(subject.replace(NEWS_PREFIX, '')) : lastOfPath(subject),
  ).slice(0, MAX_NAME_LENGTH);
  const { rest, container } = withoutEndings(text.trim());
  return { text: rest, ...(container !== undefined && { container }) };
}

const SUBJECT = /"|\byenc\b|[[(]\d{1,4}\/\d{1,4}[\])]|^(?:re: )?\[(?:\d{3,7}|private|n3wz)\]/i;
const isSubject = (text: string) => SUBJECT.test(text);

const PART = /[[({"]([^[\](){}"]{3,})(?=[\])}"]|$)/g;
const TELLING =
  /(?:^|[^a-z\d])(?:s\d{1,2}(?:e\d{1,3})?|(?:19|20)\d\d|\d{3,4}[pi]|[xh]\.?26[45]|web(?:-?dl|rip)?|bluray|hdtv|hevc|dvdrip|xvid|remux)(?![a-z\d])/gi;

/** The part of a subject, in quotes, brackets or between them, that looks most like a release's name. */
function nameInSubject(subject: string): string {
  const stripped = subject.replace(/\s*\byenc\b.*$/i, '').trim();
  const parts = Array.from(stripped.matchAll(PART), (match) => match[1]?.trim() ?? '');
  const outside = stripped
    .replace(/"[^"]*"/g, ' ')
    .replace(/^(?:re: )?(?:\[[^[\]]{1,60}\][\s-]{0,5}){1,9}(?=[^[\]\s-])/i, '')
    .replace(/[[(]\s*\d{1,4}\s*(?:\/|of)\s*\d{1,4}\s*[\])]/gi, ' ')
    .replace(/[\s-]+$/, '')
    .replace(/^[\s-]+/, '');
  const quoted = /"([^"]{3,})"/.exec(stripped)?.[1]?.trim();
  // A part in brackets is a name only when it tells several things: "[1080p]" is a tag of the name around it.
  const names = parts.filter((part) => telling(part) > 1);
  const candidates = [...(quoted === undefined ? [] : [quoted]), ...names, outside];
  const best = candidates.reduce(
    (best, text) => {
      const score = telling(text);
      return score > best.score ? { text, score } : best;
    },
    { text: quoted ?? (outside || subject), score: 0 },
  );
  return best.text;
}

const PATH = /[^\s/\\][/\\][^\s/\\]/;
const FILE = /\.[a-z\d]{2,4}$/i;

/** A file's path ends with what tells most, which is the folder's name where the file's is a mere code. */
function lastOfPath(text: string): string {
  if (!PATH.test(text) || !FILE.test(text)) return text;
  const parts = text.split(/[/\\]/).filter((part) => part.trim() !== '');
  const file = parts.at(-1) ?? text;
  const folder = parts.at(-2) ?? '';
  if (parts.length === 2 && telling(folder) === 0) return text;
  return telling(folder) > telling(file) + 1 ? folder + (FILE.exec(file)?.[0] ?? '') : file;
}

const telling = (text: string) => text.match(TELLING)?.length ?? 0;

const ADDRESS =
  /^[^\p{L}\d]{0,5}(?:www\.[\w-]{2,40}(?:\.[\w-]{2,20})?\.[a-z]{2,8}|[\w-]{2,30}\.(?:com|org|net|info|to|cc|me))(?=[^\w.])[^\p{L}\d[(]{1,7}/iu;
const POST_PREFIX = /^(?:\[\s*(?:\d{3,7}|req|full|request)\s*\][\s-]{0,5}){1,4}(?=[^\s-])/i;

const NEWS_PREFIX = /^\[n3wz\]\s*\\[^\\]{1,60}\\::/i;

function withoutAddress(text: string): string {
  return text.replace(POST_PREFIX, '').replace(ADDRESS, '');
}

const CONTAINERS =
  'mkv mp4 avi ts m2ts wmv iso m4v mov webm flv mpg mpeg ogm vob rmvb divx mts img 3gp asf mk3d';
const CONTAINER_ENDING = new RegExp(`\\.(${CONTAINERS.replaceAll(' ', '|')})$`, 'i');
const FILE_ENDING =
  /\.(?:nzb|rar|par2|vol\d{1,4}[+-]\d{1,4}|part\d{1,4}|7z|zip|0\d\d|r\d{2}|nfo|sfv|srr|srs|srt|idx|torrent|tar|gz)$/i;
/** What reposters hang onto a name, behind the group. */
const REPOST_MARK =
  /[-._\s[({]{1,3}(?:obfuscated|obfuscation|scrambled|postbot|xpost|rakuv[a-z\d]*|nzbgeek|buymore|as-?requested|alternativetorequested|gerov|z0ids3n|chamele0n|4p|4planet|alte?zachen|repackpost|whiterev|wrteam|sample|proof|captcha|nzb|nzbcave|drunkenslug|abook|spotweb|thezb[a-z]*|jaybob|sickbeard|byd0ne)[\])}]?$/i;
/** Shorter ones, which count only behind a group that stands behind a tag: "x264-INV-RP". */
const SHORT_REPOST_MARK =
  /(?<=(?:[xh]\.?26[3-6]|xvid|divx|hevc|avc|av1|\d[pi]|web|web-dl|webrip|bluray|remux|hdtv|\.[01])-[a-z\d]{2,20})[-._](?:rp|pre|repost|reup|1)$/i;
const SITE_MARK =
  /[-._\s]{0,2}\[(?:rarbg|rartv|eztv(?:x?\.\w{2,3})?|tgx|ettv|ethd|publichd|www\.[\w.-]{2,40}|[\w-]{2,30}\.(?:com|org|net|info|to|cc|me|re|it|ag|is|ch|se|xyz|site|online))\]$/i;
const PASSWORD = /\s*\{\{[^{}]{1,80}\}\}$|\s*password\s*[=:].{1,60}$/i;

function withoutEndings(text: string): { rest: string; container: string | undefined } {
  let rest = text;
  let container: string | undefined;
  // Each round takes one thing off; names with more of them than this are no names.
  for (let round = 0; round < 8; round++) {
    // "TS" in capitals is a telesync.
    const ending = rest.endsWith('.TS') ? undefined : CONTAINER_ENDING.exec(rest)?.[1]?.toLowerCase();
    if (ending !== undefined) container ??= ending;
    const bare = ending === undefined ? rest : rest.slice(0, -ending.length - 1);
    const next = bare
      .replace(FILE_ENDING, '')
      .replace(PASSWORD, '')
      .replace(REPOST_MARK, '')
      .replace(SHORT_REPOST_MARK, '')
      .replace(SITE_MARK, '');
    if (next === rest || next === '') break;
    rest = next;
  }
  return { rest, container };
}
