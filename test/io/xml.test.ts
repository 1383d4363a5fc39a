import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  childOf,
  childrenOf,
  parseXml,
  scanLargeXml,
  scanXml,
  XmlError,
  type XmlLimits,
} from '../../src/io/xml.ts';

/** All documents in this file are invented. */
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));

function failure(run: () => unknown): XmlError {
  try {
    run();
  } catch (error) {
    if (error instanceof XmlError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('parseXml', () => {
  it('reads names without prefixes, namespaces, attributes, children and text', () => {
    const root = parseXml(
      '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response a="1" d:b="2"> x <!-- c -->y</d:response><d:response/></d:multistatus>',
    );
    expect([root.name, root.namespace]).toEqual(['multistatus', 'DAV:']);
    // A declaration of a namespace is none of the element's attributes.
    expect(root.attributes.size).toBe(0);
    const [first, second] = childrenOf(root, 'response');
    expect([...(first?.attributes ?? [])]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(first?.text).toBe('x y');
    expect(second?.text).toBe('');
    expect(childOf(root, 'absent')).toBeUndefined();
  });

  it('lets the attribute without a prefix win, in any order', () => {
    for (const text of ['<a x:k="1" k="2" xmlns:x="u"/>', '<a k="2" x:k="1" xmlns:x="u"/>'])
      expect(parseXml(text).attributes.get('k')).toBe('2');
  });

  it('takes attribute and element names that objects have themselves', () => {
    const root = parseXml('<a __proto__="1" constructor="2"><__proto__/><toString/></a>');
    expect(root.attributes.get('__proto__')).toBe('1');
    expect(root.children.map((child) => child.name)).toEqual(['__proto__', 'toString']);
  });

  it.each([
    ['a bare ampersand in text', '<a>Tom & Jerry &c; R&B&</a>', 'Tom & Jerry &c; R&B&'],
    ['known references', '<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;</a>', '<>&"\'AB'],
    ['references to no character', '<a>&#0;&#xD800;&#x110000;</a>', '&#0;&#xD800;&#x110000;'],
    ['an ampersand in CDATA', '<a>x & y <![CDATA[x & y &amp; z]]> x & y</a>', 'x & y x & y &amp; z x & y'],
    ['forbidden control characters', '<a>x\u0000\u000By</a>', 'x\uFFFD\uFFFDy'],
    ['an undeclared prefix', '<newznab:a>x</newznab:a>', 'x'],
    ['blanks and a mark before the declaration', '\uFEFF\r\n <?xml version="1.0"?><a>x</a>', 'x'],
  ])('reads %s', (_case, text, expected) => {
    expect(parseXml(text).text).toBe(expected);
    expect(parseXml(bytes(text)).text).toBe(expected);
  });

  it('mends an ampersand in an attribute', () => {
    expect(parseXml('<a url="http://x/?a=1&b=2&amp;c=3"/>').attributes.get('url')).toBe(
      'http://x/?a=1&b=2&c=3',
    );
  });

  it('gives an undeclared prefix as namespace', () => {
    expect(parseXml('<newznab:a/>').namespace).toBe('newznab');
  });

  it.each([
    ['ISO 8859-1', [...Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', 'latin1')]],
    ['UTF-16 LE', [0xff, 0xfe, ...Buffer.from('<a>é</a>', 'utf16le')]],
    ['UTF-16 BE', [0xfe, 0xff, ...Buffer.from('<a>é</a>', 'utf16le').swap16()]],
    ['UTF-8 that claims UTF-16', [...bytes('<?xml version="1.0" encoding="utf-16"?><a>é</a>')]],
    ['an unknown encoding', [...bytes('<?xml version="1.0" encoding="klingon"?><a>é</a>')]],
  ])('decodes %s', (_case, input) => {
    expect(parseXml(new Uint8Array(input)).text).toBe('é');
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['plain text', 'Service unavailable'],
    ['JSON', '{"error": 1}'],
    ['HTML with an open tag', '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body></body></html>'],
    ['a document that is cut off in an element', '<rss><channel><item>'],
    ['a document that is cut off in a tag', '<rss><item na'],
    ['a document that is cut off in CDATA', '<a><![CDATA[x'],
    ['a document that is cut off in a comment', '<a><!-- '],
    ['crossed tags', '<a><b></a></b>'],
    ['two roots', '<a/><b/>'],
    ['an attribute twice', '<a k="1" k="2"/>'],
  ])('refuses %s', (_case, text) => {
    expect(failure(() => parseXml(text)).kind).toBe('malformed');
    expect(failure(() => parseXml(bytes(text))).kind).toBe('malformed');
  });

  it('never expands the entities of a DTD', () => {
    const levels = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};">`).join('');
    const bomb = `<!DOCTYPE a [<!ENTITY l0 "ha">${levels}<!ENTITY f SYSTEM "file:///etc/passwd">]><a b="&l30;">&l30;&f;</a>`;
    const root = parseXml(bomb);
    expect(root.text).toBe('&l30;&f;');
    expect(root.attributes.get('b')).toBe('&l30;');
  });

  it.each<[string, string, XmlLimits]>([
    ['bytes', `<a>${'x'.repeat(20)}</a>`, { bytes: 26 }],
    ['nested elements', '<a><b><c/></b></a>', { depth: 2 }],
    ['elements', '<a><b/><b/></a>', { elements: 2 }],
    ['attributes', '<a x="1" y="2" z="3"/>', { attributes: 2 }],
    ['characters in an attribute', '<a x="1234"/>', { attributeLength: 3 }],
  ])('refuses more %s than allowed, and takes exactly as many', (what, text, limits) => {
    const error = failure(() => parseXml(text, limits));
    expect(error.kind).toBe('too-large');
    expect(error.message).toContain(what);
    const oneMore = Object.fromEntries(
      Object.entries<number>({ ...limits }).map(([key, limit]) => [key, limit + 1]),
    );
    expect(parseXml(text, oneMore).name).toBe('a');
  });

  it('refuses deep nesting and too many attributes with its own limits', () => {
    expect(failure(() => parseXml('<a>'.repeat(100_000))).kind).toBe('too-large');
    const attributes = Array.from({ length: 100_000 }, (_, i) => `a${i}=""`).join(' ');
    expect(failure(() => parseXml(`<a ${attributes}/>`)).kind).toBe('too-large');
  });

  const MB = 1024 * 1024;
  it.each([
    ['of "&"', '&', ''],
    ['of references', '&amp;', ''],
    ['of text', 'x', ''],
    ['of blanks', ' ', ''],
    ['of a comment', '-a', '<!--'],
    ['of many comments', '<!---->', ''],
    ['of CDATA', ']', '<![CDATA['],
    ['of many CDATA sections', '<![CDATA[]]>', ''],
    ['of an instruction', '?', '<?a '],
    ['of a tag', 'a="&" ', '<b '],
    ['of an attribute', '&', '<b a="'],
  ])('refuses megabytes %s between two tags after 64 KiB, without reading on', (_what, piece, start) => {
    const text = `<a>${start}${piece.repeat((16 * MB) / piece.length)}`;
    const error = failure(() => parseXml(text, { bytes: 64 * MB }));
    expect([error.kind, error.message]).toEqual(['too-large', 'more than 65536 characters between two tags']);
  });

  it.each([
    ['entities', '<!ENTITY a "b">'],
    ['blanks', ' '],
    ['quotes', '"a>"'],
  ])('refuses a DTD of more than 8 KiB of %s, and takes a smaller one', (_what, piece) => {
    const document = (length: number) =>
      `<!DOCTYPE a [${piece.repeat(length / piece.length)}${' '.repeat(length % piece.length)}]><a/>`;
    expect(parseXml(document(8_000)).name).toBe('a');
    const error = failure(() => parseXml(document(8_300)));
    expect([error.kind, error.message]).toEqual(['too-large', 'more than 8192 characters in the DTD']);
    expect(failure(() => parseXml(document(16 * MB), { bytes: 64 * MB })).kind).toBe('too-large');
  });

  it('takes 60 KiB between two tags, as often as they come', () => {
    const text = 'x'.repeat(60 * 1024);
    const root = parseXml(`<a>${`<b>${text}</b>`.repeat(100)}<!--${text}--><c/><d k="${text}"/></a>`);
    expect(root.children).toHaveLength(102);
    expect(root.children.every((child) => child.name !== 'b' || child.text === text)).toBe(true);
  });

  it('counts a document as it is once it is mended', () => {
    const spread = `<a>${`<b>${'&'.repeat(100)}</b>`.repeat(100)}</a>`;
    expect(failure(() => parseXml(spread, { bytes: 40_000 })).message).toBe('more than 40000 characters');
    expect(parseXml(spread, { bytes: 60_000 }).children).toHaveLength(100);
  });

  it('gives back any text and attribute that was escaped by the rules', () => {
    const escape = (text: string) =>
      text.replace(/[&<>"\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
    const legal = fc
      .string({ unit: 'grapheme', maxLength: 200 })
      .filter((text) => !/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/.test(text));
    fc.assert(
      fc.property(legal, (text) => {
        const root = parseXml(bytes(`<a k="${escape(text)}">${escape(text)}</a>`));
        expect(root.attributes.get('k')).toBe(text);
        expect(root.text).toBe(text.trim());
      }),
    );
  });

  it('ends every input with a tree or an XmlError', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '&',
      ';',
      '/',
      '"',
      "'",
      '=',
      ' ',
      'a',
      '<a>',
      '</a>',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<!DOCTYPE a [',
      ']>',
      '<?xml',
      '?>',
      '&amp;',
      '&#',
      'x:',
      'xmlns',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          parseXml(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('scanXml', () => {
  it('reports in document order, text and CDATA alike', () => {
    const seen: string[] = [];
    scanXml('<a>1<b k="v"/><![CDATA[2&]]></a>', {
      open: ({ name }) => seen.push(`<${name}`),
      text: (text) => seen.push(text),
      close: (name) => seen.push(`>${name}`),
    });
    expect(seen).toEqual(['<a', '1', '<b', '>b', '2&', '>a']);
  });

  it('ends when a handler throws', () => {
    const stop = new Error('enough');
    const open = () => {
      throw stop;
    };
    expect(() => {
      scanXml('<a/>', { open });
    }).toThrow(stop);
  });

  it('reads the same wherever its internal pieces are cut', () => {
    // The pieces are 16 KiB long: the padding moves every mark across that boundary, byte by byte.
    const middle = 'é & &amp; <![CDATA[a & ]]]]> &#x1F600; & <b x="&"/>';
    const whole = 16 * 1024;
    const expected = parseXml(`<a>${middle}</a>`).text;
    for (let shift = 0; shift <= middle.length + 8; shift++) {
      const padding = '.'.repeat(whole - 3 - shift);
      for (const input of [`<a>${padding}${middle}</a>`, bytes(`<a>${padding}${middle}</a>`)])
        expect(parseXml(input).text).toBe(`${padding}${expected}`);
    }
  });

  it('walks through a large NZB without building a tree', () => {
    const segment = '<segment bytes="716800" number="1">part1of1.abcdef@news.example</segment>';
    const large = bytes(
      `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE nzb PUBLIC "-//newzBin//DTD NZB 1.1//EN" "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd"><nzb><file><segments>${segment.repeat(50_000)}</segments></file></nzb>`,
    );
    let segments = 0;
    scanXml(large, { open: ({ name }) => (segments += name === 'segment' ? 1 : 0) });
    expect(segments).toBe(50_000);
  });
});

describe('scanLargeXml', () => {
  it('gives way as often as the document is long once it is mended', async () => {
    const spread = bytes(`<a>${`<b>${'&'.repeat(12_000)}</b>`.repeat(40)}</a>`);
    let pieces = 0;
    const giveWay = () => {
      pieces++;
      return Promise.resolve();
    };
    await scanLargeXml(spread, {}, {}, giveWay);
    expect(pieces).toBeGreaterThan((5 * spread.length) / 16_384);
  });
});
