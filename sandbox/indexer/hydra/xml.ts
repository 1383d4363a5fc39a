import { type Answer, escapeXml, xml } from '../../http/types.ts';
import type { Attribute } from '../documents.ts';
import { CATEGORIES } from './categories.ts';
import type { Row } from './rows.ts';

const TYPE = 'application/xml;charset=UTF-8';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const ATOM = 'xmlns:atom="http://www.w3.org/2005/Atom"';
const NEWZNAB = `${ATOM} xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/"`;
const TORZNAB = `${ATOM} xmlns:torznab="http://torznab.com/schemas/2015/feed"`;
const EMAIL = 'hydra@sandbox.invalid';

export function errorXml(code: number, description: string): Answer {
  return xml(
    200,
    `${HEAD}\n<error ${NEWZNAB} code="${code}" description="${escapeXml(description)}"/>`,
    TYPE,
  );
}

export function listXml(page: { offset: number; total: number }, rows: readonly Row[]): Answer {
  const response = `<newznab:response offset="${page.offset}" total="${page.total}"/>`;
  return channel(NEWZNAB, [response, ...rows.map(itemXml)]);
}

/** An error that is told as an empty list. */
export const wrappedError = (): Answer => channel(TORZNAB, []);

function channel(namespaces: string, parts: readonly string[]): Answer {
  return xml(
    200,
    `${HEAD}
<rss ${namespaces} version="2.0">
    <channel>
        <title>NZBHydra 2</title>
        <link>https://www.github.com/theotherp/nzbhydra2</link>
        <webMaster>${EMAIL}</webMaster>
        <generator>NZBHydra2</generator>
${parts.join('\n')}
    </channel>
</rss>`,
    TYPE,
  );
}

function itemXml(row: Row): string {
  const [title, link, comments] = [row.title, row.link, row.comments].map(escapeXml);
  return `        <item>
            <title>${title}</title>
            <link>${link}</link>
            <enclosure url="${link}" length="${row.size}" type="application/x-nzb"/>
            <pubDate>${row.pubDate}</pubDate>
            <guid isPermaLink="false">${row.guid}</guid>
            <description>${escapeXml(row.description)}</description>
            <comments>${comments}</comments>
            <category>${row.category}</category>
            <size>${row.size}</size>
${row.attributes.map(attributeXml).join('\n')}
        </item>`;
}

/** Here the host is the bare name of it; in JSON it is the whole address. */
function attributeXml([name, value]: Attribute): string {
  const told = name === 'hydraIndexerHost' ? new URL(String(value)).hostname : String(value);
  return `            <newznab:attr name="${name}" value="${escapeXml(told)}"/>`;
}

const USUAL = 'cat,limit,offset,minage,maxage,minsize,maxsize';

/**
 * The same document for all indexers together and for each alone.
 *
 * @param ids whether an indexer that is on can use ids
 */
export function capsXml(ids: boolean): Answer {
  const movieIds = ids ? ',imdbid,tmdbid' : '';
  // It passes a tmdbid on in tvsearch too, without a word about it.
  const tvIds = ids ? ',rid,tvdbid,tvmazeid,imdbid,traktid' : '';
  return xml(
    200,
    `${HEAD}
<caps ${NEWZNAB}>
    <server title="NZBHydra 2" email="${EMAIL}" url="https://github.com/theotherp/nzbhydra2" image="https://raw.githubusercontent.com/theotherp/nzbhydra2/master/core/ui-src/img/banner-bright.png"/>
    <limits max="100" default="100"/>
    <retention days="3000"/>
    <searching>
        <search available="yes" supportedParams="q,${USUAL}"/>
        <tv-search available="yes" supportedParams="q,season,ep,${USUAL}${tvIds}"/>
        <movie-search available="yes" supportedParams="q,${USUAL}${movieIds}"/>
        <audio-search available="no" supportedParams=""/>
        <book-search available="yes" supportedParams="q,author,title,${USUAL}"/>
    </searching>
    <categories>
${categoriesXml()}
    </categories>
</caps>`,
    TYPE,
  );
}

function categoriesXml(): string {
  const mains = CATEGORIES.filter(({ under }) => under === undefined);
  return mains
    .map(({ name, numbers: [number] }) => {
      const below = CATEGORIES.filter(({ under }) => under === name)
        .map((each) => `            <subcat id="${each.numbers[0]}" name="${each.name}"/>\n`)
        .join('');
      const head = `        <category id="${number}" name="${name}"`;
      return below === '' ? `${head}/>` : `${head}>\n${below}        </category>`;
    })
    .join('\n');
}
