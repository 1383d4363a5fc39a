import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tameForeign } from '../../src/release/foreign.ts';

const foreignLetters = (text: string) =>
  (text.match(/[\u3040-\u30FF\u4E00-\u9FFF\u0400-\u04FF]/g) ?? []).length;

describe('tameForeign', () => {
  it('leaves a name without such letters alone', () => {
    expect(tameForeign('Amélie.2001').name).toBe('Amélie.2001');
  });

  it('shortens a run to its ends and puts it back', () => {
    const { name, restore } = tameForeign('Большой Бак Банни / Big Buck Bunny');
    expect(name).toBe('Би / Big Buck Bunny');
    expect(restore('Би')).toBe('Большой Бак Банни');
    expect(restore('Big Buck Bunny')).toBe('Big Buck Bunny');
  });

  it.each(['слово ', 'слово.', '漢字 ', 'か.', 'я/', '(слово) ', 'x я '])(
    'bounds the work for the endlessly repeated %j',
    (unit) => {
      // What makes the parser slow is the number of such letters: it must not grow with the name.
      expect(foreignLetters(tameForeign(unit.repeat(200)).name)).toBeLessThanOrEqual(16);
    },
  );

  it('bounds the work for any mixture', () => {
    const unit = fc.constantFrom('я', 'слово', '漢', 'か', ' ', '.', '/', '(', ')', 'a', '1');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 200 }), (units) => {
        expect(foreignLetters(tameForeign(units.join('')).name)).toBeLessThanOrEqual(16);
      }),
    );
  });
});
