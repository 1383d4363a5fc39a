import {
  type Caps,
  ID_PARAMETER,
  numberParameters,
  parentCategories,
  supportsQuery,
} from '../common/caps.ts';
import { imdbDigits, parseId } from '../common/fields.ts';
import type { SourceRefusal } from '../common/refusal.ts';
import type { SearchQuery, WorkId } from '../source.ts';

/** One request's parameters, `t` among them. */
export type NewznabParameters = Readonly<Record<string, string>>;

/**
 * The query in Newznab's words (protocols.md §5.1, §5.7); undefined when the indexer does not know such a one.
 *
 * @param categoriesOf the categories to look in; none: in all
 */
export function parametersOf(
  query: SearchQuery,
  caps: Caps,
  categoriesOf: (query: SearchQuery) => readonly string[] = parentCategories,
): NewznabParameters | undefined {
  const asked = supportsQuery(caps, query) ? subjectParameters(query, caps) : undefined;
  if (asked === undefined) return undefined;
  const categories = categoriesOf(query);
  return {
    ...asked,
    ...(categories.length > 0 && { cat: categories.join(',') }),
    // Without it many send two attributes only.
    extended: '1',
    limit: String(caps.limit),
  };
}

function subjectParameters(query: SearchQuery, caps: Caps): NewznabParameters | undefined {
  const { kind, id, otherIds = [], text } = query;
  const own = id === undefined ? textParameter(text) : idParameter(id);
  if (own === undefined) return undefined;
  const offered = kind === 'movie' ? caps.movie : caps.tv;
  const others = otherIds.filter((other) => offered.includes(ID_PARAMETER[other.kind])).map(idParameter);
  const subject = Object.assign({}, ...others, own) as NewznabParameters;
  if (kind === 'text') return { t: 'search', ...subject };
  if (kind === 'movie') return { t: 'movie', ...subject };
  const { season, episode } = numberParameters(query);
  return {
    t: 'tvsearch',
    ...subject,
    ...(season !== undefined && { season }),
    ...(episode !== undefined && { ep: episode }),
  };
}

const textParameter = (text = '') => (text.trim() === '' ? undefined : { q: text });

/** Digits without "tt"; of IMDb seven at least. */
function idParameter({ kind, value }: WorkId): NewznabParameters | undefined {
  const digits = parseId(value);
  if (digits === undefined) return undefined;
  return { [ID_PARAMETER[kind]]: kind === 'imdb' ? imdbDigits(digits) : digits };
}

/**
 * The same without the parameter that error 201 complains of; undefined when that is what was asked for. Without
 * numbers a whole show is listed, in which the episode may be found all the same.
 */
export function withoutRejectedParameter(
  parameters: NewznabParameters,
  { code, text }: SourceRefusal,
): NewznabParameters | undefined {
  if (code !== 201) return undefined;
  const refused = OPTIONAL.find(
    (group) => group.some((name) => name in parameters) && group.some((name) => hasWord(text, name)),
  );
  if (refused === undefined || isDated(parameters)) return undefined;
  const rest = Object.entries(parameters).filter(([name]) => !refused.includes(name));
  return Object.fromEntries(rest);
}

/** What can be left out, together: an episode without its season means nothing. */
const OPTIONAL = [['season', 'ep'], ['cat'], ['extended'], ['limit']];

const hasWord = (text: string, word: string) => new RegExp(`\\b${word}\\b`, 'i').test(text);

const isDated = ({ ep = '' }: NewznabParameters) => ep.includes('/');
