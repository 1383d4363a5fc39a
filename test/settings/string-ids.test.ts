import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES, RETIRED_STRINGS, type Row } from '../../src/settings/index.ts';

/**
 * Every number that was ever given to a string, and what it was given to. A translation hangs on the number, so none is
 * given to anything else: what is new is added here, and what goes stays here and is listed in retired-strings.ts.
 */
const GIVEN = JSON.parse(readFileSync(join(import.meta.dirname, 'string-ids.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

function numbersOf(row: Row): [number, string][] {
  const own: [number, string][] = [
    [row.stringId, row.id],
    [row.stringId + 1, `${row.id} (help)`],
  ];
  if (row.type !== 'choice') return own;
  return [
    ...own,
    ...row.options.map(({ stringId, value }): [number, string] => [stringId, `${row.id}=${value}`]),
  ];
}

const USED: ReadonlyMap<string, string> = new Map(
  PAGES.flatMap(({ id, stringId, groups }): [number, string][] => [
    [stringId, `page ${id}`],
    ...groups.flatMap((group): [number, string][] => [
      [group.stringId, `group of ${id}`],
      ...group.rows.flatMap(numbersOf),
    ]),
  ]).map(([number, owner]) => [String(number), owner]),
);

test('every number is used for what it was given to, or retired', () => {
  const retired = new Set(RETIRED_STRINGS.map(String));
  expect(Object.fromEntries([...USED].sort())).toEqual(
    Object.fromEntries(Object.entries(GIVEN).filter(([number]) => !retired.has(number))),
  );
  for (const number of retired) expect(GIVEN).toHaveProperty(number);
});
