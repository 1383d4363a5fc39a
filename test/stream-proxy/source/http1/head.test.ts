import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framingOf, staysOpen } from '../../../../src/stream-proxy/source/http1/framing.ts';
import { type Head, headLength, parseHead } from '../../../../src/stream-proxy/source/http1/head.ts';

/** What a client does with the head at the beginning of these bytes. */
function read(text: string): Head | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const length = headLength(bytes);
  if (length === undefined) return undefined;
  const head = parseHead(bytes.subarray(0, length));
  framingOf(head);
  return head;
}

const head = (...lines: readonly string[]): string => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`;

describe('the head of an answer', () => {
  it('gives status and fields by lower-case names, without the space around values', () => {
    const { status, minor, headers } = read(
      head('Content-Type:video/x-matroska', 'ETag: \t "a b" \t ', 'X-Empty:', 'Accept-Ranges: bytes'),
    )!;
    expect({ status, minor }).toEqual({ status: 200, minor: 1 });
    expect([...headers]).toEqual([
      ['content-type', 'video/x-matroska'],
      ['etag', '"a b"'],
      ['x-empty', ''],
      ['accept-ranges', 'bytes'],
    ]);
  });

  it('joins the values of a repeated field, and a continued line with one space', () => {
    expect([...read(head('Via: a', 'via: b', 'X-Long: one', '  \t two', '\tthree'))!.headers]).toEqual([
      ['via', 'a, b'],
      ['x-long', 'one two three'],
    ]);
  });

  it('takes what a continued line holds as it is, and a blank that is not one of HTTP as a part of the value', () => {
    const folded = ["$'", '$&', '$`', '$1', '$$'];
    const { headers } = read(head('X-Long: one', ...folded.map((text) => ` ${text}`), 'X-Odd: \xa0a\xa0'))!;
    expect(headers.get('x-long')).toBe(`one ${folded.join(' ')}`);
    expect(headers.get('x-odd')).toBe('\xa0a\xa0');
  });

  it.each([
    [
      'lines that each repeat what stands behind a match',
      head('A: b', ...Array.from({ length: 700 }, () => " $'$'")),
    ],
    ['blanks and a control character behind them', head(`A:${' '.repeat(32_000)}\x01`)],
    ['blanks within a value', head(`A: b${' \t'.repeat(15_000)}c`)],
    ['continued lines of nothing', head('A: b', ...Array.from({ length: 10_000 }, () => ' '))],
  ])('is read in time that grows as it does: %s', (_, text) => {
    const since = performance.now();
    for (let round = 0; round < 20; round++) {
      try {
        read(text);
      } catch (error) {
        expect(error).toMatchObject({ kind: 'wrong-answer' });
      }
    }
    // An expression that is quadratic in the blanks takes ten times as long, one that repeats the text never ends.
    expect(performance.now() - since).toBeLessThan(1_000);
  });

  it.each([
    ['HTTP/1.0 206 Partial Content\r\n\r\n', { minor: 0, status: 206 }],
    ['HTTP/1.1 404\r\n\r\n', { minor: 1, status: 404 }],
    ['HTTP/1.1 200 \r\n\r\n', { minor: 1, status: 200 }],
    ['HTTP/1.1 503 D\xe9sol\xe9\r\n\r\nbody', { minor: 1, status: 503 }],
  ])('takes the status line of %j', (text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  it.each([
    ['equal lengths', head('Content-Length: 42', 'Content-Length: 42')],
    ['equal lengths in one field', head('Content-Length: 42, 42')],
  ])('makes one of %s', (_, text) => {
    expect(read(text)!.headers.get('content-length')).toBe('42');
  });

  it.each<[string, string]>([
    ['another protocol', 'SSH-2.0-dropbear\r\n'],
    ['another protocol, told by its first byte', '\x16'],
    ['a TLS alert', '\x15\x03\x03\x00\x02\x02\x46'],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\n\r\n'],
    ['lower-case http', 'http/1.1 200 OK\r\n\r\n'],
    ['an empty line first', '\r\nHTTP/1.1 200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['two spaces before the status', 'HTTP/1.1  200 OK\r\n\r\n'],
    ['a control character in the reason', 'HTTP/1.1 200 O\x00K\r\n\r\n'],
    ['a space before the colon', head('Content-Length : 5')],
    ['a field without a colon', head('Content-Length')],
    ['a field without a name', head(': 5')],
    ['a space in a name', head('Content Length: 5')],
    ['a bare line feed', head('A: b\nContent-Length: 5')],
    ['a bare carriage return', head('A: b\rContent-Length: 5')],
    ['a zero byte', head('A: b\0')],
    ['a continued line before any field', head(' A: b')],
    ['different lengths', head('Content-Length: 5', 'Content-Length: 6')],
    ['different lengths in one field', head('Content-Length: 5, 6')],
    ['a length with a sign', head('Content-Length: +5')],
    ['a negative length', head('Content-Length: -5')],
    ['a length in hexadecimal', head('Content-Length: 0x5')],
    ['a length with a fraction', head('Content-Length: 5.0')],
    ['an empty length', head('Content-Length:')],
    ['half an empty list of lengths', head('Content-Length: 5,')],
    ['a length that no number holds', head('Content-Length: 9007199254740993')],
    ['a length of many digits', head(`Content-Length: ${'0'.repeat(40)}5`)],
    ['another transfer coding', head('Transfer-Encoding: gzip')],
    ['a transfer coding before chunked', head('Transfer-Encoding: gzip, chunked')],
    ['chunked twice', head('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')],
    ['both chunks and a length', head('Transfer-Encoding: chunked', 'Content-Length: 5')],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['too many fields', head(...Array.from({ length: 101 }, (_, n) => `X-${n}: x`))],
    ['a head that is too long', head(`A: ${'a'.repeat(32 * 1024)}`)],
    ['a head that does not end', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(32 * 1024)}`],
  ])('refuses %s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ kind: 'wrong-answer' }));
  });

  it('says nothing of what the server sent', () => {
    const secret = 'topsecret';
    for (const text of [`HTTP/1.1 ${secret}\r\n\r\n`, head(secret), head(`Content-Length: ${secret}`)]) {
      expect(() => read(text)).toThrow(/^(?!.*topsecret)/);
    }
  });

  it.each([
    [head(), true],
    [head('Connection: keep-alive'), true],
    [head('Connection: close'), false],
    [head('Connection: Keep-Alive, CLOSE'), false],
    [head('Connection: x-close'), true],
    ['HTTP/1.0 200 OK\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n', false],
  ])('%j: its connection stays open: %s', (text, open) => {
    expect(staysOpen(read(text)!)).toBe(open);
  });

  it('waits for the end of every beginning of a head, and takes no byte after it', () => {
    const whole = head('Content-Length: 5', 'X-Long: one', ' two');
    for (let length = 0; length < whole.length; length++)
      expect(read(whole.slice(0, length))).toBeUndefined();
    expect(headLength(Buffer.from(`${whole}HTTP/1.1 500 \r\n\r\n`))).toBe(whole.length);
  });

  it('gives a head or a failure, whatever comes', () => {
    const piece = fc.constantFrom(
      'HTTP/1.1 200 OK',
      '\r\n',
      '\n',
      ' ',
      ':',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      '\0',
      'é',
      'A',
      ',',
      '\t',
      "$'",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = `HTTP/1.1 200 OK\r\n${pieces.join('')}\r\n\r\n`;
        try {
          expect(read(text)).toMatchObject({ status: 200 });
        } catch (error) {
          expect(error).toMatchObject({ name: 'SourceFailure', kind: 'wrong-answer' });
        }
      }),
      { numRuns: 500 },
    );
  });
});
