import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, type Pattern } from '../../../src/release/pattern/pattern.ts';
import { PatternError } from '../../../src/release/pattern/syntax.ts';

const compile = (text: string, ignoreCase = true) => compilePattern(text, { ignoreCase });

/** Whether both forms find it; that they agree on ASCII is part of every case. */
function finds(pattern: Pattern, text: string): boolean {
  const unicode = pattern.unicode.test(text);
  if (/^[\0-\x7f]*$/.test(text)) expect(pattern.ascii.test(text)).toBe(unicode);
  return unicode;
}

describe('compilePattern', () => {
  it.each([
    // What is written alike in both
    ['\\b(dv|dovi)\\b', 'Sintel.2010.DV.HEVC', true],
    ['\\b(dv|dovi)\\b', 'Sintel.2010.ADVENT', false],
    ['^(?!.*remux).*web', 'Sintel.WEB-DL', true],
    ['^(?!.*remux).*web', 'Sintel.WEB.Remux', false],
    ['(?<=2010\\b).*1080p', 'Sintel.2010.1080p', true],
    ['(?<!HD[._ -])DVD', 'Sintel.HD.DVD', false],
    ['[xh][-_. ]?26[45]', 'Sintel.H.265', true],
    ['DD[P+]', 'Sintel.DD+5.1', true],
    ['\\d{4}', 'Sintel.201', false],
    ['a{2,3}?b', 'aab', true],
    ['^[^a-z]+$', '2010-2012', true],
    ['\\[(INV)\\]', 'Sintel [INV]', true],
    ['x264{', 'x264{', true],
    // Case
    ['(?i)sintel', 'SINTEL', true],
    ['sin(?i:TEL)', 'sintel', true],
    // Options that mean nothing in one line
    ['(?s)a.b', 'a.b', true],
    ['(?m:^a)', 'ab', true],
    ['a(?#said)b', 'ab', true],
    // Ends
    ['\\ASintel\\z', 'Sintel', true],
    ['\\ASintel\\Z', 'Sintel 2010', false],
    // Groups
    ['(?<half>ab)\\k<half>', 'abab', true],
    ["(?'half'ab)\\k'half'", 'abba', false],
    ['(a)(?<b>b)(c)\\2', 'abcc', true],
    ['(a)(?<b>b)(c)\\3', 'abcb', true],
    // Without a way back
    ['(?>a+)ab', 'aaab', false],
    ['(?>a+)b', 'aaab', true],
    ['a++ab', 'aaab', false],
    ['x(?>a|ab)c', 'xabc', false],
    // Classes
    ['[]x]+$', ']x]', true],
    ['[^]x]', ']', false],
    ['[\\w-]+$', 'a-b', true],
    ['[a\\]b]+$', 'a]b', true],
    ['[[]', '[', true],
    ['\\p{Lu}', 'É', true],
    ['^\\p{IsCyrillic}+$', 'Весна', true],
    ['\\u0041\\x42\\t', 'AB\t', true],
    // Every alphabet has words
    ['\\bmélie', 'Amélie', false],
    ['\\bVesna\\b', 'éVesna', false],
    ['^\\w+$', 'Весна', true],
    ['^[\\w.]+$', 'Весна.2019', true],
    ['[\\W]', 'Весна', false],
    ['^[^\\W_]+$', 'Весна', true],
    ['^[^\\W_]+$', 'Вес_на', false],
    ['^\\d+$', '٣', true],
    ['n\\B', 'Весnа', true],
  ])('%s on %s: %s', (text, name, expected) => {
    expect(finds(compile(text), name)).toBe(expected);
  });

  it('tells case apart when asked to, unless the pattern says otherwise', () => {
    expect(finds(compile('sintel', false), 'SINTEL')).toBe(false);
    expect(finds(compile('(?i)sintel', false), 'SINTEL')).toBe(true);
  });

  it.each([
    ['(a', 'never closed'],
    ['a)', 'never opened'],
    ['[a', 'ends too early'],
    ['a\\', 'ends too early'],
    ['*a', 'nothing that "*"'],
    ['a**', 'two repetitions'],
    ['a{3,2}', 'more often'],
    ['^*', 'takes no room'],
    ['[z-a]', 'range'],
    ['[a-z-[aeiou]]', 'takes one character class away'],
    ['\\p{Nonsense}', '\\p{Nonsense}'],
    ['\\q', '\\q'],
    ['\\G', '\\G'],
    ['(?x)a', 'option'],
    ['(?-i)a', 'option'],
    ['(?(1)a|b)', 'option'],
    ['(?<a-b>x)', 'option'],
    ['\\1', 'group "1"'],
    ['\\k<x>', 'group "x"'],
    ['(?<x>a)(?<x>b)', 'two groups'],
    ['(?<=(?>a+))b', 'looks behind'],
    ['('.repeat(100), 'too deeply'],
    ['a'.repeat(5_001), '5000'],
  ])('refuses %s', (text, reason) => {
    expect(() => compile(text)).toThrow(PatternError);
    expect(() => compile(text)).toThrow(reason);
  });

  it('never throws anything else, and what it makes runs', () => {
    const pieces = fc.constantFrom(
      ...'()[]{}|?*+.^$\\-:=!<>,1ab&é'.split(''),
      '(?',
      '(?:',
      '(?=',
      '(?<!',
      '\\w',
      '\\b',
      '{2,3}',
      '[^',
      '\\1',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        try {
          finds(compile(parts.join('')), 'a1b-a');
        } catch (error) {
          if (!(error instanceof PatternError)) throw error;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads a pattern of both worlds as JavaScript itself does', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '\\.', '\\b', '(?:ab)', '(b)');
    const item = fc
      .tuple(atom, fc.constantFrom('', '', '?', '{1,2}'))
      .map(([one, count]) => (one === '\\b' ? one : one + count));
    const pattern = fc
      .array(fc.array(item, { maxLength: 4 }), { minLength: 1, maxLength: 3 })
      .map((options) => options.map((option) => option.join('')).join('|'));
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', '1', '.', ' '), { maxLength: 8 })
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(finds(compile(source), subject)).toBe(new RegExp(source, 'i').test(subject));
      }),
    );
  });
});
