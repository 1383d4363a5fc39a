import { headingOf } from '../../host/heading.ts';
import type { TextQuestion } from '../../host/port.ts';
import { registerSecret } from '../../log/index.ts';
import type { Setting, SettingId, Settings } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { withScheme } from './address.ts';
import { isSecret, settingRow, storedSettings } from './stored-settings.ts';

/** What the question for a text says beyond its setting, while nothing is stored. */
export interface TextOffer {
  /** What stands there already, and is the answer of who only goes on. */
  readonly value?: string;
  /** In place of the setting's own. */
  readonly help?: string;
}

/** Asks for one setting and stores it at once. @returns whether something was entered; false: the person went back */
export async function askSetting(
  id: SettingId,
  context: SetupContext,
  offer: TextOffer = {},
): Promise<boolean> {
  const { host } = context;
  const stored = (await storedSettings(host))[id];
  const isOffered = stored === '';
  const { help } = isOffered ? offer : {};
  const setting = { ...settingRow(id), ...(help !== undefined && { help }) };
  const value = await askAnswer(setting, isOffered ? (offer.value ?? '') : stored, context);
  if (value === undefined) return false;
  if (isSecret(setting)) registerSecret(value);
  await host.writeSettings({ [id]: value });
  return true;
}

type Value = Settings[SettingId];

function askAnswer(setting: Setting, value: Value, context: SetupContext): Promise<string | undefined> {
  switch (setting.type) {
    case 'text':
      return askText(setting, String(value), context);
    case 'integer':
      return askNumber(setting, String(value), context);
    case 'boolean':
      return askChoice(
        setting,
        [
          { value: 'true', label: 'On' },
          { value: 'false', label: 'Off' },
        ],
        { focused: String(value), context },
      );
    case 'choice':
      return askChoice(setting, setting.options, { focused: String(value), context });
  }
}

async function askText(
  setting: Setting & { readonly type: 'text' },
  value: string,
  { host, signal }: SetupContext,
): Promise<string | undefined> {
  const hidden = isSecret(setting);
  const isAddress = setting.id.endsWith('_url');
  const { label: title, help } = setting;
  const restored = setting.default === '' ? {} : { emptied: setting.default };
  const question = { title, help, ...initialText(value, hidden), ...restored };
  const text = await host.questions.text(question, signal);
  if (isAddress && text !== undefined) return withScheme(text);
  // What has a default is never empty.
  return text === '' ? setting.default : text;
}

/**
 * What a question for a text begins with: never a stored secret, which an empty answer keeps. Where nothing is stored,
 * leaving it empty is an answer as well. An address begins empty, too: withScheme knows best what it begins with.
 */
export const initialText = (value: string, hidden: boolean): Pick<TextQuestion, 'value' | 'hidden'> =>
  hidden ? { ...(value === '' && { value }), hidden } : { value };

/** Asks again until it is a number within the bounds. */
async function askNumber(
  setting: Setting & { readonly type: 'integer' },
  value: string,
  { host, signal }: SetupContext,
): Promise<string | undefined> {
  const { min, max } = setting;
  for (;;) {
    const title = `${setting.label} (${min} to ${max})`;
    const text = await host.questions.text({ title, value, isNeeded: true }, signal);
    if (text === undefined) return undefined;
    if (/^-?\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return text;
  }
}

function askChoice(
  { label, help }: Setting,
  options: readonly { readonly value: string; readonly label: string }[],
  { focused, context: { host, signal } }: { readonly focused: string; readonly context: SetupContext },
): Promise<string | undefined> {
  const rows = options.map(({ value, label }) => ({ id: value, label }));
  return host.questions.choose({ title: headingOf({ title: label, help }), rows, focused }, signal);
}
