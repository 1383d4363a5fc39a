import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact, registerSecret } from '../../src/log/index.ts';

// Every secret and address below is invented.
const KEY = 'k3y+/=&"\\€ 9fQ';

const everyByte = (s: string) =>
  [...Buffer.from(s, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
/** Beyond ASCII, a letter's other case may be another number of letters. */
const inAscii = (change: (s: string) => string) => (s: string) => s.replace(/[A-Za-z]+/g, change);

/** How a secret may be written, by what writes it so. */
const SPELLINGS: readonly (readonly [string, (secret: string) => string])[] = [
  ['plain', (s) => s],
  ['encodeURIComponent', encodeURIComponent],
  ['encodeURIComponent twice', (s) => encodeURIComponent(encodeURIComponent(s))],
  ['three times', (s) => encodeURIComponent(encodeURIComponent(encodeURIComponent(s)))],
  ['percent-encoding in small letters', (s) => encodeURIComponent(s).replace(/%../g, (x) => x.toLowerCase())],
  ['every byte percent-encoded', everyByte],
  ['every byte percent-encoded twice', (s) => everyByte(s).replaceAll('%', '%25')],
  ['capitals', inAscii((s) => s.toUpperCase())],
  ['small letters', inAscii((s) => s.toLowerCase())],
  ['URLSearchParams', (s) => new URLSearchParams({ s }).toString().slice(2)],
  ['encodeURI', encodeURI],
  ['JSON', (s) => JSON.stringify(s).slice(1, -1)],
  ['JSON inside of JSON', (s) => JSON.stringify(JSON.stringify(s)).slice(3, -3)],
  ['JSON with escaped slashes', (s) => JSON.stringify(s).slice(1, -1).replaceAll('/', '\\/')],
  [
    'JSON in ASCII',
    (s) =>
      JSON.stringify(s)
        .slice(1, -1)
        .replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  [
    'JSON as Go escapes it',
    (s) =>
      JSON.stringify(s)
        .slice(1, -1)
        .replace(/[&<>]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  ],
  [
    'XML',
    (s) =>
      s.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ],
  ['XML by numbers', (s) => s.replace(/[^\w.-]/gu, (c) => `&#${c.codePointAt(0)};`)],
];

/** Base64 keeps bits of the neighbours at either end: what has to be gone is everything that holds the secret alone. */
const BASE64 = [
  ['Base64', (s: string) => Buffer.from(s).toString('base64')],
  ['Base64 for URLs', (s: string) => Buffer.from(s).toString('base64url')],
  ['Base64 in a URL', (s: string) => encodeURIComponent(Buffer.from(s).toString('base64'))],
] as const;

describe('a secret by its place', () => {
  test.each([
    // Newznab, Hydra, Prowlarr, SABnzbd, nzbdav.
    [
      'https://indexer.test/api?t=search&apikey=abc123&q=Sintel',
      'https://indexer.test/api?t=search&apikey=***&q=Sintel',
    ],
    ['http://hydra.test/getnzb/api/77?apikey=abc123', 'http://hydra.test/getnzb/api/77?apikey=***'],
    [
      'http://prowlarr.test/1/download?apikey=abc&link=x&file=Sintel',
      'http://prowlarr.test/1/download?apikey=***&link=x&file=Sintel',
    ],
    ['https://indexer.test/getnzb/1.nzb&i=12345&r=0a1b2c', 'https://indexer.test/getnzb/1.nzb&i=***&r=***'],
    ['https://indexer.test/rss?i=12345&amp;r=0a1b2c', 'https://indexer.test/rss?i=***&amp;r=***'],
    [
      'http://nzbdav.test/view/.ids/1?downloadKey=abc&extension=mkv',
      'http://nzbdav.test/view/.ids/1?downloadKey=***&extension=mkv',
    ],
    // AltMount, TorBox, Go's way to write "&" in JSON.
    [
      'http://altmount.test/stream?path=a&download_key=abc',
      'http://altmount.test/stream?path=a&download_key=***',
    ],
    [
      '/sabnzbd/api?ma_username=bob&ma_password=pw&mode=queue',
      '/sabnzbd/api?ma_username=***&ma_password=***&mode=queue',
    ],
    [
      'https://torbox.test/requestdl?token=a-b-c&usenet_id=5',
      'https://torbox.test/requestdl?token=***&usenet_id=5',
    ],
    [
      String.raw`{"url":"http://go.test/x?a=1\u0026apikey=abc\u0026b=2"}`,
      String.raw`{"url":"http://go.test/x?a=1\u0026apikey=***\u0026b=2"}`,
    ],
    ['?key=AIza&user=bob&auth=xyz&pass=1', '?key=***&user=***&auth=***&pass=***'],
    // Addresses that are signed: whoever has one has the file.
    [
      'https://s3.test/f.mkv?X-Amz-Expires=60&X-Amz-Signature=0a1b&x=1',
      'https://s3.test/f.mkv?X-Amz-Expires=60&X-Amz-Signature=***&x=1',
    ],
    [
      'https://cdn.test/f.mkv?Expires=60&Signature=a~b_&x=1',
      'https://cdn.test/f.mkv?Expires=60&Signature=***&x=1',
    ],
    ['https://blob.test/f.mkv?sv=2022&sig=a%2Fb%3D&se=1', 'https://blob.test/f.mkv?sv=2022&sig=***&se=1'],
    ['https://cdn.test/f.mkv?hash=0a1b#t', 'https://cdn.test/f.mkv?hash=***#t'],
    [
      'name=http%3A%2F%2Fi.test%2F%3Fsig%3Dabc%26hash%3Ddef',
      'name=http%3A%2F%2Fi.test%2F%3Fsig%3D***%26hash%3D***',
    ],
    // Documents.
    ['<user id="1"><apikey>abc</apikey></user>', '<user id="1"><apikey>***</apikey></user>'],
    ['<ApiKey><![CDATA[a b]]></ApiKey>', '<ApiKey><![CDATA[***]]></ApiKey>'],
    ['<x>&lt;api_key&gt;abc&lt;/api_key&gt;</x>', '<x>&lt;api_key&gt;***&lt;/api_key&gt;</x>'],
    // An address that is a parameter of another one (addurl), once and twice encoded.
    [
      'mode=addurl&name=http%3A%2F%2Fi.test%2Fapi%3Fapikey%3Dabc%26id%3D5&cat=tv',
      'mode=addurl&name=http%3A%2F%2Fi.test%2Fapi%3Fapikey%3D***%26id%3D5&cat=tv',
    ],
    [
      '?u=http%253A%252F%252Fi.test%252F%253Fapikey%253Dabc%2526id%253D5',
      '?u=http%253A%252F%252Fi.test%252F%253Fapikey%253D***%2526id%253D5',
    ],
    ['name=http%3A%2F%2Fbob%3Apw%40i.test%2F', 'name=http%3A%2F%2F***%40i.test%2F'],
    // User and password in the address, and in NZBGet's path.
    ['http://bob:pw@nzbget.test/', 'http://***@nzbget.test/'],
    ['http://bob@nzbget.test/', 'http://***@nzbget.test/'],
    ['webdavs://bob:p@ss@word@nas.test/a', 'webdavs://***@nas.test/a'],
    ['http://nzbget.test:6789/bob:pw/jsonrpc failed', 'http://nzbget.test:6789/***/jsonrpc failed'],
    ['http://nzbget.test/base/bob%3Apw/xmlrpc', 'http://nzbget.test/base/***/xmlrpc'],
    // Headers, as they are written in many places.
    ['Authorization: Basic Ym9iOnB3', 'Authorization: Basic ***'],
    ['authorization=Bearer abc.def-ghi', 'authorization=Bearer ***'],
    ["{ authorization: 'Basic Ym9iOnB3', accept: '*/*' }", "{ authorization: 'Basic ***', accept: '*/*' }"],
    [String.raw`"{\"Authorization\":\"Bearer abc\"}"`, String.raw`"{\"Authorization\":\"Bearer ***\"}"`],
    [
      'http://dav.test/a.mkv|Authorization=Basic%20Ym9iOnB3%3D&seekable=0',
      'http://dav.test/a.mkv|Authorization=Basic%20***&seekable=0',
    ],
    ['X-Api-Key: abc', 'X-Api-Key: ***'],
    ["'x-auth-token': 'abc'", "'x-auth-token': '***'"],
    ['Set-Cookie: nzb-webdav-backend=abc; Path=/', 'Set-Cookie: ***'],
    // Assigned outside of an address.
    ['{"apiKey":"abc","size":5}', '{"apiKey":"***","size":5}'],
    ["{'webdav_password': 'p w'}", "{'webdav_password': '***'}"],
    ['api_key = abc', 'api_key = ***'],
    ['download_key=abc', 'download_key=***'],
  ])('%s', (text, masked) => {
    expect(redact(text)).toBe(masked);
    expect(redact(masked)).toBe(masked);
  });

  test.each([
    'The indexer Example refused the API key: check it in the settings.',
    'The password is wrong, or the user is unknown; the key and the token as well.',
    'for (let i=0; i<5; i++) r=i',
    'if key=value or user=somebody is missing, auth=none',
    'monkey=banana donkey=1 tokens=5',
    'sig=1 or hash=2 or Signature=3 in a sentence',
    '<title>Sintel</title><apikeys/>',
    'https://example.test/?rehash=1&design=2',
    'https://example.test/?id=5&season=1&year=2010&turkey=1&bar=2',
    'http://127.0.0.1:8080/stream/abc/Big.Buck.Bunny.2008.mkv',
    'http://nzbget.test:6789/jsonrpc failed',
    'mail to somebody@example.test or see http://example.test/a',
    'S01E02 at 12:30, 50% done; C:\\Users\\kodi',
    'Basic authentication and Bearer tokens are both supported',
    'ECONNREFUSED 127.0.0.1:3000',
    'Bearbeitung: Schlüssel=fehlt',
  ])('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  test('a megabyte of anything is read in one go', () => {
    const MEGABYTE = 1_000_000;
    const hostile = [
      'a',
      ' ',
      '/',
      '&',
      '?',
      '://',
      '%3a',
      'apikey',
      'authorization:',
      '"',
      '\\',
      '@',
      '/a:b',
      '-',
      '%252f',
      ';r=',
      '%3ftoken%3d',
      '<apikey>',
      '&lt;token',
      '?signature',
      '%6',
    ];
    for (const piece of hostile) {
      const text = piece.repeat(MEGABYTE / piece.length);
      expect(redact(text).length).toBeGreaterThan(0);
    }
  });
});

// After the others: a registered secret stays registered for the whole file.
describe('a registered secret', () => {
  registerSecret(KEY);

  test.each(SPELLINGS)('is masked as %s', (_name, spell) => {
    expect(redact(`before ${spell(KEY)} after`)).toBe('before *** after');
  });

  test('is masked in any mix of spellings', () => {
    registerSecret('path/with+plus');
    expect(redact('path%2Fwith+plus path/with%2bplus path\\/with%252Bplus')).toBe('*** *** ***');
  });

  test('is masked as the password of Basic credentials, whatever the user is called', () => {
    registerSecret('Correct-Horse-Battery');
    for (const user of ['', 'a', 'ad', 'adm', 'admi', 'admin']) {
      const basic = Buffer.from(`${user}:Correct-Horse-Battery`).toString('base64');
      const left = redact(`sent ${basic}`).replace('sent ', '').split('***');
      expect(left).toHaveLength(2);
      expect(Buffer.from(left.join(''), 'base64').toString('latin1')).not.toMatch(/orrect|orse|atter/);
    }
  });

  test('leaves nothing of itself when it begins or ends another one', () => {
    for (const secret of ['hunter', 'hunter-and-more', 'some-hunter']) registerSecret(secret);
    expect(redact('hunter-and-more some-hunter hunter')).toBe('*** *** ***');
  });

  test('may be longer than a pattern can be, and may be no text at all', () => {
    const long = Array.from({ length: 300 }, (_, i) => `piece${i}`).join('-');
    registerSecret(long);
    expect(redact(`<${long}>`)).not.toMatch(/piece/);
    registerSecret('\ud800\ud800\udc00\udc00!');
    registerSecret('x'.repeat(1_000_000));
    expect(redact('lone \ud800')).toBe('lone \ud800');
  });

  test('is not looked for when it is too short to be told from a word', () => {
    for (const short of ['', 'a', 'the']) registerSecret(short);
    expect(redact('the cat')).toBe('the cat');
  });

  test('does not survive in any spelling, whatever stands around it', () => {
    const secret = fc
      .string({ unit: 'binary', minLength: 6, maxLength: 40 })
      .filter((s) => !/\p{Cs}/u.test(s));
    const around = fc.string({ maxLength: 8 });
    const spelling = fc.constantFrom(...SPELLINGS.map(([, spell]) => spell));
    fc.assert(
      fc.property(secret, around, around, spelling, (text, before, after, spell) => {
        registerSecret(text);
        const spelled = spell(text);
        const out = redact(before + spelled + after);
        expect(out).not.toContain(spelled);
        expect(out).toContain('***');
      }),
      { numRuns: 80 },
    );
  });

  test('does not survive in Base64, whatever stands before and after it', () => {
    const secret = fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 30 });
    const around = fc.string({ unit: 'grapheme-ascii', maxLength: 7 });
    fc.assert(
      fc.property(secret, around, around, fc.constantFrom(...BASE64), (text, before, after, [, encode]) => {
        registerSecret(text);
        const out = redact(encode(before + text + after));
        expect(out).toContain('***');
        // At either end a character may hold bits of the secret's outermost byte; the rest is gone.
        const left = out
          .split('***')
          .map((part) => Buffer.from(decodeURIComponent(part), 'base64').toString());
        expect(left.join('\n')).not.toContain(text.slice(1, -1));
      }),
      { numRuns: 150 },
    );
  });
});
