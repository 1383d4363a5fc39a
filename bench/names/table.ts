import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/lib/paths.ts';

/** One row of a table of release names, as test/fixtures/names/README.md describes it. */
export interface Row extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

const PARTS = ['films', 'series', 'world'];

/** The half that is looked at, or the one that nobody looks at while the rules are made. */
export const namesTable = (half: 'tuning' | 'frozen'): Row[] =>
  PARTS.flatMap((part) => readTable(join(ROOT, 'test', 'fixtures', 'names', half, `${part}.jsonl`)));

export function readTable(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}
