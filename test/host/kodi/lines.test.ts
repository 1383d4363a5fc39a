import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLines } from '../../../src/host/kodi/lines.ts';

/** Reads these chunks as they are, and tells what came of them. */
async function read(chunks: Iterable<Buffer | string>, maxBytes = 100): Promise<string[]> {
  const seen: string[] = [];
  const input = Readable.from(chunks, { objectMode: false });
  await new Promise<void>((resolve) => {
    readLines(input, maxBytes, {
      onLine: (line) => seen.push(line),
      onTooLong: () => seen.push('TOO LONG'),
      onEnd: resolve,
    });
  });
  return seen;
}

describe('readLines', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb', ['a', 'b']],
    ['\n\na', ['', '', 'a']],
    ['a\u2028b\u2029c\rd\n', ['a\u2028b\u2029c\rd']],
  ])('%j', async (text, lines) => {
    expect(await read(text === '' ? [] : [Buffer.from(text)])).toEqual(lines);
  });

  test.each([99, 100, 101, 1000])('a line of %d bytes, of which 100 are allowed', async (size) => {
    const line = 'x'.repeat(size);
    expect(await read([`${line}\nnext\n`])).toEqual([size <= 100 ? line : 'TOO LONG', 'next']);
    expect(await read([...line.split(/(?=x)/), '\n', 'next'])).toEqual([
      size <= 100 ? line : 'TOO LONG',
      'next',
    ]);
    expect(await read([line])).toEqual([size <= 100 ? line : 'TOO LONG']);
  });

  test('a line without an end is not kept', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    function* endless() {
      for (let i = 0; i < 512; i++) {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        yield Buffer.from(megabyte);
      }
    }
    expect(await read(endless(), 1024 * 1024)).toEqual(['TOO LONG']);
    expect(most).toBeLessThan(256 * 1024 * 1024);
  });

  test('it does not matter how the bytes are cut, also inside of a character', async () => {
    const lines = fc.array(
      fc.string({ unit: 'grapheme' }).map((s) => s.replace(/[\r\n]/g, '')),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 7 }), async (texts, step) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
          bytes.subarray(i * step, (i + 1) * step),
        );
        expect(await read(chunks, 10_000)).toEqual(texts);
      }),
      { numRuns: 50 },
    );
  });

  test('nothing is reported after it was stopped, not even from the same chunk', async () => {
    const input = new PassThrough();
    const seen: string[] = [];
    const stop = readLines(input, 100, {
      onLine: (line) => {
        seen.push(line);
        stop();
      },
      onTooLong: () => seen.push('TOO LONG'),
      onEnd: () => seen.push('END'),
    });
    input.end('a\nb\nc');
    await new Promise((resolve) => input.once('end', resolve));
    stop();
    expect(seen).toEqual(['a', 'END']);
  });

  test.each(['end', 'destroy', 'error'])('the end is told once: %s', async (how) => {
    const input = new PassThrough();
    let ends = 0;
    readLines(input, 100, { onLine: () => undefined, onTooLong: () => undefined, onEnd: () => ends++ });
    if (how === 'end') input.end();
    else input.destroy(how === 'error' ? new Error('EIO') : undefined);
    await new Promise((resolve) => input.once('close', resolve));
    expect(ends).toBe(1);
  });
});
