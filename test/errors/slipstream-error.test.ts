import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSlipstreamError, SlipstreamError } from '../../src/errors/index.ts';

describe('asSlipstreamError', () => {
  test('passes our own errors on as they are', () => {
    const error = new SlipstreamError('TIMEOUT', { what: 'a', next: 'b' }, { detail: 'c', transient: true });
    expect(asSlipstreamError(error)).toBe(error);
    expect(error.message).toBe('TIMEOUT: a (c)');
  });

  test('turns anything else into INTERNAL, and keeps it as the cause', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.constantFrom(Object.create(null), Symbol('s'), 1n)),
        (thrown) => {
          const error = asSlipstreamError(thrown);
          expect(error.code).toBe('INTERNAL');
          expect(error.cause).toBe(thrown);
          expect(error.explanation.next).not.toBe('');
        },
      ),
    );
  });
});
