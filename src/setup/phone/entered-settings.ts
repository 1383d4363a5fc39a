import * as v from 'valibot';
import {
  parseSettings,
  SETTINGS,
  type Setting,
  type SettingId,
  type Settings,
} from '../../settings/index.ts';
import { notForUs, Refusal } from './refusal.ts';
import { isSecret } from './shown-settings.ts';

/** All settings are shown, and nothing else is. */
const SHOWN: readonly Setting[] = SETTINGS;

/** Characters; a Stremio add-on's address holds a whole configuration. */
const MOST_TEXT = 4_000;
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
  if (!success) throw notForUs(400, 'These are no settings.');
  return Object.fromEntries(Object.entries(output).map(([id, value]) => [id, textOf(shownWith(id), value)]));
}

function shownWith(id: string): Setting {
  const setting = SHOWN.find((shown) => shown.id === id);
  if (setting === undefined) throw notForUs(400, 'That setting is not on this page.');
  return setting;
}

function textOf(setting: Setting, value: string | number | boolean): string {
  switch (setting.type) {
    case 'text': {
      const text = typeof value === 'string' ? value.trim() : undefined;
      if (text === undefined || CONTROL.test(text)) throw misfit(setting, 'Enter it as one line of text.');
      if (text.length > MOST_TEXT) throw misfit(setting, `It can have ${MOST_TEXT} characters.`);
      return text;
    }
    case 'integer': {
      const { min, max } = setting;
      const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
      if (!fits) throw misfit(setting, `Enter a whole number from ${min} to ${max}.`);
      return String(value);
    }
    case 'boolean':
      if (typeof value !== 'boolean') throw misfit(setting, 'It is on or off.');
      return String(value);
    case 'choice': {
      const option = setting.options.find((each) => each.value === value);
      if (option === undefined) throw misfit(setting, 'Choose one of those that are listed.');
      return option.value;
    }
  }
}

const misfit = ({ id, label }: Setting, next: string): Refusal =>
  new Refusal(400, 'INVALID_REQUEST', { what: `"${label}" cannot be that.`, next }, id as SettingId);

/**
 * A stored secret goes to the host that it was entered for, and no other: whoever changes an address enters its key
 * again. Otherwise a phone could have it sent to a server of its own, and read it there.
 *
 * @param stored What is stored now.
 * @throws Refusal
 */
export function assertSecretsStay(stored: Settings, entered: EnteredSettings): void {
  const after = parseSettings({ ...asText(stored), ...entered });
  for (const secret of SHOWN.filter(isSecret)) {
    const id = secret.id as SettingId;
    if (stored[id] === '' || entered[id] !== undefined) continue;
    const before = placesOf(stored, secret);
    const other = placesOf(after, secret).find(({ origin, host }) => !leadsThere(before, origin, host));
    if (other !== undefined) throw enterAgain(secret, other.host);
  }
}

const asText = (settings: Settings): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([id, value]) => [id, String(value)]));

interface Place {
  readonly origin: string;
  readonly host: string;
}

/** Another port of the same host is no other machine; without TLS it is, for anybody may answer for it. */
const leadsThere = (before: readonly Place[], origin: string, host: string): boolean =>
  before.some(
    (place) => place.host === host && (origin.startsWith('https:') || place.origin.startsWith('http:')),
  );

/** The addresses of the service that a secret belongs to: ids begin with their service, as "webdav_". */
function placesOf(settings: Settings, { id: secret }: Setting): Place[] {
  const service = `${secret.split('_')[0] ?? ''}_`;
  return SHOWN.filter((setting) => setting.id.startsWith(service) && !isSecret(setting)).flatMap(({ id }) => {
    const value = settings[id as SettingId];
    return typeof value === 'string' ? placeOf(value) : [];
  });
}

/** Where an address leads; nothing for what is no web address. */
export function placeOf(address: string): Place[] {
  if (!/^https?:/i.test(address)) return [];
  if (!URL.canParse(address)) return [{ origin: address, host: address }];
  const { origin, hostname } = new URL(address);
  return [{ origin, host: hostname }];
}

/** Whether a secret that was entered for one address may go to another. */
export const isSamePlace = (before: string, after: string): boolean =>
  placeOf(after).every(({ origin, host }) => leadsThere(placeOf(before), origin, host));

const enterAgain = ({ id, label }: Setting, host: string): Refusal =>
  new Refusal(
    400,
    'INVALID_REQUEST',
    {
      what: `The address is another one now (${host}).`,
      next: `Enter "${label}" again: the stored one is not sent to another machine.`,
    },
    id as SettingId,
  );
