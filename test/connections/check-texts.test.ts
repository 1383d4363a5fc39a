import { describe, expect, test } from 'vitest';
import {
  checksText,
  countText,
  firstFailure,
  hasRemarks,
  worksText,
} from '../../src/connections/check-texts.ts';
import { SlipstreamError } from '../../src/errors/index.ts';

const FINE = { what: 'The address of Example', found: 'Example 2' };
const FAILED = {
  what: 'A search by Example',
  failure: new SlipstreamError('AUTH_FAILED', { what: 'Example refuses the key.', next: 'Enter it again.' }),
};

test('what works is a line each', () => {
  expect(checksText([FINE, { what: 'A search by Example' }])).toEqual({
    title: 'Everything works',
    text: 'OK: The address of Example (Example 2)\nOK: A search by Example',
  });
  expect(firstFailure([FINE])).toBeUndefined();
});

test('what is not proven yet is neither right nor wrong', () => {
  const unproven = { what: 'The folder of Example', unproven: 'it is empty' };
  expect(checksText([FINE, unproven])).toEqual({
    title: 'Nothing is wrong, but not all is proven',
    text: 'OK: The address of Example (Example 2)\nNOT PROVEN YET: The folder of Example (it is empty)',
  });
  expect(firstFailure([FINE, unproven])).toBeUndefined();
  expect(worksText('Example', [FINE])).toBe('Example works');
  expect(worksText('Example', [unproven])).toBe('Example answers, but not all is proven yet');
});

test('what films play without is named all the same', () => {
  const note = { ...FAILED, isNote: true } as const;
  expect(firstFailure([FINE, note])).toBeUndefined();
  expect(worksText('Example', [FINE, note])).toBe('Example works, but not all of it');
  expect([hasRemarks([FINE, note]), hasRemarks([FINE])]).toEqual([true, false]);
});

test('what does not is told after it, with the next step', () => {
  expect(checksText([FINE, FAILED])).toEqual({
    title: 'Something does not work',
    text: 'OK: The address of Example (Example 2)\nNOT OK: A search by Example\n\nExample refuses the key.\nEnter it again.',
  });
  expect(firstFailure([FINE, FAILED])).toBe(FAILED);
});

describe('several of a kind', () => {
  const good = { what: 'Meadow by Prowlarr', isOneOfMany: true } as const;
  const bad = {
    what: 'Burrow by Prowlarr',
    isOneOfMany: true,
    failure: new SlipstreamError('SERVICE_ERROR', {
      what: 'Burrow rests until 20:15.',
      next: 'Test it there.',
    }),
  } as const;

  test('are enough when one of them works, and those that do not are told all the same', () => {
    expect(firstFailure([FINE, bad, good])).toBeUndefined();
    expect(countText([FINE, bad, good])).toBe('1 of 2 behind it can be asked');
    expect(checksText([bad, good])).toEqual({
      title: 'Something does not work',
      text: 'NOT OK: Burrow rests until 20:15.\nOK: Meadow by Prowlarr\n\nTest it there.',
    });
  });

  test('have failed when none of them works, or something else does not', () => {
    expect(firstFailure([FINE, bad])).toBe(bad);
    expect(firstFailure([FAILED, good])).toBe(FAILED);
    expect(countText([FINE, good])).toBeUndefined();
  });
});
