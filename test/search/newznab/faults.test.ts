import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors/index.ts';
import { isUnsupported, refusalError } from '../../../src/search/newznab/faults.ts';

const error = (code: number | undefined, text: string, httpStatus = 200) =>
  refusalError({ text, httpStatus, ...(code !== undefined && { code }) }, 'The indexer Example');

describe('refusalError', () => {
  it.each<[number | undefined, string, number, ErrorCode]>([
    [100, 'Incorrect user credentials', 200, 'AUTH_FAILED'],
    [101, 'Account suspended', 200, 'AUTH_FAILED'],
    [102, 'Insufficient privileges', 200, 'AUTH_FAILED'],
    [107, 'Registration failed', 200, 'AUTH_FAILED'],
    [900, 'Your account has expired', 200, 'AUTH_FAILED'],
    [100, 'Hits Limit Reached', 200, 'RATE_LIMITED'],
    [101, 'Daily hits reached', 200, 'RATE_LIMITED'],
    [429, 'Temporarily blocked', 200, 'RATE_LIMITED'],
    [500, 'Request limit reached', 200, 'RATE_LIMITED'],
    [501, 'Download limit reached', 200, 'RATE_LIMITED'],
    [200, 'Missing parameter', 200, 'SERVICE_ERROR'],
    [900, 'Unknown error', 200, 'SERVICE_ERROR'],
    [910, 'API disabled', 200, 'SERVICE_ERROR'],
    [undefined, 'Unauthorized', 401, 'AUTH_FAILED'],
    [undefined, 'Forbidden', 403, 'AUTH_FAILED'],
    [undefined, '<html>Attention Required</html>', 403, 'SERVICE_ERROR'],
    [undefined, '<html>Rate limit page, the host is reached through us</html>', 503, 'SERVICE_ERROR'],
    [undefined, 'The host cannot be reached', 502, 'SERVICE_ERROR'],
    [undefined, 'API quota exceeded', 403, 'RATE_LIMITED'],
    [undefined, '', 429, 'RATE_LIMITED'],
    [undefined, '', 520, 'SERVICE_ERROR'],
    [undefined, 'Not Found', 404, 'BAD_ANSWER'],
    [undefined, '', 302, 'BAD_ANSWER'],
  ])('takes error %s "%s" with HTTP %i for %s', (code, text, status, expected) => {
    expect(error(code, text, status).code).toBe(expected);
  });

  it('takes only the three codes of a missing function for "ask differently"', () => {
    const codes = [200, 201, 202, 203, 204, undefined];
    const unsupported = codes.filter((code) =>
      isUnsupported({ text: '', httpStatus: 200, ...(code !== undefined && { code }) }),
    );
    expect(unsupported).toEqual([201, 202, 203]);
  });

  it('quotes the indexer on one short line', () => {
    const { what } = error(900, `bad\r\nthings\u0000 ${'x'.repeat(1000)}`).explanation;
    expect(what).toContain('bad things');
    expect(what.length).toBeLessThan(200);
    expect(what).not.toMatch(/[\r\n\u0000]/);
  });

  it('masks a key in the words of the indexer', () => {
    expect(error(900, 'failed: /api?apikey=abcdef0123').message).not.toContain('abcdef0123');
  });
});
