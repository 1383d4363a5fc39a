import { SETTINGS } from '../../settings/index.ts';

/** Names, users and categories: texts that are no secret, and that none can stand in. */
const PLAIN = SETTINGS.filter(
  (setting) => setting.type === 'text' && !('secret' in setting) && !/_(?:url|folder)$/.test(setting.id),
);

/** What stands in settings that everybody may read: a password that equals such a value does not hide it. */
export interface PlainValues {
  readonly values: ReadonlySet<string>;
  /** Hears of settings as they are stored. */
  learn(stored: Readonly<Record<string, string>>): void;
}

/** Knows the defaults from the beginning. */
export function plainValues(): PlainValues {
  const values = new Set(PLAIN.map((setting) => String(setting.default)));
  return {
    values,
    learn: (stored) => {
      for (const { id } of PLAIN) values.add(stored[id] ?? '');
    },
  };
}
