import { type Check } from '../diagnosis/check.ts';
import type { ErrorCode, SlipstreamError } from '../errors/index.ts';
import { deadlineSignal } from '../io/wait.ts';
import { readSourceList, type Settings, type SourceEntry } from '../settings/index.ts';
import { firstFailure } from './check-texts.ts';
import type { TestContext } from './service.ts';
import { playingService, servicesSetUp, testEntry } from './services/index.ts';

/** What a service may have failed with that a test of its connection can explain. */
const EXPLAINABLE_CODES: ReadonlySet<ErrorCode> = new Set([
  'UNREACHABLE',
  'TIMEOUT',
  'AUTH_FAILED',
  'BAD_ANSWER',
  'SERVICE_ERROR',
  'TOO_LARGE',
  'INVALID_REQUEST',
]);

/** Milliseconds that somebody waits for an explanation who has seen the failure already. */
const EXPLAIN_TIMEOUT_MS = 8_000;

interface DiagnosisContext extends TestContext {
  /** What has failed, where that is known: the search or the play. */
  readonly failed?: 'search' | 'play';
}

/**
 * Why a play has failed, in terms of what is set up: tests the services that it needs, side by side, and gives the first
 * check that failed, of the same kind as the play's failure if there is one. undefined: they all work, do not say so in
 * time, or the failure is of another kind. @throws the signal's reason when it aborts
 */
export async function diagnose(
  settings: Settings,
  failure: SlipstreamError,
  { failed, ...context }: DiagnosisContext,
): Promise<Check | undefined> {
  context.signal.throwIfAborted();
  if (!EXPLAINABLE_CODES.has(failure.code)) return undefined;
  const limit = deadlineSignal(context.signal, EXPLAIN_TIMEOUT_MS, () => new Error('no diagnosis in time'));
  try {
    const tests = await testsFor(settings, failed, { ...context, signal: limit.signal });
    // One that does not say in time what is wrong with it is no diagnosis.
    const checks = await Promise.all(tests.map((test) => test().then(firstFailure, () => undefined)));
    context.signal.throwIfAborted();
    const wrong = checks.filter((check) => check !== undefined);
    return wrong.find((check) => check.failure?.code === failure.code) ?? wrong[0];
  } finally {
    limit.done();
  }
}

type Test = () => Promise<readonly Check[]>;

async function testsFor(
  settings: Settings,
  failed: DiagnosisContext['failed'],
  context: TestContext,
): Promise<readonly Test[]> {
  const playing = playingService(settings);
  const services = [
    ...(failed !== 'search' && playing !== undefined ? [playing] : []),
    ...(failed !== 'play' ? servicesSetUp(settings).filter(({ role }) => role === 'search') : []),
  ];
  const listed = failed === 'play' ? [] : (await readSourceList(context.folder, context.log)).entries;
  return [
    ...services.map(
      (service): Test =>
        () =>
          service.test(settings, context),
    ),
    ...listed
      .filter(({ enabled }) => enabled)
      .map(
        (entry): Test =>
          () =>
            testListed(entry, settings, context),
      ),
  ];
}

/** No setting is wrong where what is wrong stands in the list. */
const testListed = async (
  entry: SourceEntry,
  settings: Settings,
  context: TestContext,
): Promise<readonly Check[]> =>
  (await testEntry(entry, settings, context)).map(({ setting: _, mend: __, ...check }) => check);
