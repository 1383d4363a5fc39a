import type { OfferedKey, Service, TestContext } from '../../connections/service.ts';
import { CancelledError } from '../../errors/index.ts';
import { deadlineSignal } from '../../io/wait.ts';
import { parseSettings, type Settings } from '../../settings/index.ts';
import { assertSecretScope } from '../secret-scope.ts';
import type { EnteredSettings } from './entered-settings.ts';
import { foreignRefusal, PhoneRefusal } from './refusal.ts';
import { type ShownCheck, shownChecks } from './shown-checks.ts';
import { shownValues } from './shown-settings.ts';

/** A service as the page gets it. */
export interface ShownService extends Pick<Service, 'id' | 'name' | 'help' | 'role' | 'fields' | 'chosenBy'> {
  readonly isSetUp: boolean;
  /** It may give a key, which belongs into this setting. */
  readonly givenKey?: Pick<OfferedKey, 'setting'>;
}

/** What the settings are with what stands on the page, saved or not. */
export interface PageValues {
  readonly stored: Settings;
  readonly entered: EnteredSettings;
}

export function shownService(service: Service, settings: Settings): ShownService {
  const { id, name, help, role, fields, chosenBy, offeredKey: givenKey } = service;
  const gives = givenKey && { givenKey: { setting: givenKey.setting } };
  return { id, name, help, role, fields, chosenBy, isSetUp: service.isSetUp(settings), ...gives };
}

/** Milliseconds: a person waits for it with the phone in the hand. */
const TEST_TIMEOUT_MS = 60_000;

/**
 * Tests a service with what stands on the page, saved or not.
 *
 * @throws Refusal; the signal's reason when it aborts
 */
export async function testService(
  service: Service | undefined,
  page: PageValues,
  context: TestContext,
): Promise<readonly ShownCheck[]> {
  if (service === undefined) throw foreignRefusal(400, 'That service is not on this page.');
  assertSecretScope(page.stored, page.entered);
  const settings = settingsOnPage(service, page);
  const checks = await withTimeout(
    (signal) => service.test(settings, { ...context, signal }),
    context.signal,
  );
  return shownChecks(checks, { entered: (id) => String(settings[id]), shown: shownValues(settings) });
}

/** As they would be with that service chosen. */
export function settingsOnPage({ chosenBy }: Service, { stored, entered }: PageValues): Settings {
  const asText = Object.entries({ ...stored, ...chosenBy }).map(([id, value]) => [id, String(value)]);
  return parseSettings({ ...(Object.fromEntries(asText) as Record<string, string>), ...entered });
}

/** Gives a test its time. */
export async function withTimeout<T>(
  run: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const limit = deadlineSignal(signal, TEST_TIMEOUT_MS, () => timeoutRefusal());
  try {
    return await run(limit.signal);
  } catch (error) {
    if (limit.signal.aborted && !(limit.signal.reason instanceof CancelledError)) throw limit.signal.reason;
    throw error;
  } finally {
    limit.done();
  }
}

const timeoutRefusal = () =>
  new PhoneRefusal(504, 'TIMEOUT', {
    what: 'The test took longer than a minute.',
    next: 'Check that the service is running and not overloaded, then test again.',
  });
