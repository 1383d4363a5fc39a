import type { PickerRow, PickerView } from './port.ts';

/** More than anybody scrolls through, and a bound for what a list of ours costs. */
const MAX_ROWS = 500;

/** What a list shows of a view. */
export interface ShownRows {
  readonly rows: readonly PickerRow[];
  /** Whether the rejected rows are among them. */
  readonly everything: boolean;
  /** How many rows show only when everything does. */
  readonly hidden: number;
  /** The view's summary, with what the list leaves out. */
  readonly summary: string;
}

/**
 * The rows that passed and the one that was watched, or all of them where the person asked for that. As long as nothing
 * passed and nobody has asked for anything else, that is everything: an empty list would hide why.
 */
export function shownRows(view: PickerView, asked: boolean | undefined): ShownRows {
  const standing = view.rows.filter((row) => hasPassed(row) || wasWatched(row));
  const everything = asked ?? !view.rows.some(hasPassed);
  const rows = everything ? view.rows : standing;
  return {
    rows: rows.slice(0, MAX_ROWS),
    everything,
    hidden: view.rows.length - standing.length,
    summary: rows.length > MAX_ROWS ? `${view.summary}; the first ${MAX_ROWS} are shown` : view.summary,
  };
}

const hasPassed = ({ rejections }: PickerRow): boolean => rejections.length === 0;

/** The film goes on there: filters that were changed since do not hide it. */
const wasWatched = ({ watched = '' }: PickerRow): boolean => watched !== '';

/**
 * What a row's name does not tell, as one line: "12 Mbit/s · 3 d · EN DE · Example · GRP". That it has failed, or was
 * watched, comes first, for the line may be cut.
 */
export function rowFacts({
  failed = '',
  watched = '',
  bitrate,
  age,
  languages,
  indexer,
  group,
}: PickerRow): string {
  return [failed, watched, bitrate, age, languages, indexer, group].filter((fact) => fact !== '').join(' · ');
}
