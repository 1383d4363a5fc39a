/** A category by its number. */
export interface Category {
  readonly id: number;
  readonly name: string;
}

/** As Prowlarr shows it: with those below it, where it has any. */
export interface CategoryTree {
  readonly id: number;
  /** Absent in rows, where it is the indexer's own. */
  readonly name?: string;
  readonly subCategories: readonly CategoryTree[];
}

/** Prowlarr's own numbers (protocols.md §5.8), as far as films and series need them. */
const STANDARD: readonly { readonly parent: Category; readonly below: readonly Category[] }[] = [
  tree(2000, 'Movies', {
    2010: 'Foreign',
    2020: 'Other',
    2030: 'SD',
    2040: 'HD',
    2045: 'UHD',
    2050: 'BluRay',
    2060: '3D',
    2070: 'DVD',
    2080: 'WEB-DL',
    2090: 'x265',
  }),
  tree(5000, 'TV', {
    5010: 'WEB-DL',
    5020: 'Foreign',
    5030: 'SD',
    5040: 'HD',
    5045: 'UHD',
    5050: 'Other',
    5060: 'Sport',
    5070: 'Anime',
    5080: 'Documentary',
    5090: 'x265',
  }),
  tree(8000, 'Other', { 8010: 'Misc', 8020: 'Hashed' }),
];

function tree(id: number, name: string, below: Readonly<Record<number, string>>) {
  const named = Object.entries(below).map(([number, own]) => ({
    id: Number(number),
    name: `${name}/${own}`,
  }));
  return { parent: { id, name }, below: named };
}

/** What an indexer lists under a number that nobody else has. */
const ELSE = 8000;

const treeOf = (id: number) =>
  STANDARD.find(({ parent, below }) => parent.id === id || below.some((each) => each.id === id));

/** Standard categories by their numbers. */
export function standardCategories(...ids: readonly number[]): Category[] {
  const all = STANDARD.flatMap(({ parent, below }) => [parent, ...below]);
  return ids.flatMap((id) => all.find((each) => each.id === id) ?? []);
}

/** Where Prowlarr files an indexer's own number. */
const standardOf = (own: number) => (treeOf(own) === undefined ? ELSE : own);
/** The number that Prowlarr gives an indexer's own category beside the standard one. */
const customOf = (own: number) => 100_000 + own;

/** The indexer's own numbers for what is asked, a parent with all that is below it; none: it has nothing of it. */
export function indexerNumbers(categories: readonly Category[], asked: readonly number[]): number[] {
  const wanted = new Set(withDescendants(asked));
  return categories
    .map(({ id }) => id)
    .filter((own) => wanted.has(standardOf(own)) || wanted.has(customOf(own)));
}

/** The numbers, and with each parent those below it. */
export const withDescendants = (ids: readonly number[]): number[] =>
  ids.flatMap((id) => [id, ...(STANDARD.find(({ parent }) => parent.id === id)?.below ?? []).map(idOf)]);

const idOf = ({ id }: { readonly id: number }) => id;

/** The numbers of a post that its indexer files under these; those that its caps do not name are left out. */
export function numbersOf(categories: readonly Category[], filed: readonly number[]): number[] {
  const known = filed.filter((own) => categories.some(({ id }) => id === own));
  return [...new Set(known.flatMap((own) => [standardOf(own), customOf(own)]))];
}

/** A number in a row: a standard parent comes with all that is below it, an indexer's own one without a name. */
export function categoryInRow(id: number): CategoryTree {
  const found = STANDARD.find(({ parent }) => parent.id === id);
  const [named] = standardCategories(id);
  return {
    id,
    ...(named !== undefined && { name: named.name }),
    subCategories: (found?.below ?? []).map((each) => ({ ...each, subCategories: [] })),
  };
}

/** What an indexer has, in the order of its caps: the standard trees, and its own numbers beside them. */
export function categoriesOf(categories: readonly Category[]): CategoryTree[] {
  const found: CategoryTree[] = [];
  for (const { id, name } of categories) {
    const { parent, below } = treeOf(standardOf(id))!;
    if (!found.some((each) => each.id === parent.id)) {
      const own = below.filter((each) => categories.some((other) => other.id === each.id));
      found.push({ ...parent, subCategories: own.map((each) => ({ ...each, subCategories: [] })) });
    }
    found.push({ id: customOf(id), name, subCategories: [] });
  }
  return found;
}
