import {
  checksText,
  countText,
  failedNote,
  firstFailure,
  isUnproven,
  worksText,
} from '../../connections/check-texts.ts';
import type { Service, ServiceId } from '../../connections/service.ts';
import { playingService, servicesSetUp } from '../../connections/services/index.ts';
import { type Check } from '../../diagnosis/check.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { ChoiceRow } from '../../host/port.ts';
import { deadlineSignal } from '../../io/wait.ts';
import { readListedSources, type SourceEntry } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import { whileShowing } from '../asking/while-showing.ts';
import { testableEntry } from '../lists/indexers/testable-entry.ts';
import { testAndFix } from './test-and-fix.ts';
import { type Testable } from './testable.ts';
import { testableService } from './testable-service.ts';

/** Something that is set up, and what its last test has found. */
export interface TestedService {
  readonly thing: Testable;
  checks: readonly Check[];
}

/**
 * Tests all that is set up, side by side.
 *
 * @param patience Milliseconds for each; what takes longer has failed. Absent: as long as each takes.
 * @returns undefined when the person cancels
 */
export async function testAll(
  context: SetupContext,
  patience?: number,
): Promise<readonly TestedService[] | undefined> {
  const things = await allTestable(context);
  return await whileShowing('Testing', context, (progress, cancelled) =>
    Promise.all(
      things.map(async (thing): Promise<TestedService> => {
        const checks =
          patience === undefined
            ? await thing.test(cancelled)
            : await withTimeout(thing, cancelled, patience);
        await progress.update({ stage: `${thing.name}: ${resultText(checks)}` });
        return { thing, checks };
      }),
    ),
  );
}

async function withTimeout(
  thing: Testable,
  signal: AbortSignal,
  patience: number,
): Promise<readonly Check[]> {
  const tooLong = timeoutError(thing, patience);
  const limit = deadlineSignal(signal, patience, () => tooLong);
  try {
    return await thing.test(limit.signal);
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    return [{ what: thing.name, failure: tooLong }];
  } finally {
    limit.done();
  }
}

const timeoutError = ({ name }: Testable, patience: number) =>
  new SlipstreamError('TIMEOUT', {
    what: `The test of ${name} takes longer than ${patience / 1000} seconds.`,
    next: 'Check that it is running, and what it is busy with.',
  });

/** What is set up in the settings and would be used, then the list of further sources. */
export async function allTestable(context: SetupContext): Promise<Testable[]> {
  const settings = await storedSettings(context.host);
  const playing = playingService(settings);
  const services = servicesSetUp(settings).filter((each) => each.role !== 'play' || each === playing);
  return [
    ...services.map((service) => testableService(service, context)),
    ...(await testableEntries(() => true, context)),
  ];
}

/** Of these services those that are set up, in the settings or in the list; of none the first, which says what is missing. */
export async function testableOf(services: readonly Service[], context: SetupContext): Promise<Testable[]> {
  const settings = await storedSettings(context.host);
  const isOne = (kind: ServiceId) => services.some(({ id }) => id === kind);
  const entries = await testableEntries(({ kind }) => isOne(kind), context);
  const setUp = services.filter((service) => service.isSetUp(settings));
  const meant = setUp.length + entries.length > 0 ? setUp : services.slice(0, 1);
  return [...meant.map((service) => testableService(service, context)), ...entries];
}

/** Those of the list that are switched on. */
async function testableEntries(
  isMeant: (entry: SourceEntry) => boolean,
  context: SetupContext,
): Promise<Testable[]> {
  const listed = await readListedSources(context.host.dataFolder).catch(() => []);
  return await Promise.all(
    listed.flatMap(({ entry }, index) =>
      entry?.enabled === true && isMeant(entry) ? [testableEntry(index, context)] : [],
    ),
  );
}

/** Its name and what its test has come to; the id is its place among all. */
export const testedRow = (tested: TestedService, all: readonly TestedService[]): ChoiceRow => ({
  id: `${all.indexOf(tested)}`,
  label: tested.thing.name,
  detail: resultText(tested.checks),
});

function resultText(checks: readonly Check[]): string {
  const failed = firstFailure(checks);
  if (failed !== undefined) return failed.failure?.explanation.what ?? failed.what;
  const found = checks.flatMap((check) => check.found ?? []);
  const unproven = checks.find(isUnproven)?.unproven;
  if (unproven !== undefined) return `not proven yet: ${unproven}`;
  const works = ['works', ...found, countText(checks) ?? []].flat().join(', ');
  const note = failedNote(checks)?.failure;
  return note === undefined ? works : `${works}, but: ${note.explanation.what}`;
}

/** One that works tells what was found; one that does not is mended, and its row then tells the news. */
export async function fixTested(
  tested: TestedService,
  context: SetupContext,
  options: { readonly leave: string; readonly isNew?: boolean },
): Promise<void> {
  const { thing } = tested;
  const { host, signal } = context;
  if (firstFailure(tested.checks) === undefined) {
    const { text } = checksText(tested.checks);
    await host.questions.show({ title: worksText(thing.name, tested.checks), text }, signal);
    return;
  }
  const onChecks = (checks: readonly Check[]) => {
    tested.checks = checks;
  };
  await testAndFix(thing, context, { ...options, tellsSuccess: true, onChecks });
}
