import { registerSecret } from '../log/index.ts';
import { SETTINGS, type Setting, type SettingId } from './table.ts';

type Row = (typeof SETTINGS)[number];
type ValueOf<R> = R extends { readonly type: 'integer' }
  ? number
  : R extends { readonly type: 'boolean' }
    ? boolean
    : R extends { readonly type: 'choice'; readonly options: readonly { readonly value: infer V }[] }
      ? V
      : string;

/** All settings, typed after the table. */
export type Settings = { readonly [R in Row as R['id']]: ValueOf<R> };

/**
 * Reads raw values as a host stores them (text). A missing or unreadable value falls back to the default, a number
 * outside of its bounds to the nearest bound: a damaged settings file never keeps the add-on from starting.
 * Secrets are registered with the log's redaction.
 */
export function parseSettings(raw: Readonly<Record<string, string | undefined>>): Settings {
  const values = SETTINGS.map(
    (setting: Setting) => [setting.id, parseValue(setting, raw[setting.id])] as const,
  );
  for (const setting of SETTINGS as readonly Setting[]) {
    const value = raw[setting.id];
    if (setting.type === 'text' && setting.secret === true && value !== undefined)
      registerSecret(value.trim());
  }
  // The table gives each id its type; Object.fromEntries cannot express that.
  return Object.fromEntries(values) as Settings;
}

export const SETTING_IDS: readonly SettingId[] = SETTINGS.map((setting) => setting.id);

function parseValue(setting: Setting, raw: string | undefined): string | number | boolean {
  const value = raw?.trim();
  switch (setting.type) {
    case 'text':
      return value ?? setting.default;
    case 'choice':
      return setting.options.find((option) => option.value === value)?.value ?? setting.default;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : setting.default;
    case 'integer': {
      if (value === undefined || !/^-?\d+$/.test(value)) return setting.default;
      return Math.min(setting.max, Math.max(setting.min, Number(value)));
    }
  }
}
