import { createHash } from 'node:crypto';
import type { CatalogueRelease } from '../../catalogue.ts';
import type { HydraIndexer } from './indexer.ts';

/** A post as one indexer has listed it. */
export interface Result {
  /** The searchResultId: signed, 64 bits, so beyond what a double holds. */
  readonly id: string;
  readonly indexer: HydraIndexer;
  readonly post: CatalogueRelease;
  readonly title: string;
}

/**
 * A result's id is a hash of indexer name, the indexer's guid, title and link: the same in every search, and after a
 * restart (protocols.md §6.2).
 */
export function resultOf(indexer: HydraIndexer, post: CatalogueRelease): Result {
  const { name, baseUrl } = indexer;
  const title = titleOf(post.name);
  const text = [name, `${baseUrl}/details/${post.guid}`, title, indexer.link(post)].join('\n');
  const id = createHash('sha256').update(text).digest().readBigInt64BE();
  return { id: String(id), indexer, post, title };
}

const TRAILING = /(?: English| German| French|-1|\.1|-Obfuscated)+$/;

/** "&" is dropped, and so are some words at the end. */
const titleOf = (name: string) => name.replaceAll('&', '').replace(TRAILING, '');

/** What it has listed so far, which is all that can be fetched from it. */
export class Results {
  #known = new Map<string, Result>();

  add(results: readonly Result[]): void {
    for (const result of results) this.#known.set(result.id, result);
  }

  of(id: string): Result | undefined {
    return this.#known.get(id);
  }

  /** The same post as other indexers have listed it. */
  othersLike({ indexer, title }: Result): readonly Result[] {
    return [...this.#known.values()].filter((other) => other.title === title && other.indexer !== indexer);
  }

  /** As after the days for which it keeps them, or with a new database. */
  forget(): void {
    this.#known.clear();
  }
}
