import { describe, expect, it } from 'vitest';
import { isSameVersion, validatorsOf } from '../../../src/stream-proxy/source/validators.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const at = (secondsBefore: number) => new Date(NOW - secondsBefore * 1000).toUTCString();
const of = (headers: Record<string, string>, now = NOW) =>
  validatorsOf(new Map(Object.entries(headers)), now);

describe('the validators of an answer', () => {
  it.each(['"a"', 'W/"a"', '""'])('are its entity tag %s', (tag) => {
    expect(of({ etag: tag })).toEqual({ tag });
  });

  it.each(['a', '"a', 'w/"a"', '"a""b"', ''])('are no tag that is malformed: %s', (etag) => {
    expect(of({ etag })).toEqual({});
  });

  it.each([
    [60, { modified: at(60) }],
    [3600, { modified: at(3600) }],
    [59, {}],
    [0, {}],
    [-60, {}],
  ])('are its date when that is a minute before the answer: %i s', (seconds, validators) => {
    const date = at(0);
    // The clock of the server counts, not ours.
    for (const now of [NOW, NOW + 10 ** 9, 0])
      expect(of({ 'last-modified': at(seconds), date }, now)).toEqual(validators);
    expect(of({ 'last-modified': at(seconds) })).toEqual(validators);
  });

  it.each(['yesterday', ''])('are no date that is none: %s', (modified) => {
    expect(of({ 'last-modified': modified })).toEqual({});
    expect(of({ 'last-modified': at(3600), date: modified })).toEqual({});
  });
});

describe('a later answer is of the same version', () => {
  const KNOWN = { tag: '"a"', modified: at(3600) };
  const same = (headers: Record<string, string>, known: Parameters<typeof isSameVersion>[0] = KNOWN) =>
    isSameVersion(known, new Map(Object.entries(headers)));

  it('when it says the same, or nothing', () => {
    expect(same({ etag: '"a"', 'last-modified': at(3600) })).toBe(true);
    expect(same({ etag: '"a"' })).toBe(true);
    expect(same({})).toBe(true);
  });

  it('when a tag that was weak has become strong, or the other way round', () => {
    expect(same({ etag: 'W/"a"' })).toBe(true);
    expect(same({ etag: '"a"' }, { tag: 'W/"a"' })).toBe(true);
    expect(same({ etag: 'W/"b"' })).toBe(false);
  });

  it('not when its tag or its date is another one', () => {
    expect(same({ etag: '"b"', 'last-modified': at(3600) })).toBe(false);
    expect(same({ etag: '"a"', 'last-modified': at(3599) })).toBe(false);
    // Changed a moment ago.
    expect(same({ 'last-modified': at(0), date: at(0) })).toBe(false);
  });

  it('whatever it says, when nothing was known', () => {
    expect(same({ etag: '"b"', 'last-modified': at(1) }, {})).toBe(true);
  });
});
