import { type Attribute, listedAt } from '../documents.ts';
import { categoryName } from './categories.ts';
import type { Result } from './results.ts';

/** A row of the list, whichever form it is told in. */
export interface Row {
  readonly title: string;
  readonly guid: string;
  readonly link: string;
  readonly comments: string;
  readonly pubDate: string;
  readonly category: string;
  readonly description: string;
  readonly size: string;
  /** Those of the indexer in the order of their names, then NZBHydra2's own. */
  readonly attributes: readonly Attribute[];
}

/** @param linkTo the address at which the NZB of a result is fetched */
export function rowOf(result: Result, linkTo: (id: string) => string): Row {
  const { id, indexer, post, title } = result;
  return {
    title,
    guid: id,
    link: linkTo(id),
    comments: `${indexer.baseUrl}/details/${post.guid}#comments`,
    pubDate: new Date(listedAt(post)).toUTCString().replace('GMT', '+0000'),
    category: categoryName(post.categories),
    description: post.name,
    size: String(post.size),
    attributes: [...given(result), ...own(result)],
  };
}

/** What the indexer has told: of several of one name the last; its guid is replaced. */
function given({ id, indexer, post }: Result): Attribute[] {
  const told = new Map([...indexer.facts(post), ['guid', id] as const]);
  return [...told].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const own = ({ indexer: { score, baseUrl, name } }: Result): Attribute[] => [
  ['hydraIndexerScore', score],
  ['hydraIndexerHost', baseUrl],
  ['hydraIndexerName', name],
];
