import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declaredEpisodesOf } from '../../src/job-files/declared-episodes.ts';
import { inferNumbers } from '../../src/job-files/inferred-numbers.ts';

/** "S1E2", "E2", "S1", "2019-03-04", or nothing. */
function said(name: string): string {
  const { seasons, episodes, date = '' } = declaredEpisodesOf(name);
  const part = (letter: string, numbers: readonly number[]) =>
    numbers.length === 0 ? '' : `${letter}${numbers.join('+')}`;
  return `${part('S', seasons)}${part('E', episodes)}${date}`;
}

describe('toldBy', () => {
  it.each([
    ['Caminandes.S01E02.1080p.WEB.x264-OPEN', 'S1E2'],
    ['caminandes s1e2', 'S1E2'],
    ['Caminandes_S01.E02_', 'S1E2'],
    ['Caminandes S01 - EP02', 'S1E2'],
    ['Caminandes.1x02', 'S1E2'],
    ['Caminandes Season 1 Episode 2', 'S1E2'],
    ['[x]Caminandes.S01E02v2[1080p]', 'S1E2'],
    ['Caminandes.E02', 'E2'],
    ['Episode 2', 'E2'],
    ['E02', 'E2'],
    ['Caminandes.2019.03.04', '2019-03-04'],
    ['Caminandes.S01E01E02', 'S1E1+2'],
    ['Caminandes.S01E01-E03', 'S1E1+2+3'],
    ['Caminandes.S01E01-03', 'S1E1+2+3'],
    ['Caminandes.1x01-1x03', 'S1E1+2+3'],
    ['Caminandes.S01.1080p.DDP5.1x264-OPEN', 'S1'],
    ['Caminandes.S01.x264-OPEN', 'S1'],
    ['Caminandes.S01.H.264-OPEN', 'S1'],
    ['Caminandes.S01.5.1.H264-OPEN', 'S1'],
    ['Caminandes.S00E03', 'S0E3'],
    ['Specials', 'S0'],
    ['Season 1', 'S1'],
    ['S01', 'S1'],
    ['Caminandes.1920x1080', ''],
    ['Caminandes.16x9', ''],
    ['Caminandes.10bit.23.976fps', ''],
    ['Caminandes {{S01E02}}', ''],
    ['9f8e7d6c5b4a3e02', ''],
    ['Caminandes', ''],
    ['', ''],
  ])('%s: %s', (name, expected) => {
    expect(said(name)).toBe(expected);
  });

  it('reads each number in each way of writing it', () => {
    const two = (n: number) => String(n).padStart(2, '0');
    const ways = [
      (s: number, e: number) => `Show.S${two(s)}E${two(e)}.1080p-X`,
      (s: number, e: number) => `Show ${s}x${two(e)} Title`,
      (s: number, e: number) => `Show - s${s} e${e}`,
      (s: number, e: number) => `Show Season ${s} Episode ${e}`,
    ];
    const number = fc.integer({ min: 1, max: 99 });
    fc.assert(
      fc.property(number, number, fc.constantFrom(...ways), (s, e, write) => {
        expect(said(write(s, e))).toBe(`S${s}E${e}`);
      }),
    );
  });
});

describe('countedBy', () => {
  const counted = (names: string[], title?: string) =>
    Object.fromEntries(
      Array.from(inferNumbers(names, title), ([name, numbers]) => [name, numbers.join('+')]),
    );

  it('sees what siblings count by', () => {
    expect(counted(['Show.01.A', 'Show.02.B'])).toEqual({ 'Show.01.A': '1', 'Show.02.B': '2' });
    expect(counted(['Agent 327 01', 'Agent 327 02'])).toEqual({ 'Agent 327 01': '1', 'Agent 327 02': '2' });
  });

  it('reads two in one file', () => {
    expect(counted(['01-02 A', '03-04 B'])).toEqual({ '01-02 A': '1+2', '03-04 B': '3+4' });
  });

  it('takes no number that all share, that is alone without a sign, or that is far off', () => {
    expect(counted(['Show.01.A', 'Show.01.B'])).toEqual({});
    expect(counted(['Show.05.A'])).toEqual({});
    expect(counted(['Show 3 A', 'Show 1877 B'])).toEqual({});
    expect(counted(['Show 2019', 'Show 2020'])).toEqual({});
  });

  it('takes a lone number in brackets, behind a dash, behind #, or alone', () => {
    for (const name of ['[X] Show - 05 [1080p]', '[X][Show][05]', 'Show #05', '05', '05v2', '05 - Title'])
      expect(counted([name])).toEqual({ [name]: '5' });
    for (const name of ['Show - 05.5', 'Show - 2019', '5f3e', 'Show05']) expect(counted([name])).toEqual({});
  });

  it('leaves the numbers of the title alone', () => {
    expect(counted(['24 - 05 A', '24 - 06 B'])).toEqual({ '24 - 05 A': '5', '24 - 06 B': '6' });
    expect(counted(['24'], '24')).toEqual({});
    expect(counted(['24 - 05'], '24')).toEqual({ '24 - 05': '5' });
  });
});
