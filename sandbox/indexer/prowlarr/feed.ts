import { escapeXml } from '../../http/types.ts';
import type { ProwlarrIndexer } from './indexer.ts';
import { infoHash, LEECHERS, type Row, SEEDERS } from './rows.ts';

type Attribute = readonly [name: string, value: string | number];

const NAMESPACES = {
  newznab: 'http://www.newznab.com/DTD/2010/feeds/attributes/',
  torznab: 'http://torznab.com/schemas/2015/feed',
};

/** Rows as Prowlarr writes them in RSS: without `newznab:response`, language and year; none without a category. */
export function feedOf(rows: readonly Row[], { protocol }: ProwlarrIndexer): string {
  const prefix = protocol === 'torrent' ? 'torznab' : 'newznab';
  return feed(
    prefix,
    rows.filter(({ categories }) => categories.length > 0).map((row) => item(row, prefix)),
  );
}

/** What Prowlarr lists by the id 0. */
export const cannedFeed = (now: number): string =>
  feed('newznab', [
    `    <item>
      <title>Test Release</title>
      <description />
      <guid>https://prowlarr.com</guid>
      <prowlarrindexer id="0" type="public" />
      <pubDate>${rfcDate(now)}</pubDate>
      <size />
      <link>https://prowlarr.com</link>
      <enclosure url="https://prowlarr.com" type="application/x-nzb" />
      <newznab:attr name="genre" value="" />
    </item>`,
  ]);

const feed = (prefix: keyof typeof NAMESPACES, items: readonly string[]) =>
  `<rss version="1.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:${prefix}="${NAMESPACES[prefix]}">
  <channel>
    <atom:link rel="self" type="application/rss+xml" />
    <title>Prowlarr</title>
${items.map((each) => `${each}\n`).join('')}  </channel>
</rss>`;

function item(row: Row, prefix: keyof typeof NAMESPACES): string {
  const { release, indexer, guid, page, published, size, downloadUrl, categories } = row;
  const title = escapeXml(release.name);
  const link = escapeXml(downloadUrl);
  const type = prefix === 'torznab' ? 'application/x-bittorrent' : 'application/x-nzb';
  const attributes = attributesOf(row).map(
    ([name, value]) => `      <${prefix}:attr name="${name}" value="${value}" />`,
  );
  return `    <item>
      <title>${title}</title>
      <description>${title}</description>
      <guid>${escapeXml(guid)}</guid>
      <prowlarrindexer id="${indexer.id}" type="private">${escapeXml(indexer.name)}</prowlarrindexer>
      <comments>${escapeXml(page)}</comments>
      <pubDate>${rfcDate(published)}</pubDate>
      <size>${size}</size>
      <link>${link}</link>
${categories.map((id) => `      <category>${id}</category>`).join('\n')}
      <enclosure url="${link}" length="${size}" type="${type}" />
${attributes.join('\n')}
    </item>`;
}

/** An id that is not known is left out; `files` and `grabs` are 0 then. */
function attributesOf({ release, indexer, categories, imdb, tmdb, tvdb, files, grabs }: Row): Attribute[] {
  const isTorrent = indexer.protocol === 'torrent';
  const id = (name: string, value: number): Attribute[] => (value === 0 ? [] : [[name, value]]);
  return [
    ...categories.map((each): Attribute => ['category', each]),
    ['genre', ''],
    ...id('tvdbid', tvdb),
    ...id('imdb', imdb),
    ...id('tmdbid', tmdb),
    ...(isTorrent ? [['seeders', SEEDERS] as const] : []),
    ...([
      ['files', files],
      ['grabs', grabs],
    ] as const),
    ...(isTorrent ? torrentAttributes(infoHash(release)) : []),
  ];
}

const torrentAttributes = (hash: string): Attribute[] => [
  ['peers', SEEDERS + LEECHERS],
  ['infohash', hash],
  ['downloadvolumefactor', 1],
  ['uploadvolumefactor', 1],
];

const rfcDate = (at: number) => new Date(at).toUTCString().replace('GMT', '+0000');
