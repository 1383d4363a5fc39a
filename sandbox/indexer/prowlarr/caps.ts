import { escapeXml } from '../../http/types.ts';
import type { IndexerFaults } from '../faults.ts';
import { type CategoryTree, categoriesOf } from './categories.ts';
import { type ProwlarrIndexer, supportOf } from './indexer.ts';

/** In this order Prowlarr names them, whatever the order in the indexer's own caps. */
const PARAMETERS = ['q', 'season', 'ep', 'imdbid', 'tvdbid', 'rid', 'tvmazeid', 'tmdbid', 'genre', 'year'];

/** What an indexer can be asked, as Prowlarr's own caps document. */
export function capsOf(indexer: ProwlarrIndexer, faults: IndexerFaults): string {
  const { movie, tv } = supportOf(indexer, faults);
  const all = categoriesOf(indexer.categories);
  const own = all.filter(({ id }) => id >= 100_000);
  return `<caps>
  <server title="Prowlarr" />
  <limits default="100" max="100" />
  <searching>
    ${kind('search', ['q'])}
    ${kind('tv-search', tv)}
    ${kind('movie-search', movie)}
    ${kind('music-search', [])}
    ${kind('audio-search', [])}
    ${kind('book-search', [])}
  </searching>
  <categories>
${[...all.filter((each) => !own.includes(each)), ...own.toSorted(byName)].map(category).join('\n')}
  </categories>
  <tags />
</caps>`;
}

function kind(name: string, known: readonly string[]): string {
  const named = PARAMETERS.filter((each) => known.includes(each)).join(',');
  return `<${name} available="${known.length > 0 ? 'yes' : 'no'}" supportedParams="${named || 'q'}" />`;
}

const byName = ({ name = '' }: CategoryTree, other: CategoryTree) => (name < (other.name ?? '') ? -1 : 1);

function category({ id, name = '', subCategories }: CategoryTree): string {
  const start = `    <category id="${id}" name="${escapeXml(name)}"`;
  if (subCategories.length === 0) return `${start} />`;
  const below = subCategories.map(
    (each) => `      <subcat id="${each.id}" name="${escapeXml(each.name ?? '')}" />`,
  );
  return `${start}>\n${below.join('\n')}\n    </category>`;
}
