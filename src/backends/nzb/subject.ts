/** What a post's subject tells of the file, such as `[03/42] - "name.part03.rar" yEnc (1/74) 52428800`. */
export interface Subject {
  /** What the post is known by: the file's name, else the subject without its "(k/n)". */
  readonly key: string;
  /** Absent: obfuscated, or in a form of its own. */
  readonly name?: string;
  /** "[k/n]": which of the post's files it is, and of how many. */
  readonly counter?: string;
  readonly files?: number;
  /** "(k/n)": the article that the subject was taken from, and how many the file has. */
  readonly part?: number;
  readonly parts?: number;
}

/** Longer ones are not written by posting programs. */
const MAX_SUBJECT = 1_000;
const QUOTED = /"([^"]{1,300})"/g;
const BEFORE_YENC = /(\S{1,300})\s+yenc\b/i;
const COUNTER = /\[\s*(\d{1,6})\s*(?:\/|of)\s*(\d{1,6})\s*\]/gi;
const PART = /\(\s*(\d{1,6})\s*\/\s*(\d{1,6})\s*\)/g;
const ENDING = /\.[a-z\d]{1,5}$/i;

export function parseSubject(text: string): Subject {
  const subject = text.slice(0, MAX_SUBJECT);
  const [part, parts] = numbersOf(subject.matchAll(PART));
  const [file, files] = numbersOf(subject.matchAll(COUNTER));
  const name = nameIn(subject);
  const key = name ?? subject.replace(PART, '').trim();
  return {
    key,
    ...(name !== undefined && { name }),
    ...(file !== undefined && files !== undefined && { counter: `${file}/${files}`, files }),
    ...(part !== undefined && { part }),
    ...(parts !== undefined && parts > 0 && { parts }),
  };
}

/** Of the last match: a release's own name may stand before the file's. */
function numbersOf(matches: Iterable<RegExpMatchArray>): number[] {
  return ([...matches].at(-1) ?? []).slice(1).map(Number);
}

/** In quotes, and best with an ending; else what stands before "yEnc". */
function nameIn(subject: string): string | undefined {
  const quoted = [...subject.matchAll(QUOTED)]
    .map(([, text = '']) => text.trim())
    .filter((text) => text !== '');
  const best = quoted.findLast((text) => ENDING.test(text)) ?? quoted.at(-1);
  if (best !== undefined) return best;
  const bare = BEFORE_YENC.exec(subject.replace(COUNTER, ' '))?.[1]?.replace(/^[[(]|[\])]$/g, '');
  return bare !== undefined && ENDING.test(bare) ? bare : undefined;
}
