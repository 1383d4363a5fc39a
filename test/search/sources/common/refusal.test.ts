import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../src/errors/index.ts';
import {
  indexerLabels,
  isUnsupported,
  managerLabels,
  refusalError,
} from '../../../../src/search/sources/common/refusal.ts';

const error = (code: number | undefined, text: string, httpStatus = 200) =>
  refusalError({ text, httpStatus, ...(code !== undefined && { code }) }, indexerLabels({ name: 'Example' }));

describe('refusalError', () => {
  it.each<[number | undefined, string, number, ErrorCode]>([
    [100, 'Incorrect user credentials', 200, 'AUTH_FAILED'],
    [101, 'Account suspended', 200, 'AUTH_FAILED'],
    [102, 'Insufficient privileges', 200, 'AUTH_FAILED'],
    [107, 'Registration failed', 200, 'AUTH_FAILED'],
    [900, 'Your account has expired', 200, 'AUTH_FAILED'],
    [200, 'Missing parameter (apikey)', 200, 'AUTH_FAILED'],
    [201, 'Incorrect parameter: API key', 200, 'AUTH_FAILED'],
    [102, 'Account suspended', 200, 'AUTH_FAILED'],
    [100, 'Hits Limit Reached', 200, 'RATE_LIMITED'],
    [101, 'Daily hits reached', 200, 'RATE_LIMITED'],
    [429, 'Temporarily blocked', 200, 'RATE_LIMITED'],
    [500, 'Request limit reached', 200, 'RATE_LIMITED'],
    [501, 'Download limit reached', 200, 'RATE_LIMITED'],
    [200, 'Missing parameter', 200, 'SERVICE_ERROR'],
    [900, 'Unknown error', 200, 'SERVICE_ERROR'],
    [410, 'Indexer is disabled', 410, 'SERVICE_ERROR'],
    [910, 'API disabled', 200, 'RATE_LIMITED'],
    [102, 'Plan limit', 200, 'RATE_LIMITED'],
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
    [undefined, 'Invalid API key', 200, 'AUTH_FAILED'],
    [undefined, '{"error":"Daily request limit reached"}', 200, 'RATE_LIMITED'],
    [undefined, '<html>Unauthorized</html>', 401, 'AUTH_FAILED'],
  ])('takes error %s "%s" with HTTP %i for %s', (code, text, status, expected) => {
    expect(error(code, text, status).code).toBe(expected);
  });

  it('takes the codes of a missing function or parameter for "ask differently", unless the key is meant', () => {
    const unsupported = (code: number | undefined, text: string) =>
      isUnsupported({ text, httpStatus: 200, ...(code !== undefined && { code }) });
    const codes = [100, 200, 201, 202, 203, 204, 300, 900, undefined];
    expect(codes.filter((code) => unsupported(code, 'Incorrect parameter'))).toEqual([200, 201, 202, 203]);
    expect(unsupported(200, 'Missing parameter (apikey)')).toBe(false);
  });

  it('leads to the setting that is wrong, and to where the key is shown', () => {
    const { what, next } = error(100, 'Incorrect user credentials').explanation;
    expect(what).toBe('The indexer Example refused the API key.');
    expect(next).toMatch(/settings of Slipstream \(Connection\).*API key of Example.*profile page/);
  });

  it('calls an indexer without a name of its own just that', () => {
    expect(indexerLabels({ name: 'Indexer' }).who).toBe('The indexer');
    expect(indexerLabels({ name: 'Example' }).who).toBe('The indexer Example');
  });

  it.each([
    ['Prowlarr', 'Prowlarr'],
    ['prowlarr', 'Prowlarr'],
    ['At home', 'Prowlarr (At home)'],
  ])('calls a manager named %s %s', (name, who) => {
    expect(managerLabels('Prowlarr', { name }, 'x').who).toBe(who);
  });

  it('quotes the indexer on one short line', () => {
    const { what } = error(900, `bad\r\nthings\u0000 ${'x'.repeat(1000)}`).explanation;
    expect(what).toContain('bad things');
    expect(what.length).toBeLessThan(200);
    expect(what).not.toMatch(/[\r\n\u0000]/);
  });

  it('shows no address that the indexer names', () => {
    expect(error(900, 'failed: https://indexer.example/api/secret-in-the-path').message).not.toContain(
      'secret',
    );
  });

  it('masks a key in the words of the indexer', () => {
    expect(error(900, 'failed: /api?apikey=abcdef0123').message).not.toContain('abcdef0123');
  });
});
