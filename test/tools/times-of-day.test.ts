import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../tools/lib/paths.ts';
import { TIMES_OF_DAY, timesOfDay } from '../../tools/lint/times-of-day.mjs';

const LIST = { 'src/told.mjs': 1 };

/** What the rule says of a file. */
function said(file: string, code: string): string[] {
  const plugins = { house: { rules: { clock: timesOfDay(ROOT, LIST) } } };
  const config = { files: ['**/*.mjs'], plugins, rules: { 'house/clock': 'error' as const } };
  return new Linter({ cwd: ROOT })
    .verify(code, [config], { filename: join(ROOT, file) })
    .map(({ message }) => message);
}

describe('the rule about clocks', () => {
  test.each(['Date.now()', 'const { now } = Date, t = Date.now', 'new Date()', 'Date()'])(
    'finds %s in a file that tells no time of day',
    (code) => {
      expect(said('src/other.mjs', code)).toEqual([expect.stringContaining('performance.now()')]);
    },
  );

  test.each(['performance.now()', 'new Date(0)', 'Date.parse("2010-09-27")'])('leaves %s alone', (code) => {
    expect(said('src/other.mjs', code)).toEqual([]);
  });

  test('allows as many uses as are told, no more and no fewer', () => {
    expect(said('src/told.mjs', 'Date.now()')).toEqual([]);
    expect(said('src/told.mjs', 'Date.now(); Date.now()')).toHaveLength(1);
    expect(said('src/told.mjs', '')).toEqual([expect.stringContaining('tells of 1 here, and there are 0')]);
  });

  test('tells of files that are there', () => {
    expect(Object.keys(TIMES_OF_DAY).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

test('the host measures by time.monotonic: it asks the system’s clock for the age of a file alone', () => {
  const asks = /\btime\.time\(|\bdatetime\b|\btime\.(?:localtime|gmtime|strftime)\(/g;
  const files = readdirSync(join(ROOT, 'addon'), { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.py'))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, 'addon', file), 'utf8').matchAll(asks)].map(() => basename(file)),
    );
  expect(found).toEqual(['bundled_node.py']);
});
