import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { XmlError } from '../../../src/io/xml.ts';
import { readCarefully, readFeed } from '../../../src/search/newznab/document.ts';
import { scanPlainXml } from '../../../src/search/newznab/plain-xml.ts';
import { feed, item } from './server.ts';

const MAX = 16 * 1024 * 1024;
const silent = { open: () => undefined, text: () => undefined, close: () => undefined };
const isPlain = (xml: string | Uint8Array) => scanPlainXml(Buffer.from(xml), silent);

/** Without the namespace, which only one of them resolves. */
function outcome(read: typeof readFeed, xml: string): unknown {
  try {
    const { root, ...rest } = read(Buffer.from(xml), MAX);
    return { ...rest, root: root.name, attributes: root.attributes };
  } catch (error) {
    if (error instanceof XmlError) return 'no XML';
    throw error;
  }
}

const FEED = feed(
  [
    item('Sintel &amp; Co &#39;2010&#39;', 'a1', { size: 5, imdb: '1727587', poster: 'a &lt;b@c&gt;' }),
    '<item><title><![CDATA[Big & <Buck>]]></title><!-- a comment --><link>http://x/1?a=1&amp;b=2</link></item>',
  ],
  2,
).replace('?>', ' encoding="UTF-8"?>\r\n');

describe('scanPlainXml', () => {
  it('reads what nearly all feeds are', () => {
    expect(isPlain(FEED)).toBe(true);
    expect(outcome(readFeed, FEED)).toEqual(outcome(readCarefully, FEED));
    expect(outcome(readFeed, FEED)).toMatchObject({ total: 2, items: [{}, {}] });
  });

  it.each([
    ['nothing', ''],
    ['no markup', 'Request limit reached'],
    ['a DTD', '<!DOCTYPE rss [<!ENTITY a "b">]><rss/>'],
    ['a bare &', '<rss>a & b</rss>'],
    ['an unknown entity', '<rss>&nbsp;</rss>'],
    ['a forbidden character', '<rss>\u0001</rss>'],
    ['a number that stands for one', '<rss>&#1;</rss>'],
    ['an open end', '<rss><channel></channel>'],
    ['a wrong end', '<rss><channel></rss></channel>'],
    ['two roots', '<rss/><rss/>'],
    ['text around the root', '<rss/>x'],
    ['single quotes', "<rss a='b'/>"],
    ['an attribute twice', '<rss a="b" a="c"/>'],
    ['an instruction inside', '<rss><?php ?></rss>'],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><rss/>'],
    ['nesting without end', '<a>'.repeat(65) + '</a>'.repeat(65)],
    ['more elements than anybody needs', `<rss>${'<a/>'.repeat(200_001)}</rss>`],
    ['more attributes than anybody needs', `<rss ${'a="b" '.repeat(65)}/>`],
  ])('leaves %s to the other parser', (_case, xml) => {
    expect(isPlain(xml)).toBe(false);
  });

  it('leaves UTF-16 and broken UTF-8 to the other parser', () => {
    expect(isPlain(Buffer.from('\uFEFF<rss/>', 'utf16le'))).toBe(false);
    expect(isPlain(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]))).toBe(false);
    expect(isPlain('\uFEFF<rss/>')).toBe(true);
  });

  it('reads as the other parser does, whatever happens to a feed on its way', () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '&',
        '"',
        "'",
        '/',
        '=',
        ' ',
        '\n',
        '\r\n',
        '\t',
        ']]>',
        '<![CDATA[',
        '--',
        '<!--',
        '-->',
        '&amp;',
      ],
      ...[
        '&#65;',
        '&#x41;',
        'x',
        ':',
        'xmlns:',
        '</item>',
        '<item>',
        '<title>',
        '<?',
        '\u0000',
        'é',
        '😀',
        'a="b"',
      ],
    );
    const place = fc.nat(FEED.length);
    const change = fc.record({ at: place, cut: fc.integer({ min: 0, max: 12 }), put: piece });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
        const spoilt = changes.reduce(
          (xml, { at, cut, put }) => xml.slice(0, at) + put + xml.slice(at + cut),
          FEED,
        );
        if (isPlain(spoilt)) expect(outcome(readFeed, spoilt)).toEqual(outcome(readCarefully, spoilt));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no longer than its length allows', () => {
    const hostile = ['<a ', '<a b="', '&', '<![CDATA[', '<!--', '<a\n'.repeat(3), ' '.repeat(50)];
    for (const part of hostile) expect(isPlain(`<rss>${part.repeat(200_000)}`)).toBe(false);
  });
});
