import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formParts } from '../../sandbox/nzbdav/multipart.ts';
import { formBody } from '../../src/io/multipart.ts';

const form = (fileName: string, bytes: Uint8Array = Buffer.from('nzb')) =>
  formBody({ field: 'nzbfile', fileName, type: 'application/x-nzb', bytes });

describe('formBody', () => {
  test('writes one part between its boundaries', () => {
    const { type, bytes } = form('Sintel.2010.nzb');
    const boundary = type.replace('multipart/form-data; boundary=', '');
    expect(Buffer.from(bytes).toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="nzbfile"; filename="Sintel.2010.nzb"',
        'Content-Type: application/x-nzb',
        '',
        'nzb',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
  });

  test('puts fields of text in front of the file', () => {
    const file = { field: 'file', fileName: 'a.nzb', type: 'application/x-nzb', bytes: Buffer.from('nzb') };
    const { type, bytes } = formBody(file, { category: 'movies', odd: 'ü "1"' });
    expect(formParts(type, Buffer.from(bytes))).toEqual([
      { name: 'category', data: Buffer.from('movies') },
      { name: 'odd', data: Buffer.from('ü "1"') },
      { name: 'file', filename: 'a.nzb', data: Buffer.from('nzb') },
    ]);
  });

  test('takes another boundary each time', () => {
    expect(form('a').type).not.toBe(form('a').type);
  });

  test.each([
    ['a "b".nzb', 'a %22b%22.nzb'],
    ['a\r\nX: y', 'a%0D%0AX: y'],
    ['Tränen 涙.nzb', 'Tränen 涙.nzb'],
    ['50%22.nzb', '50%22.nzb'],
  ])('escapes what would end a name: %j', (name, written) => {
    expect(Buffer.from(form(name).bytes).toString()).toContain(`; filename="${written}"\r\n`);
  });

  test('any bytes and any name arrive', () => {
    // The reader undoes the escapes, also those that were in the name before.
    const names = fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !name.includes('%'));
    fc.assert(
      fc.property(names, fc.uint8Array({ maxLength: 200 }), (filename, content) => {
        const { type, bytes } = form(filename, content);
        const data = Buffer.from(content);
        expect(formParts(type, Buffer.from(bytes))).toEqual([{ name: 'nzbfile', filename, data }]);
      }),
    );
  });
});
