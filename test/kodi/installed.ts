import type { Kodi } from './harness/index.ts';

/** The version of an add-on that is installed and enabled. */
export async function installed(kodi: Kodi, addonid: string): Promise<string | undefined> {
  const question = kodi.rpc('Addons.GetAddonDetails', { addonid, properties: ['version', 'enabled'] });
  const answer = (await question.catch(() => undefined)) as
    | { addon: { version: string; enabled: boolean } }
    | undefined;
  return answer?.addon.enabled === true ? answer.addon.version : undefined;
}

export const isInstalled = (kodi: Kodi, id: string) =>
  kodi.until(`${id} is installed`, () => installed(kodi, id), 60_000);
