import { redact } from '../../log/index.ts';
import {
  isAddressId,
  PAGES,
  type Row,
  type RowCondition,
  SETTINGS,
  type Setting,
  type SettingId,
  type Settings,
} from '../../settings/index.ts';
import { isSecret } from '../asking/stored-settings.ts';

/** A setting as the page gets it: with its value, or with no more than whether there is one. */
export type ShownSetting = Omit<Setting, 'stringId'> & {
  readonly value?: string | number | boolean;
  /** Of a setting whose value stays here. */
  readonly isSet?: boolean;
};

export interface ShownGroup {
  readonly label: string;
  readonly shownWhen?: RowCondition;
  /** Ids of settings. */
  readonly rows: readonly string[];
}

export interface ShownPage {
  readonly label: string;
  readonly groups: readonly ShownGroup[];
}

/** The dialog of the settings, without its buttons: the page has those that it needs of its own. */
export const SHOWN_PAGES: readonly ShownPage[] = PAGES.map(({ label, groups }) => ({
  label,
  groups: groups
    .map((group) => ({
      label: group.label,
      ...('shownWhen' in group && { shownWhen: group.shownWhen }),
      rows: group.rows.filter(({ type }: Row) => type !== 'action').map(({ id }) => id),
    }))
    .filter(({ rows }) => rows.length > 0),
}));

/** The settings as the page may see them: what is secret does not leave this device. */
export const shownSettings = (settings: Settings): ShownSetting[] =>
  SETTINGS.map((setting: Setting & { readonly id: SettingId }) => {
    const value = settings[setting.id];
    return isWithheld(setting, value) ? { ...setting, isSet: value !== '' } : { ...setting, value };
  });

/** The values that it sees. */
export const shownValues = (settings: Settings): ReadonlySet<string> =>
  new Set(shownSettings(settings).flatMap(({ value }) => (value === undefined ? [] : [String(value)])));

/** Secrets, and addresses that somebody has entered with a key or a password in them. A name may equal a password. */
const isWithheld = (setting: Setting, value: unknown): boolean =>
  isSecret(setting) || (isAddressId(setting.id) && typeof value === 'string' && holdsLogin(value));

/** What an add-on's address ends in; its configuration stands before that. */
const ADDON_ENDING = /\/(?:manifest\.json|configure)\/?$/i;

/** Whether an address has more than a host and a path: a user, a password, a query, or one of these in its path. */
export function holdsLogin(address: string): boolean {
  if (redact(address) !== address || ADDON_ENDING.test(address)) return true;
  if (!address.includes('://')) return false;
  if (!URL.canParse(address)) return /[?@]/.test(address);
  const { username, password, search, hash } = new URL(address);
  return `${username}${password}${search}${hash}` !== '';
}
