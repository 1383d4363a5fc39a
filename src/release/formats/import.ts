import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { compileFormats } from './compile.ts';
import { appOf, ConditionError, conditionOf } from './conditions.ts';
import type { CustomFormat, FormatCondition } from './format.ts';
import type { App } from './servarr.ts';
import { ServarrFormat } from './servarr-schema.ts';

export interface ImportedFormats {
  readonly formats: readonly CustomFormat[];
  /** What was not taken, by its name, and why; the reason in words that follow "…: ". */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/** Characters. All formats of the guides together have fewer. */
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_FORMATS = 500;

/**
 * Reads custom formats as Radarr and Sonarr export them, one or a list, also with the points of the TRaSH guides. A
 * format that cannot be followed to the letter is refused by name: half a format would count what nobody meant.
 *
 * @param app whose export it is, where the person has said so; otherwise it is told from what is in it
 * @throws INVALID_REQUEST when the text is no JSON of that kind at all
 */
export function importFormats(text: string, app?: App): ImportedFormats {
  const entries = entriesOf(text);
  const whose = app ?? appOf(entries);
  const formats: CustomFormat[] = [];
  const refused: { name: string; reason: string }[] = [];
  entries.forEach((entry, index) => {
    const name = nameOf(entry) ?? `Number ${index + 1}`;
    const result = importFormat(entry, whose ?? appOf([entry]));
    if (typeof result === 'string') refused.push({ name, reason: result });
    else if (formats.some((other) => other.name === result.name)) {
      refused.push({ name, reason: 'there is another one with this name' });
    } else formats.push(result);
  });
  return { formats, refused };
}

function entriesOf(text: string): readonly unknown[] {
  if (text.length > MAX_TEXT) throw notFormats('It is larger than any list of custom formats.');
  const value = parseJson(text);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length > MAX_FORMATS) throw notFormats(`It holds more than ${MAX_FORMATS} entries.`);
  if (!entries.some((entry) => nameOf(entry) !== undefined)) throw notFormats('It holds no custom format.');
  return entries;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notFormats('It is not JSON.', cause);
  }
}

function notFormats(what: string, cause?: unknown): SlipstreamError {
  return new SlipstreamError(
    'INVALID_REQUEST',
    {
      what: `These custom formats cannot be read. ${what}`,
      next: 'Export them in Radarr or Sonarr under Settings, Custom Formats.',
    },
    cause === undefined ? {} : { cause },
  );
}

/** The format, or why it is refused. */
function importFormat(entry: unknown, app: App | undefined): CustomFormat | string {
  const parsed = v.safeParse(ServarrFormat, entry);
  if (!parsed.success)
    return `its ${v.getDotPath(parsed.issues[0]) ?? 'form'} is not as Radarr or Sonarr write it`;
  const { name, specifications, score } = parsed.output;
  const conditions: FormatCondition[] = [];
  for (const specification of specifications) {
    try {
      conditions.push(conditionOf(specification, app));
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      return `its condition "${specification.name}" ${error.message}`;
    }
  }
  const format: CustomFormat = { name, score, conditions };
  const [problem] = compileFormats([format]).problems;
  return problem === undefined ? format : problem.replace(/^.*? is not used: |\.$/g, '');
}

const Named = v.object({ name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)) });

function nameOf(entry: unknown): string | undefined {
  const parsed = v.safeParse(Named, entry);
  return parsed.success ? parsed.output.name : undefined;
}
