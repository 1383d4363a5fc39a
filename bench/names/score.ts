import type { Quality } from '../../src/model/index.ts';
import { loadReleaseNameParser } from '../../src/release/index.ts';
import type { Reading } from './fields.ts';
import type { Row } from './table.ts';

const readingOf = ({ otherTitles, editions, ...same }: Quality): Reading => ({
  ...same,
  aka: otherTitles,
  edition: editions,
});

/** Our own reading of each row, in the fields of the table. */
export async function ourReadings(rows: readonly Row[]): Promise<Reading[]> {
  const parse = await loadReleaseNameParser();
  return rows.map(({ name }) => readingOf(parse(name)));
}
