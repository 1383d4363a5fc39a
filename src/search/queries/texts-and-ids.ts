import type { IdKind, MediaIds, MediaRequest } from '../../model/index.ts';
import { romanise } from '../match/romanise.ts';
import { queryText } from '../match/titles.ts';
import type { SearchCapabilities, SearchQuery, WorkId } from '../sources/source.ts';

/** Texts to ask for at the most: each costs a request at each source, and most sources count them. */
const MAX_TEXTS = 4;

/** Nobody can be asked for a single character. */
const MIN_TEXT = 2;

/**
 * The titles as texts, each once: the given one, the original one, other spellings of both, alternative ones. What is
 * not in Latin letters comes last: few names are written so.
 */
export function titleTexts({ title, originalTitle, alternativeTitles = [] }: MediaRequest): string[] {
  const main = originalTitle === undefined ? [title] : [title, originalTitle];
  const texts = [...main, ...main.flatMap(romanise), ...alternativeTitles]
    .map(queryText)
    .filter((text) => text.length >= MIN_TEXT);
  const isLatin = (text: string) => /^[\p{Script=Latin}\p{N} ]+$/u.test(text);
  const sorted = [...texts.filter(isLatin), ...texts.filter((text) => !isLatin(text))];
  return [...new Set(sorted)].slice(0, MAX_TEXTS);
}

/** The ids that the request has and the source takes, in the order of `kinds`. */
export function supportedIds(
  ids: MediaIds,
  supported: readonly IdKind[],
  kinds: readonly IdKind[],
): WorkId[] {
  return kinds
    .filter((kind) => supported.includes(kind))
    .map((kind) => ({ kind, value: ids[kind] ?? '' }))
    .filter(({ kind, value }) => (kind === 'imdb' ? /^tt\d{1,12}$/ : /^\d{1,12}$/).test(value));
}

/** The same query by each id, one to be asked after the other; by all at once where the source takes them together. */
export function queriesById(
  query: SearchQuery,
  [id, ...otherIds]: readonly WorkId[],
  { idsTogether }: SearchCapabilities,
): SearchQuery[] {
  if (id === undefined) return [];
  if (!idsTogether) return [id, ...otherIds].map((each) => ({ ...query, id: each }));
  return [{ ...query, id, ...(otherIds.length > 0 && { otherIds }) }];
}
