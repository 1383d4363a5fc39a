import type { TextQuestion } from '../../host/port.ts';
import { registerSecret } from '../../log/index.ts';
import type { Setting, SettingId, Settings } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { withScheme } from './address.ts';
import { isSecret, settingRow, storedSettings } from './stored-settings.ts';

/** Asks for one setting and stores it at once. @returns whether something was entered; false: the person went back */
export async function askSetting(id: SettingId, context: SetupContext): Promise<boolean> {
  const { host } = context;
  const setting = settingRow(id);
  const value = await answerTo(setting, (await storedSettings(host))[id], context);
  if (value === undefined) return false;
  if (isSecret(setting)) registerSecret(value);
  await host.writeSettings({ [id]: value });
  return true;
}

type Value = Settings[SettingId];

function answerTo(setting: Setting, value: Value, context: SetupContext): Promise<string | undefined> {
  switch (setting.type) {
    case 'text':
      return askText(setting, String(value), context);
    case 'integer':
      return askNumber(setting, String(value), context);
    case 'boolean':
      return askOne(
        setting,
        [
          { value: 'true', label: 'On' },
          { value: 'false', label: 'Off' },
        ],
        { focused: String(value), context },
      );
    case 'choice':
      return askOne(setting, setting.options, { focused: String(value), context });
  }
}

async function askText(
  setting: Setting & { readonly type: 'text' },
  value: string,
  { host, signal }: SetupContext,
): Promise<string | undefined> {
  const hidden = isSecret(setting);
  const isAddress = setting.id.endsWith('_url');
  const question = { title: titleOf(setting), ...shownOf(value, hidden) };
  const text = await host.questions.text(question, signal);
  return isAddress && text !== undefined ? withScheme(text) : text;
}

/**
 * What a question for a text begins with: never a stored secret, which an empty answer keeps. Where nothing is stored,
 * leaving it empty is an answer as well. An address begins empty, too: withScheme knows best what it begins with.
 */
export const shownOf = (value: string, hidden: boolean): Pick<TextQuestion, 'value' | 'hidden'> =>
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
    const text = await host.questions.text({ title, value }, signal);
    if (text === undefined) return undefined;
    if (/^-?\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return text;
  }
}

function askOne(
  setting: Setting,
  options: readonly { readonly value: string; readonly label: string }[],
  { focused, context: { host, signal } }: { readonly focused: string; readonly context: SetupContext },
): Promise<string | undefined> {
  const rows = options.map(({ value, label }) => ({ id: value, label }));
  return host.questions.choose({ title: titleOf(setting), rows, focused }, signal);
}

/** About so many characters of its heading Kodi's keyboard shows; of the rest it makes dots. */
const HEADING = 72;

/** What it is called, and as much of the help as can be shown in whole sentences. */
function titleOf({ label, help }: Setting): string {
  const sentences = help.split(/(?<=\.) /);
  const titles = sentences.map((_, at) => `${label}. ${sentences.slice(0, at + 1).join(' ')}`);
  return titles.findLast(({ length }) => length <= HEADING) ?? label;
}
