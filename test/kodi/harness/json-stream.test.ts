import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSplitter } from './json-stream.ts';

describe('JsonSplitter', () => {
  it('gives every object back, however the bytes were cut', () => {
    const objects = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()));
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 50 }), (values, size) => {
        const bytes = Buffer.from(values.map((value) => JSON.stringify(value)).join(''));
        const splitter = new JsonSplitter();
        const found = [];
        for (let at = 0; at < bytes.length; at += size)
          found.push(...splitter.push(bytes.subarray(at, at + size)));
        expect(JSON.stringify(found)).toEqual(JSON.stringify(values));
      }),
      { numRuns: 50 },
    );
  });
});
