import * as v from 'valibot';
import { SETTINGS, type Setting, type SettingId } from '../../settings/index.ts';
import { withScheme } from '../asking/address.ts';
import { foreignRefusal, PhoneRefusal } from './refusal.ts';

/** Characters; a Stremio add-on's address holds a whole configuration. */
const MAX_TEXT = 4_000;
/** What no setting is made of, and what would make two lines of one. */
const CONTROL = /\p{Cc}/u;

const Entered = v.record(
  v.pipe(v.string(), v.maxLength(100)),
  v.union([v.string(), v.pipe(v.number(), v.finite()), v.boolean()]),
);

/** What was entered, by its ids, as the host stores it. */
export type EnteredSettings = Readonly<Partial<Record<SettingId, string>>>;

/**
 * Checks what a phone has sent against the table: ids that were shown to it, types, bounds, options.
 *
 * @throws Refusal which names the first that does not fit; nothing of it is to be written then
 */
export function enteredSettings(values: unknown): EnteredSettings {
  const { success, output } = v.safeParse(Entered, values);
  if (!success) throw foreignRefusal(400, 'These are no settings.');
  return Object.fromEntries(Object.entries(output).map(([id, value]) => [id, textOf(shownWith(id), value)]));
}

function shownWith(id: string): Setting {
  const setting = SETTINGS.find((shown) => shown.id === id);
  if (setting === undefined) throw foreignRefusal(400, 'That setting is not on this page.');
  return setting;
}

function textOf(setting: Setting, value: string | number | boolean): string {
  switch (setting.type) {
    case 'text': {
      const text = typeof value === 'string' ? value.trim() : undefined;
      if (text === undefined || CONTROL.test(text))
        throw invalidSettingRefusal(setting, 'Enter it as one line of text.');
      // Kodi would not store it, and not say so either (tools/generate/settings-xml.ts).
      if (text === '') return setting.default;
      if (text.length > MAX_TEXT) throw invalidSettingRefusal(setting, `It can have ${MAX_TEXT} characters.`);
      return setting.id.endsWith('_url') ? withScheme(text) : text;
    }
    case 'integer': {
      const { min, max } = setting;
      const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
      if (!fits) throw invalidSettingRefusal(setting, `Enter a whole number from ${min} to ${max}.`);
      return String(value);
    }
    case 'boolean':
      if (typeof value !== 'boolean') throw invalidSettingRefusal(setting, 'It is on or off.');
      return String(value);
    case 'choice': {
      const option = setting.options.find((each) => each.value === value);
      if (option === undefined) throw invalidSettingRefusal(setting, 'Choose one of those that are listed.');
      return option.value;
    }
  }
}

const invalidSettingRefusal = ({ id, label }: Setting, next: string): PhoneRefusal =>
  new PhoneRefusal(
    400,
    'INVALID_REQUEST',
    { what: `"${label}" cannot be that.`, next },
    {
      setting: id as SettingId,
    },
  );
