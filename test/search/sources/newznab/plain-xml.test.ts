import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yieldEvery } from '../../../../src/io/wait.ts';
import { XmlError } from '../../../../src/io/xml.ts';
import { readFeed, readWithFullParser } from '../../../../src/search/sources/newznab/feed-document.ts';
import { scanPlainXml } from '../../../../src/search/sources/newznab/plain-xml.ts';
import { feed, item } from './server.ts';

const MAX = 16 * 1024 * 1024;
const silent = { open: () => undefined, text: () => undefined, close: () => undefined };
const giveWay = yieldEvery(4, new AbortController().signal);
const isPlain = (xml: string | Uint8Array) => scanPlainXml(Buffer.from(xml), silent, giveWay);

/** Without the namespace, which only one of them resolves. */
async function outcome(read: typeof readFeed, xml: string): Promise<unknown> {
  try {
    const { root, ...rest } = await read(Buffer.from(xml), MAX, giveWay);
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
  it('reads what nearly all feeds are', async () => {
    expect(await isPlain(FEED)).toBe(true);
    expect(await outcome(readFeed, FEED)).toEqual(await outcome(readWithFullParser, FEED));
    expect(await outcome(readFeed, FEED)).toMatchObject({ total: 2, items: [{}, {}] });
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
    ['more text between two tags than anybody writes', `<rss>${'x'.repeat(65_537)}</rss>`],
    ['a comment as long', `<rss><!--${'x'.repeat(65_537)}--></rss>`],
    ['what is larger than any list of rows', `<rss>${`<a/>${'x'.repeat(60_000)}`.repeat(71)}</rss>`],
    ['more elements than anybody needs', `<rss>${'<a/>'.repeat(200_001)}</rss>`],
    ['more attributes than anybody needs', `<rss ${'a="b" '.repeat(65)}/>`],
  ])('leaves %s to the other parser', async (_case, xml) => {
    expect(await isPlain(xml)).toBe(false);
  });

  it('leaves UTF-16 and broken UTF-8 to the other parser', async () => {
    expect(await isPlain(Buffer.from('\uFEFF<rss/>', 'utf16le'))).toBe(false);
    expect(await isPlain(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]))).toBe(false);
    expect(await isPlain('\uFEFF<rss/>')).toBe(true);
  });

  it('reads as the other parser does, whatever happens to a feed on its way', async () => {
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
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), async (changes) => {
        const spoilt = changes.reduce(
          (xml, { at, cut, put }) => xml.slice(0, at) + put + xml.slice(at + cut),
          FEED,
        );
        if (await isPlain(spoilt))
          expect(await outcome(readFeed, spoilt)).toEqual(await outcome(readWithFullParser, spoilt));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no longer than its length allows', async () => {
    const hostile = ['<a ', '<a b="', '&', '<![CDATA[', '<!--', '<a\n'.repeat(3), ' '.repeat(50)];
    for (const part of hostile) expect(await isPlain(`<rss>${part.repeat(200_000)}`)).toBe(false);
  });
});

describe('a crafted feed', () => {
  it.each([
    ['of "&"', '&'],
    ['of references', '&amp;'],
    ['of comments', '<!---->'],
  ])('%s is given up after 64 KiB', async (_what, piece) => {
    const body = Buffer.from(`<rss><channel><item><title>${piece.repeat(15_000_000 / piece.length)}`);
    let pieces = 0;
    const counted = () => {
      pieces++;
      return Promise.resolve();
    };
    await expect(readFeed(body, MAX, counted)).rejects.toThrow('more than 65536 characters between two tags');
    expect(pieces).toBeLessThan(10);
  });

  it('of megabytes is read in steps, plain or not', async () => {
    const row = '<item><title>Sintel</title><newznab:attr name="size" value="5"/></item>';
    for (const [start, length] of [
      ['', 20_000],
      [' & ', 20_000],
    ] as const) {
      const body = Buffer.from(`<rss>${start}<channel><x>${row.repeat(length)}</x></channel></rss>`);
      let pieces = 0;
      const counted = () => {
        pieces++;
        return Promise.resolve();
      };
      await readFeed(body, MAX, counted);
      expect(pieces).toBeGreaterThan(body.length / 16_384 / 2);
    }
  });
});
