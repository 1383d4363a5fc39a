import { expect, test } from 'vitest';
import { checksInWords, firstFailure } from '../../src/connections/words.ts';
import { SlipstreamError } from '../../src/errors/index.ts';

const FINE = { what: 'The address of Example', found: 'Example 2' };
const FAILED = {
  what: 'A search by Example',
  failure: new SlipstreamError('AUTH_FAILED', { what: 'Example refuses the key.', next: 'Enter it again.' }),
};

test('what works is a line each', () => {
  expect(checksInWords([FINE, { what: 'A search by Example' }])).toEqual({
    title: 'Everything works',
    text: 'OK: The address of Example (Example 2)\nOK: A search by Example',
  });
  expect(firstFailure([FINE])).toBeUndefined();
});

test('what does not is told after it, with the next step', () => {
  expect(checksInWords([FINE, FAILED])).toEqual({
    title: 'Something does not work yet',
    text: 'OK: The address of Example (Example 2)\nNOT OK: A search by Example\n\nExample refuses the key.\nEnter it again.',
  });
  expect(firstFailure([FINE, FAILED])).toBe(FAILED);
});
