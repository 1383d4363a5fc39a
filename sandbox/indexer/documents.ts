import type { CatalogueRelease } from '../catalogue.ts';
import { type Answer, escapeXml, xml } from '../http/types.ts';
import type { Page, SearchSupport } from './search.ts';

const NAMESPACE = 'http://www.newznab.com/DTD/2010/feeds/attributes/';

/** An error document; by the specification with HTTP 200. */
export function errorDocument(code: number, description: string): Answer {
  return xml(
    200,
    `<?xml version="1.0" encoding="UTF-8"?>\n<error code="${code}" description="${description}"/>`,
  );
}

export function capsDocument(support: SearchSupport): Answer {
  const params = (list: readonly string[]) => `available="yes" supportedParams="${list.join(',')}"`;
  return xml(
    200,
    `<?xml version="1.0" encoding="UTF-8"?>
<caps>
<server version="1.0" title="Sandbox" strapline="Open films only" url="http://sandbox.invalid/"/>
<limits max="100" default="100"/>
<retention days="4000"/>
<registration available="no" open="no"/>
<searching>
<search ${support.noText === true ? 'available="no"' : params(['q'])}/>
<tv-search ${params(support.tv)}/>
<movie-search ${params(support.movie)}/>
<audio-search available="no" supportedParams=""/>
</searching>
<categories>
<category id="2000" name="Movies"><subcat id="2030" name="SD"/><subcat id="2040" name="HD"/><subcat id="2045" name="UHD"/></category>
<category id="5000" name="TV"><subcat id="5030" name="SD"/><subcat id="5040" name="HD"/></category>
</categories>
</caps>`,
  );
}

export type Attribute = readonly [name: string, value: string | number];

/** What one service writes into an item in its own way. */
export interface ItemParts {
  /** The address of the release's NZB; like a real one it carries the person's key. */
  readonly url: string;
  /** Beside the usual ones, or in their place. */
  readonly attributes?: readonly Attribute[];
}

export function feedDocument(
  page: Page,
  extended: boolean,
  partsOf: (release: CatalogueRelease) => ItemParts,
): Answer {
  const items = page.releases.map((release) => item(release, extended, partsOf(release)));
  return xml(
    200,
    `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:newznab="${NAMESPACE}">
<channel>
<title>Sandbox</title><description>Open films only</description><link>http://sandbox.invalid/</link>
<newznab:response offset="${page.offset}" total="${page.total}"/>
${items.join('\n')}
</channel>
</rss>`,
    'application/rss+xml; charset=utf-8',
  );
}

function item(
  release: CatalogueRelease,
  extended: boolean,
  { url, attributes: own = [] }: ItemParts,
): string {
  const link = escapeXml(url);
  const usual = attributesOf(release, extended);
  const attributes = [...usual.filter(([name]) => !own.some((each) => each[0] === name)), ...own];
  const listed = new Date(listedAt(release)).toUTCString().replace('GMT', '+0000');
  const guid = `<guid isPermaLink="true">http://sandbox.invalid/details/${release.guid}</guid>\n`;
  return `<item>
<title>${escapeXml(release.name)}</title>
${isUntold(release, 'guid') ? '' : guid}<link>${link}</link>
<pubDate>${listed}</pubDate>
<category>${release.of.kind === 'movie' ? 'Movies' : 'TV'}</category>
<enclosure url="${link}" length="${release.size}" type="application/x-nzb"/>
${attributes.map(([name, value]) => `<newznab:attr name="${name}" value="${escapeXml(String(value))}"/>`).join('\n')}
</item>`;
}

/** What is told of a post. */
export function attributesOf(release: CatalogueRelease, extended: boolean): readonly Attribute[] {
  const all = extended ? [...always(release), ...further(release)] : always(release);
  return all.filter(([name]) => !isUntold(release, name));
}

const isUntold = ({ untold }: CatalogueRelease, name: string) =>
  untold?.some((each) => each === name) === true;

/** When its indexer has listed it, in milliseconds since the epoch: some time after it was posted. */
export const listedAt = ({ posted }: CatalogueRelease): number => Date.parse(posted) + 3 * 3_600_000;

function always(release: CatalogueRelease): Attribute[] {
  return [['size', release.size], ...release.categories.map((category) => ['category', category] as const)];
}

/** Only with extended=1. */
function further(release: CatalogueRelease): Attribute[] {
  const { of } = release;
  const attributes: Attribute[] = [
    ['guid', release.guid],
    ['files', release.videos.length + 2],
    ['poster', release.poster],
    ['group', release.usenetGroup],
    ['grabs', release.grabs],
    ['password', release.password === true ? 1 : 0],
    ['usenetdate', new Date(release.posted).toUTCString().replace('GMT', '+0000')],
    ['imdb', of.imdb.replace('tt', '')],
  ];
  if (of.tvdb !== undefined) attributes.push(['tvdbid', of.tvdb]);
  if (release.season !== undefined)
    attributes.push(['season', `S${String(release.season).padStart(2, '0')}`]);
  if (release.episode !== undefined)
    attributes.push(['episode', `E${String(release.episode).padStart(2, '0')}`]);
  return attributes;
}
