import type { Service } from '../../connections/service.ts';
import type { YesNoQuestion } from '../../host/port.ts';
import type { SettingId } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { isSecret, settingRow, storedSettings } from '../asking/stored-settings.ts';
import { isSameSecretScope } from '../secret-scope.ts';

/** Where a service is, as far as that is known before anybody is asked. */
export type ServiceAddress = Readonly<Partial<Record<SettingId, string>>>;

export const addressField = ({ fields }: Service): SettingId | undefined =>
  fields.find(({ setting }) => setting.endsWith('_url'))?.setting;

/**
 * Stores where a service is now. Its keys go to no other machine than they were entered for (secret-scope.ts): they are
 * asked for anew, and who has some is asked before they are given up.
 *
 * @returns false when the person went back
 */
export async function storeServiceAddress(
  place: ServiceAddress,
  service: Service,
  context: SetupContext,
): Promise<boolean> {
  const { host, signal } = context;
  const settings = await storedSettings(host);
  const address = addressField(service);
  const before = address === undefined ? '' : String(settings[address]);
  const after = address === undefined ? undefined : place[address];
  if (after === undefined || (after !== '' && before !== '' && isSameSecretScope(before, after))) {
    await host.writeSettings(place);
    return true;
  }
  const fields = service.fields.map(({ setting }) => setting).filter((id) => settings[id] !== '');
  const secrets = fields.filter((id) => isSecret(settingRow(id)));
  // What else of it has an address is not there any more.
  const places = fields.filter((id) => id.endsWith('_url'));
  if (before !== '' && secrets.length > 0) {
    const wanted = await host.questions.confirm(moveQuestion(service, before), signal);
    // Where nothing is known of the new one, keeping the old one is another choice.
    if (wanted !== true) return wanted === false && after !== '';
  }
  const old = Object.fromEntries([...secrets, ...places].map((id) => [id, '']));
  await host.writeSettings({ ...old, ...place });
  return true;
}

/** An address may hold a key: its host says enough. */
function moveQuestion({ name }: Service, address: string): YesNoQuestion {
  const where = URL.canParse(address) ? ` at ${new URL(address).host}` : '';
  return {
    title: name,
    text: `One is set up already${where}. Is the new one to take its place? Its key is then asked for.`,
    yes: 'Take the new one',
    no: 'Keep what is set up',
  };
}
