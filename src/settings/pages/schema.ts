/** The settings dialog, as data: pages, their groups, and the rows of these. */
export interface SettingsPage {
  /** As long-lived as a setting's id: buttons name the page that they come back to. */
  readonly id: string;
  readonly label: string;
  /** The number of the label in strings.po. Never reused. */
  readonly stringId: number;
  readonly groups: readonly SettingsGroup[];
}

export interface SettingsGroup {
  readonly label: string;
  readonly stringId: number;
  /** Shown while this holds; beside the conditions of its rows. */
  readonly shownWhen?: RowCondition;
  readonly rows: readonly SettingsRow[];
}

/** What has to hold for a row to apply. */
export interface RowCondition {
  /** The id of another row. */
  readonly setting: string;
  /** Its stored value; "set": any but the empty one. */
  readonly is: string | boolean | { readonly set: true };
}

/** How much a person has to want to see before a row is shown; dialogs begin with "standard". */
export type SettingLevel = 'basic' | 'standard' | 'advanced' | 'expert';

/** What every row has. */
interface RowBase {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  /** The number of the label in strings.po; the help text is the next one. */
  readonly stringId: number;
  /** Absent: basic. */
  readonly level?: SettingLevel;
  readonly shownWhen?: RowCondition;
}

interface TextSetting extends RowBase {
  readonly type: 'text';
  readonly default: string;
  /** Hidden on screen, and masked wherever text of ours is written. */
  readonly secret?: boolean;
}

interface IntegerSetting extends RowBase {
  readonly type: 'integer';
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

interface BooleanSetting extends RowBase {
  readonly type: 'boolean';
  readonly default: boolean;
}

interface ChoiceSetting extends RowBase {
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

/** A button: it stores nothing. The dialog closes, and so saves, before what it starts begins. */
export interface ActionRow extends RowBase {
  readonly type: 'action';
  /** One of ACTIONS in setup/action.ts. */
  readonly action: string;
  /** A ServiceId of connections/service.ts. */
  readonly service?: string;
}

export type Setting = TextSetting | IntegerSetting | BooleanSetting | ChoiceSetting;
export type SettingsRow = Setting | ActionRow;

export const page = <const Groups extends readonly SettingsGroup[]>(
  id: string,
  stringId: number,
  label: string,
  groups: Groups,
) => ({ id, stringId, label, groups }) as const satisfies SettingsPage;

export const group = <const Rows extends readonly SettingsRow[]>(
  stringId: number,
  label: string,
  rows: Rows,
  shownWhen?: RowCondition,
) =>
  ({ stringId, label, rows, ...(shownWhen !== undefined && { shownWhen }) }) as const satisfies SettingsGroup;

/** The row, for people who want to see more. */
export const atLevel = <const R extends SettingsRow>(level: SettingLevel, row: R) =>
  ({ ...row, level }) as const;

/** The row, where it applies. */
export const shownWhen = <const R extends SettingsRow>(setting: string, is: RowCondition['is'], row: R) =>
  ({ ...row, shownWhen: { setting, is } }) as const;

/** The row, once that text has been entered. */
export const shownOnceSet = <const R extends SettingsRow>(setting: string, row: R) =>
  shownWhen(setting, { set: true }, row);

export function text<const Id extends string>(
  id: Id,
  stringId: number,
  label: string,
  help: string,
  initial = '',
) {
  return { id, stringId, label, help, type: 'text', default: initial } as const satisfies Setting;
}

export function secret<const Id extends string>(id: Id, stringId: number, label: string, help: string) {
  return { ...text(id, stringId, label, help), secret: true } as const satisfies Setting;
}

export function integer<const Id extends string>(
  id: Id,
  stringId: number,
  label: string,
  help: string,
  [initial, min, max]: readonly [initial: number, min: number, max: number],
) {
  return {
    id,
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
  stringId: number,
  label: string,
  help: string,
  initial: boolean,
) {
  return { id, stringId, label, help, type: 'boolean', default: initial } as const satisfies Setting;
}

/** The first option is the default. */
export function choice<const Id extends string, const Value extends string>(
  id: Id,
  stringId: number,
  label: string,
  help: string,
  options: readonly [ChoiceOf<Value>, ...ChoiceOf<Value>[]],
) {
  return {
    id,
    stringId,
    label,
    help,
    options,
    type: 'choice',
    default: options[0].value,
  } as const satisfies Setting;
}

type ChoiceOf<Value extends string> = Option & { readonly value: Value };

export function action<const Id extends string>(
  id: Id,
  stringId: number,
  label: string,
  help: string,
  starts: string,
) {
  return { id, stringId, label, help, type: 'action', action: starts } as const satisfies ActionRow;
}

/** The button that tests a service. */
export function test<const Service extends string>(service: Service, stringId: number, help: string) {
  return {
    ...action(`test_${service}` as const, stringId, 'Test', help, 'test'),
    service,
  } as const satisfies ActionRow;
}
