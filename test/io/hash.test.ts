import { expect, test } from 'vitest';
import { hexHash, isSameSecret } from '../../src/io/hash.ts';

test('a hash is the beginning of the SHA-256 of a text, or of bytes', () => {
  // The digest of "abc" is the example of FIPS 180-2, appendix B.1.
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(hexHash('abc')).toBe(digest);
  expect(hexHash('abc', 16)).toBe(digest.slice(0, 16));
  expect(hexHash(new TextEncoder().encode('abc'), 32)).toBe(digest.slice(0, 32));
});

test.each([
  ['secret', 'secret', true],
  ['secret', 'secre', false],
  ['', 'secret', false],
  ['', '', true],
])('that %j and %j are the same secret is %s', (one, other, same) => {
  expect(isSameSecret(one, other)).toBe(same);
});
