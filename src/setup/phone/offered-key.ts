import type { Service } from '../../connections/service.ts';
import { SlipstreamError } from '../../errors/index.ts';
import { assertSecretScope } from '../secret-scope.ts';
import type { EnteredSettings } from './entered-settings.ts';
import { type PageValues, settingsOnPage } from './services.ts';

/** Whether a service gives its key at the address on the page, where there is none yet. Rejects only on abort. */
export async function isKeyOffered(
  service: Service | undefined,
  page: PageValues,
  signal: AbortSignal,
): Promise<boolean> {
  return (await fetchOfferedKey(service, page, signal)) !== undefined;
}

/**
 * What is to be stored when the person has agreed to it: the key, and what the page has of the service that gives it. The
 * key itself stays here.
 *
 * @throws SlipstreamError where it is given no more; Refusal
 */
export async function takeOfferedKey(
  service: Service | undefined,
  page: PageValues,
  signal: AbortSignal,
): Promise<EnteredSettings> {
  assertSecretScope(page.stored, page.entered);
  const key = await fetchOfferedKey(service, page, signal);
  if (service?.offeredKey === undefined || key === undefined) throw keyNotOfferedError();
  const own = service.fields.map(({ setting }) => [setting, page.entered[setting]] as const);
  const entered = Object.fromEntries(own.filter(([, value]) => value !== undefined));
  return { ...entered, [service.offeredKey.setting]: key };
}

async function fetchOfferedKey(
  service: Service | undefined,
  page: PageValues,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (service?.offeredKey === undefined) return undefined;
  const { setting, fetch: look } = service.offeredKey;
  const settings = settingsOnPage(service, page);
  return settings[setting] === '' ? await look(settings, signal) : undefined;
}

const keyNotOfferedError = () =>
  new SlipstreamError('BAD_ANSWER', {
    what: 'The key is not given any more.',
    next: 'Copy it from the pages of the service.',
  });
