/** What every row of the table has, and the kinds of rows. */
interface Common {
  readonly id: string;
  readonly category:
    | 'connection'
    | 'backends'
    | 'quality'
    | 'words'
    | 'limits'
    | 'sorting'
    | 'playback'
    | 'advanced';
  readonly label: string;
  readonly help: string;
  /** The number of the label in strings.po; the help text is the next one. */
  readonly stringId: number;
}

interface TextSetting extends Common {
  readonly type: 'text';
  readonly default: string;
  /** Hidden on screen, and masked wherever text of ours is written. */
  readonly secret?: boolean;
}

interface IntegerSetting extends Common {
  readonly type: 'integer';
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

interface BooleanSetting extends Common {
  readonly type: 'boolean';
  readonly default: boolean;
}

interface ChoiceSetting extends Common {
  readonly type: 'choice';
  readonly default: string;
  readonly options: readonly Option[];
}

interface Option {
  /** What is stored: as long-lived as the id. */
  readonly value: string;
  readonly label: string;
  readonly stringId: number;
}

export type Setting = TextSetting | IntegerSetting | BooleanSetting | ChoiceSetting;
type Category = Common['category'];

export function text<const Id extends string>(
  id: Id,
  category: Category,
  stringId: number,
  label: string,
  help: string,
  initial = '',
) {
  return { id, category, stringId, label, help, type: 'text', default: initial } as const satisfies Setting;
}

export function secret<const Id extends string>(
  id: Id,
  category: Category,
  stringId: number,
  label: string,
  help: string,
) {
  return { ...text(id, category, stringId, label, help), secret: true } as const satisfies Setting;
}

export function integer<const Id extends string>(
  id: Id,
  category: Category,
  stringId: number,
  label: string,
  help: string,
  [initial, min, max]: readonly [initial: number, min: number, max: number],
) {
  return {
    id,
    category,
    stringId,
    label,
    help,
    type: 'integer',
    default: initial,
    min,
    max,
  } as const satisfies Setting;
}

export function boolean<const Id extends string>(
  id: Id,
  category: Category,
  stringId: number,
  label: string,
  help: string,
  initial: boolean,
) {
  return {
    id,
    category,
    stringId,
    label,
    help,
    type: 'boolean',
    default: initial,
  } as const satisfies Setting;
}

/** The first option is the default. */
export function choice<const Id extends string, const Value extends string>(
  id: Id,
  category: Category,
  stringId: number,
  label: string,
  help: string,
  options: readonly [ChoiceOf<Value>, ...ChoiceOf<Value>[]],
) {
  return {
    id,
    category,
    stringId,
    label,
    help,
    type: 'choice',
    default: options[0].value,
    options,
  } as const satisfies Setting;
}

type ChoiceOf<Value extends string> = Option & { readonly value: Value };
