import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityTag, judgePreconditions } from '../../../src/stream-proxy/server/preconditions.ts';

const ID = '0123456789abcdef0123456789abcdef';
const OURS = entityTag(ID);
const RANGE = 'bytes=5-9';
const DATE = 'Sat, 29 Oct 1994 19:43:31 GMT';
const whole = { kind: 'proceed', range: undefined };
const part = { kind: 'proceed', range: RANGE };
const notModified = { kind: 'not-modified' };
const failed = { kind: 'failed' };

describe('the entity tag', () => {
  it('is strong, the same each time, another for each session, and tells nothing of the id', () => {
    expect(OURS).toMatch(/^"[0-9a-f]{32}"$/);
    expect(entityTag(ID)).toBe(OURS);
    expect(entityTag(`1${ID.slice(1)}`)).not.toBe(OURS);
    for (let at = 0; at + 6 <= ID.length; at++) expect(OURS).not.toContain(ID.slice(at, at + 6));
  });
});

describe('conditions', () => {
  it.each<[string, Record<string, string>, object]>([
    ['none', {}, whole],
    ['none, with a range', { range: RANGE }, part],
    // If-Match: strong (RFC 9110 §13.1.1).
    ['If-Match: ours', { 'if-match': OURS, range: RANGE }, part],
    ['If-Match: any', { 'if-match': '*' }, whole],
    ['If-Match: ours among others', { 'if-match': `"a", ${OURS},"b"` }, whole],
    ['If-Match: another', { 'if-match': '"a"', range: RANGE }, failed],
    ['If-Match: ours, but weak', { 'if-match': `W/${OURS}` }, failed],
    ['If-Match: nothing', { 'if-match': '' }, failed],
    ['If-Match: unquoted', { 'if-match': OURS.slice(1, -1) }, failed],
    ['If-Match: any in a list', { 'if-match': '*, "a"' }, failed],
    ['If-Match: ours and garbage', { 'if-match': `${OURS} garbage` }, failed],
    // If-None-Match: weak (§13.1.2).
    ['If-None-Match: ours', { 'if-none-match': OURS, range: RANGE }, notModified],
    ['If-None-Match: ours, weak', { 'if-none-match': `W/${OURS}` }, notModified],
    ['If-None-Match: any', { 'if-none-match': '*' }, notModified],
    ['If-None-Match: ours, last', { 'if-none-match': `"a",, W/"b,c" , ${OURS},` }, notModified],
    ['If-None-Match: another', { 'if-none-match': '"a"', range: RANGE }, part],
    ['If-None-Match: ours inside another', { 'if-none-match': `"a,W/", "b"` }, whole],
    ['If-None-Match: malformed', { 'if-none-match': `${OURS}, "open`, range: RANGE }, part],
    ['If-None-Match: two without a comma', { 'if-none-match': `"a" ${OURS}` }, whole],
    ['If-None-Match: small weak mark', { 'if-none-match': `w/${OURS}` }, whole],
    // If-Range: strong, one tag or a date (§13.1.5).
    ['If-Range: ours', { 'if-range': OURS, range: RANGE }, part],
    ['If-Range: another', { 'if-range': '"a"', range: RANGE }, whole],
    ['If-Range: ours, but weak', { 'if-range': `W/${OURS}`, range: RANGE }, whole],
    ['If-Range: any', { 'if-range': '*', range: RANGE }, whole],
    ['If-Range: a list', { 'if-range': `${OURS}, "a"`, range: RANGE }, whole],
    ['If-Range: a date', { 'if-range': DATE, range: RANGE }, whole],
    ['If-Range: nothing', { 'if-range': '', range: RANGE }, whole],
    ['If-Range without a range', { 'if-range': '"a"' }, whole],
    // Dates, without a modification date (§13.1.3, §13.1.4).
    ['If-Modified-Since', { 'if-modified-since': DATE, range: RANGE }, part],
    ['If-Unmodified-Since', { 'if-unmodified-since': DATE, range: RANGE }, part],
    ['If-Unmodified-Since: garbage', { 'if-unmodified-since': 'yesterday', range: RANGE }, part],
    // Order (§13.2.2).
    ['If-Match fails first', { 'if-match': '"a"', 'if-none-match': OURS }, failed],
    ['If-None-Match after If-Match', { 'if-match': OURS, 'if-none-match': OURS }, notModified],
    ['If-Range last', { 'if-match': OURS, 'if-none-match': '"a"', 'if-range': '"b"', range: RANGE }, whole],
  ])('%s', (_what, headers, expected) => {
    expect(judgePreconditions('GET', headers, OURS)).toEqual(expected);
  });

  it('count for HEAD, too, but ranges do not (§14.2)', () => {
    expect(judgePreconditions('HEAD', { 'if-none-match': OURS }, OURS)).toEqual(notModified);
    expect(judgePreconditions('HEAD', { 'if-match': '"a"' }, OURS)).toEqual(failed);
    expect(judgePreconditions('HEAD', { range: RANGE }, OURS)).toEqual(whole);
    expect(judgePreconditions('HEAD', { range: RANGE, 'if-range': OURS }, OURS)).toEqual(whole);
  });
});

/** Any list that §8.8.3 and §5.6.1.2 allow, and whether our tag is in it. */
const tag = fc.record({
  weak: fc.boolean(),
  opaque: fc.oneof(
    fc.constant(OURS.slice(1, -1)),
    fc.string({ unit: fc.constantFrom(...Array.from('ab,W/*!#~\xe9')), maxLength: 6 }),
  ),
});
const space = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 2 });
const comma = fc.tuple(space, fc.string({ unit: fc.constant(','), minLength: 1, maxLength: 3 }), space);

describe('a list of tags', () => {
  it('is read whatever its commas, white space and empty elements', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(tag, comma), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (parts, cut) => {
          const text = parts
            .map(([{ weak, opaque }, separator]) => `${weak ? 'W/' : ''}"${opaque}"${separator.join('')}`)
            .join('');
          const list = (cut ? text.replace(/[ \t,]+$/, '') : text).trim();
          const listed = parts.filter(([{ opaque }]) => `"${opaque}"` === OURS).map(([{ weak }]) => weak);
          expect(judgePreconditions('GET', { 'if-none-match': list }, OURS)).toEqual(
            listed.length > 0 ? notModified : whole,
          );
          expect(judgePreconditions('GET', { 'if-match': list }, OURS)).toEqual(
            listed.includes(false) ? whole : failed,
          );
        },
      ),
    );
  });

  it('of any bytes is judged, also a long one, without looking back for ever', () => {
    const unit = fc.constantFrom(...Array.from('W/"a, \t*\\\0'));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.integer({ min: 1, max: 400 }), (text, times) => {
        const { kind } = judgePreconditions(
          'GET',
          { 'if-none-match': text.repeat(times).slice(0, 16_384) },
          OURS,
        );
        expect(['proceed', 'not-modified']).toContain(kind);
      }),
    );
  });
});
