import { afterEach, describe, expect, test, vi } from 'vitest';
import { progressLine } from '../../tools/demo/progress-line.ts';
import { parseOptions } from '../../tools/lib/options.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a tool's options", () => {
  const OPTIONS = { json: { type: 'boolean' }, only: { type: 'string' } } as const;

  test.each([
    [['--ony', 'x'], '--ony is not understood. Usage: npm run it'],
    [['--json=3'], '--json takes no value. Usage: npm run it'],
    [['--only'], '--only needs a value. Usage: npm run it'],
    [['--only', '--json'], '--only needs a value. Usage: npm run it'],
    [['hello'], 'hello is not understood. Usage: npm run it'],
  ])('%j ends the tool with one sentence and status 2', (args, sentence) => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    const exit = vi.spyOn(process, 'exit').mockImplementation((status) => {
      throw new Error(`exit ${status}`);
    });
    expect(() => parseOptions('npm run it', OPTIONS, args)).toThrow('exit 2');
    expect(said.mock.calls).toEqual([[sentence]]);
    expect(exit).toHaveBeenCalledOnce();
  });

  test('are given when they are right', () => {
    expect({ ...parseOptions('', OPTIONS, ['--only', 'x', '--json']) }).toEqual({ only: 'x', json: true });
  });
});

describe('the progress line', () => {
  test.each([
    [true, ['\r\u001b[2KReading … 0 %', '\r\u001b[2KReading … 30 %', '\r\u001b[2K']],
    [false, ['Reading … 0 %\n', 'Reading … 25 %\n']],
  ])('is redrawn on a terminal (%s), else a line per quarter', (isTTY, expected) => {
    const written: string[] = [];
    const line = progressLine('Reading', { isTTY, write: (text: string) => written.push(text) > 0 });
    for (const fraction of [0, 0.002, 0.305, 0.306]) line.show(fraction);
    line.end();
    line.end();
    expect(written).toEqual(expected);
  });
});
