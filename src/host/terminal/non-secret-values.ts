import { isAddressId, SETTINGS } from '../../settings/index.ts';

/** Names, users and categories: texts that are no secret, and that none can stand in. */
const NON_SECRET_SETTINGS = SETTINGS.filter(
  (setting) => setting.type === 'text' && !('secret' in setting) && !isAddressId(setting.id),
);

/** What stands in settings that everybody may read: a password that equals such a value does not hide it. */
export interface NonSecretValues {
  readonly values: ReadonlySet<string>;
  /** Hears of settings as they are stored. */
  add(stored: Readonly<Record<string, string>>): void;
}

/** Knows the defaults from the beginning. */
export function openNonSecretValues(): NonSecretValues {
  const values = new Set(NON_SECRET_SETTINGS.map((setting) => String(setting.default)));
  return {
    values,
    add: (stored) => {
      for (const { id } of NON_SECRET_SETTINGS) values.add(stored[id] ?? '');
    },
  };
}
