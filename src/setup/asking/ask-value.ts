import type { Service } from '../../connections/service.ts';
import type { SettingId } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { askSetting, type TextOffer } from './ask-setting.ts';
import { storedSettings } from './stored-settings.ts';

/**
 * Asks for a value of a service, as askSetting does. A key that is missing, and that the service itself gives to whoever
 * asks, need not be typed where the person agrees.
 */
export async function askValue(
  service: Service,
  id: SettingId,
  context: SetupContext,
  offer: TextOffer = {},
): Promise<boolean> {
  const { host, signal } = context;
  const key = await askOfferedKey(service, id, context);
  if (key === undefined) return await askSetting(id, context, offer);
  const question = {
    title: service.name,
    text: `${service.name} gives its API key without a login. Use it?`,
    yes: 'Use it',
    no: 'Enter a key',
  };
  const isWanted = await host.questions.confirm(question, signal);
  if (isWanted === false) return await askSetting(id, context);
  if (isWanted === true) await host.writeSettings({ [id]: key });
  return isWanted === true;
}

async function askOfferedKey(
  { offeredKey: givenKey }: Service,
  id: SettingId,
  { host, signal }: SetupContext,
): Promise<string | undefined> {
  if (givenKey?.setting !== id) return undefined;
  const settings = await storedSettings(host);
  return settings[id] === '' ? await givenKey.fetch(settings, signal) : undefined;
}
