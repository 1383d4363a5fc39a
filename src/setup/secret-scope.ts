import { parseSettings, SETTINGS, type Setting, type SettingId, type Settings } from '../settings/index.ts';
import { isSecret } from './asking/stored-settings.ts';
import type { EnteredSettings } from './phone/entered-settings.ts';
import { PhoneRefusal } from './phone/refusal.ts';

/**
 * A stored secret goes to the machine that it was entered for, and no other: whoever changes an address enters its key
 * again. Otherwise a phone could have it sent to a server of its own, and read it there.
 *
 * @throws PhoneRefusal
 */
export function assertSecretScope(stored: Settings, entered: EnteredSettings): void {
  const asText = Object.entries(stored).map(([id, value]) => [id, String(value)]);
  const after = parseSettings({ ...(Object.fromEntries(asText) as Record<string, string>), ...entered });
  const staying = SETTINGS.filter(
    (setting) => isSecret(setting) && stored[setting.id] !== '' && entered[setting.id] === undefined,
  );
  for (const secret of staying) {
    const before = addressesBeside(secret, stored);
    const other = addressesBeside(secret, after).find((address) => !isSameMachine(before, address));
    if (other !== undefined) throw enterAgain(secret);
  }
}

/** Whether a secret that was entered for one address may go to another. */
export const isSameSecretScope = (before: string, after: string): boolean =>
  addressOf(after).every((address) => isSameMachine(addressOf(before), address));

/** Another port of a machine is the same machine. Without TLS it is another one: anybody may answer in its name. */
const isSameMachine = (before: readonly URL[], { hostname, protocol }: URL): boolean =>
  before.some(
    (address) => address.hostname === hostname && (protocol === 'https:' || address.protocol === 'http:'),
  );

/** The addresses of the service that a secret is for: their ids begin with the same word, as in "webdav_". */
function addressesBeside({ id: secret }: Setting, settings: Settings): URL[] {
  const service = /^[^_]*_/.exec(secret)?.[0] ?? '';
  const beside = SETTINGS.filter((setting) => setting.id.startsWith(service) && !isSecret(setting));
  return beside.flatMap(({ id }) => addressOf(settings[id]));
}

/** What can be asked over HTTP; nothing else is (io/http.ts). */
function addressOf(value: unknown): URL[] {
  if (typeof value !== 'string' || !URL.canParse(value)) return [];
  const url = new URL(value);
  return url.protocol === 'http:' || url.protocol === 'https:' ? [url] : [];
}

const enterAgain = ({ id, label }: Setting): PhoneRefusal =>
  new PhoneRefusal(
    400,
    'INVALID_REQUEST',
    {
      what: 'The address is another one now.',
      next: `Enter "${label}" again: the stored one is not sent to another machine.`,
    },
    { setting: id as SettingId },
  );
