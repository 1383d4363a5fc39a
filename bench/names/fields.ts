import type { Row } from './table.ts';

/** What a parser says of a name, in the fields of the table. A field that it cannot tell is left out. */
export type Reading = Readonly<Record<string, unknown>>;

/** The fields that are scored, and how they are compared. */
const FIELDS = {
  title: 'words',
  aka: 'list',
  year: 'exact',
  seasons: 'list',
  episodes: 'list',
  date: 'exact',
  complete: 'exact',
  resolution: 'exact',
  source: 'exact',
  remux: 'exact',
  disc: 'exact',
  hybrid: 'exact',
  upscaled: 'exact',
  threeD: 'exact',
  codec: 'exact',
  bitDepth: 'exact',
  hdr: 'list',
  dolbyVisionProfile: 'exact',
  audio: 'list',
  channels: 'list',
  languages: 'list',
  subtitles: 'list',
  multi: 'exact',
  dual: 'exact',
  group: 'words',
  edition: 'list',
  proper: 'exact',
  repack: 'exact',
  revision: 'exact',
  network: 'words',
  container: 'exact',
  obfuscated: 'exact',
} as const;

export type Field = keyof typeof FIELDS;

export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

export interface Score {
  readonly right: number;
  /** Rows that name the field, and rows for which the parser invents it. */
  readonly of: number;
  readonly wrong: readonly Wrong[];
}

export interface Wrong {
  readonly name: string;
  readonly expected: unknown;
  readonly read: unknown;
}

export const percent = ({ right, of }: Score): number => (of === 0 ? 100 : (100 * right) / of);

/** How often a parser reads a field right. A row counts where it names the field or the parser does. */
export function scoreOf(field: Field, rows: readonly Row[], readings: readonly Reading[]): Score {
  const wrong: Wrong[] = [];
  let of = 0;
  rows.forEach((row, index) => {
    const [expected, read] = [row[field], readings[index]?.[field]];
    const [a, b] = [comparable(field, expected), comparable(field, read)];
    if (a === '' && b === '') return;
    of++;
    if (a !== b) wrong.push({ name: row.name, expected, read });
  });
  return { right: of - wrong.length, of, wrong };
}

/** Titles and groups without regard to case and separators, lists as sets, the rest exactly; nothing is ''. */
function comparable(field: Field, value: unknown): string {
  if (value === undefined || value === null || value === false || value === 0) return '';
  const kind = FIELDS[field];
  if (kind === 'list') return (value as unknown[]).map(words).sort().join('|');
  return kind === 'words' ? words(value) : `${value as string | number}`;
}

const words = (value: unknown): string =>
  `${value as string | number}`.toLowerCase().replace(/[^\p{L}\p{N}+]+/gu, '');
