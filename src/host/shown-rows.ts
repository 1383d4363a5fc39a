import type { PickerRow, PickerView } from './port.ts';

/** More than anybody scrolls through, and a bound for what a list of ours costs. */
const MOST_ROWS = 500;

/** What a list shows of a view. */
export interface ShownRows {
  readonly rows: readonly PickerRow[];
  /** Whether the rejected rows are among them. */
  readonly everything: boolean;
  /** How many were rejected. */
  readonly rejected: number;
  /** The view's summary, with what the list leaves out. */
  readonly summary: string;
}

/**
 * The rows that passed, or all of them where the person asked for that. As long as nothing passed and nobody has asked
 * for anything else, that is everything: an empty list would hide why.
 */
export function shownRows(view: PickerView, asked: boolean | undefined): ShownRows {
  const passed = view.rows.filter(({ rejections }) => rejections.length === 0);
  const everything = asked ?? passed.length === 0;
  const rows = everything ? view.rows : passed;
  return {
    rows: rows.slice(0, MOST_ROWS),
    everything,
    rejected: view.rows.length - passed.length,
    summary: rows.length > MOST_ROWS ? `${view.summary}; the first ${MOST_ROWS} are shown` : view.summary,
  };
}

/**
 * What a row's name does not tell, as one line: "12 Mbit/s · 3 d · EN DE · Example · GRP". That it has failed comes first, for
 * the line may be cut.
 */
export function rowFacts({ failed = '', bitrate, age, languages, indexer, group }: PickerRow): string {
  return [failed, bitrate, age, languages, indexer, group].filter((fact) => fact !== '').join(' · ');
}
