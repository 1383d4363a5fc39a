import { describe, expect, it } from 'vitest';
import { isCatastrophic } from '../../../src/release/pattern/hazard.ts';
import { parsePattern } from '../../../src/release/pattern/parse.ts';
import { compilePattern } from '../../../src/release/pattern/pattern.ts';

const catastrophic = (text: string) => isCatastrophic(parsePattern(text).node);

describe('isCatastrophic', () => {
  it.each([
    '(a+)+',
    '(a*)*b',
    '^(?:a+)*$',
    '(\\w+\\s?)*x',
    '(.*,)*x',
    '(a|a)*b',
    '(\\w|\\d)+$',
    '(a|aa)+$',
    '(?:a?a)*b',
    '((a+)b?)+c',
    '(?=(x+x+)+y)z',
    '(?<!(a+)+b)c',
    '([a-z]+)*\\d',
    '(?:\\w+[\\s\\w])*!',
    '(a+){10,}b',
    '(a?){20}a{20}',
    '(?:a|){20}a{20}',
    '(?:(?:ab)+)+c',
    '(я+)+x',
  ])('finds %s', (text) => {
    expect(catastrophic(text)).toBe(true);
  });

  it.each([
    'a+b+c+',
    '(?:\\w+\\.)+mkv',
    '(?:\\.\\w+)+$',
    '(foo|far)*x',
    '(?:ab?)+c',
    '^(?!.*\\b(remux|disc)\\b).*$',
    '(?=.*\\b(AVC|HEVC)\\b)(?=.*(COMPLETE.*|Dis[ck]))',
    '(a+)?b',
    '(?>a+)+b',
    '(?:[A-Z]{2},\\s*)*[A-Z]{2}',
    '(?:E\\d+)+',
    '(\\d{2}){3}',
    '(.*_)?x',
  ])('lets %s pass', (text) => {
    expect(catastrophic(text)).toBe(false);
  });

  it('has a pattern refused with the reason', () => {
    expect(() => compilePattern('(a+)+', { ignoreCase: true })).toThrow('take for ever');
  });
});
