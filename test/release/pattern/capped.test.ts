import { describe, expect, it } from 'vitest';
import { Budget, boundedTexts, findIn } from '../../../src/release/pattern/capped.ts';
import { compilePattern } from '../../../src/release/pattern/pattern.ts';

const pattern = (text: string) => compilePattern(text, { ignoreCase: true });
/** Past the check: what it does not recognise must end as well. */
const anEndless = () => ({ text: '(a+)+$', ascii: /(a+)+$/, unicode: /(a+)+$/u });
const trap = `${'a'.repeat(40)}b`;

describe('findIn', () => {
  it('tells for each text, also for those that are there twice, whether it is found', () => {
    const subjects = boundedTexts(['Sintel.WEB', 'Charge.DVD', 'Sintel.WEB', 'Весна.WEB', '']);
    expect(subjects.texts).toHaveLength(4);
    expect([...(findIn(subjects, pattern('\\bweb\\b'), new Budget()) ?? [])]).toEqual([1, 0, 1, 1, 0]);
  });

  it('takes a line break for a blank, and looks at no more than 300 characters', () => {
    const subjects = boundedTexts(['a\nb', `${' '.repeat(299)}x`, `${' '.repeat(300)}x`]);
    expect([...(findIn(subjects, pattern('a.b|x'), new Budget()) ?? [])]).toEqual([1, 1, 0]);
  });

  it('ends a pattern that does not, and goes on with the next', () => {
    const budget = new Budget(10_000, 50);
    expect(findIn(boundedTexts(['Sintel', trap]), anEndless(), budget)).toBeUndefined();
    expect(findIn(boundedTexts(['Sintel', trap]), pattern('sintel'), budget)).toEqual(Uint8Array.of(1, 0));
  });

  it('does not try one again that took too long', () => {
    const endless = anEndless();
    expect(findIn(boundedTexts([trap]), endless, new Budget(1_000, 50))).toBeUndefined();
    // It would be quick on this one.
    expect(findIn(boundedTexts(['b']), endless, new Budget())).toBeUndefined();
    expect(findIn(boundedTexts(['b']), anEndless(), new Budget())).toEqual(Uint8Array.of(0));
  });

  it('runs nothing any more when the budget of the batch is used up, and blames no pattern for that', () => {
    const budget = new Budget(60, 50);
    const sintel = pattern('sintel');
    while (!budget.spent) expect(findIn(boundedTexts([trap]), anEndless(), budget)).toBeUndefined();
    expect(findIn(boundedTexts(['Sintel']), sintel, budget)).toBeUndefined();
    expect(findIn(boundedTexts(['Sintel']), sintel, new Budget())).toEqual(Uint8Array.of(1));
  });

  it('finds nothing in an empty text that stands for nothing', () => {
    expect(findIn(boundedTexts(['', 'a']), pattern('.*'), new Budget())).toEqual(Uint8Array.of(1, 1));
    expect(findIn(boundedTexts(['', 'a'], true), pattern('.*'), new Budget())).toEqual(Uint8Array.of(0, 1));
  });

  it('lets an error of the work through', () => {
    expect(() => new Budget().run((): unknown => JSON.parse('{'))).toThrow(SyntaxError);
  });
});
