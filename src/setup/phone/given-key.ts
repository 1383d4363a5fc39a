import type { Service } from '../../connections/service.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { EnteredSettings } from './entered-settings.ts';
import { assertSecretsStay } from './secrets-stay.ts';
import { type OnPage, settingsOnPage } from './services.ts';

/** Whether a service gives its key at the address on the page, where there is none yet. Rejects only on abort. */
export async function isKeyGiven(
  service: Service | undefined,
  page: OnPage,
  signal: AbortSignal,
): Promise<boolean> {
  return (await givenKey(service, page, signal)) !== undefined;
}

/**
 * What is to be stored when the person has agreed to it: the key, and what the page has of the service that gives it. The
 * key itself stays here.
 *
 * @throws SlipstreamError where it is given no more; Refusal
 */
export async function keyTaken(
  service: Service | undefined,
  page: OnPage,
  signal: AbortSignal,
): Promise<EnteredSettings> {
  assertSecretsStay(page.stored, page.entered);
  const key = await givenKey(service, page, signal);
  if (service?.givenKey === undefined || key === undefined) throw notGiven();
  const own = service.fields.map(({ setting }) => [setting, page.entered[setting]] as const);
  const entered = Object.fromEntries(own.filter(([, value]) => value !== undefined));
  return { ...entered, [service.givenKey.setting]: key };
}

async function givenKey(
  service: Service | undefined,
  page: OnPage,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (service?.givenKey === undefined) return undefined;
  const { setting, look } = service.givenKey;
  const settings = settingsOnPage(service, page);
  return settings[setting] === '' ? await look(settings, signal) : undefined;
}

const notGiven = () =>
  new SlipstreamError('BAD_ANSWER', {
    what: 'The key is not given any more.',
    next: 'Copy it from the pages of the service.',
  });
