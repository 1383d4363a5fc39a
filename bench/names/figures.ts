import type { Figure, Measurement } from '../figure.ts';
import { FIELD_NAMES, type Field, percent, type Reading, scoreOf } from './fields.ts';
import { OTHER_PARSERS } from './other-parsers.ts';
import { ourReadings } from './score.ts';
import { namesTable, type Row } from './table.ts';

/**
 * In percent of all names: a field that is rightly found not to be there counts, as in the measurements that the targets
 * come from. Of the names that say it, or of which somebody reads it, none may be better than we are.
 */
const TARGETS: Partial<Record<Field, number>> = {
  title: 92,
  seasons: 97,
  episodes: 95,
  resolution: 99.5,
  codec: 99.7,
  hdr: 99.3,
  audio: 98.5,
  languages: 96.5,
  group: 90,
  edition: 98,
};

/** How right we read each field of the names of the frozen half, which nobody looked at while the rules were made. */
export const namesFigures: readonly Figure[] = FIELD_NAMES.map((field) => ({
  name: `names.${field}`,
  unit: '%',
  target: `≥ ${TARGETS[field] ?? 'the best published parser'}`,
  measure: () => measure(field),
}));

interface Readings {
  readonly rows: readonly Row[];
  readonly ours: readonly Reading[];
  readonly others: readonly (readonly [string, readonly Reading[]])[];
}

let read: Promise<Readings> | undefined;

async function readAll(): Promise<Readings> {
  const rows = namesTable('frozen');
  const others = Object.entries(OTHER_PARSERS).map(
    ([name, parse]) => [name, rows.map((row) => parse(row.name))] as const,
  );
  return { rows, ours: await ourReadings(rows), others };
}

async function measure(field: Field): Promise<Measurement> {
  read ??= readAll();
  const { rows, ours, others } = await read;
  const score = scoreOf(field, rows, ours);
  const said = percent(score);
  const value = (100 * (rows.length - score.wrong.length)) / rows.length;
  const theirs = others.map(([name, readings]) => [name, percent(scoreOf(field, rows, readings))] as const);
  const best = Math.max(...theirs.map(([, percent]) => percent));
  return {
    value,
    met: value >= (TARGETS[field] ?? 0) && said >= best,
    note: `of all names; of the ${score.of} that say it ${said.toFixed(1)}: ${theirs.map(([name, percent]) => `${name} ${percent.toFixed(1)}`).join(', ')}`,
  };
}
