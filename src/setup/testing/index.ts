import type { ServiceId } from '../../connections/service.ts';
import { playingService, serviceById, servicesSetUp } from '../../connections/services/index.ts';
import { checksInWords, firstFailure, manyInWords } from '../../connections/words.ts';
import { type Check, readListedSources } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import { whileShowing } from '../asking/while-showing.ts';
import { testableEntry } from '../lists/indexers/testable-entry.ts';
import { type ListRow, listDialog } from '../lists/list-dialog.ts';
import { makeWork } from './make-work.ts';
import { type Testable, testableService } from './testable.ts';

/** Tests one service, or all that is set up, and helps to mend what does not work. */
export async function runTest(service: ServiceId | undefined, context: SetupContext): Promise<void> {
  if (service === undefined) await testAll(context);
  else
    await makeWork(testableService(serviceById(service), context), context, {
      leave: 'Close',
      tellsSuccess: true,
    });
}

interface Tested {
  readonly thing: Testable;
  checks: readonly Check[];
}

async function testAll(context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const things = await allTestable(context);
  if (things.length === 0) {
    const text = 'Nothing is set up yet, so there is nothing to test. Choose "Set up" first.';
    await host.questions.show({ title: 'Test connections', text }, signal);
    return;
  }
  const tested = await whileShowing('Testing', context, (progress, cancelled) =>
    Promise.all(
      things.map(async (thing): Promise<Tested> => {
        const checks = await thing.test(cancelled);
        await progress.update({ stage: `${thing.name}: ${verdictOf(checks)}` });
        return { thing, checks };
      }),
    ),
  );
  if (tested === undefined) return;
  await listDialog(
    'Connections',
    () => Promise.resolve(tested.map((each, at) => row(each, at, context))),
    context,
  );
}

/** What is set up in the settings and would be used, then the list of further sources. */
export async function allTestable(context: SetupContext): Promise<Testable[]> {
  const { host } = context;
  const settings = await storedSettings(host);
  const playing = playingService(settings);
  const services = servicesSetUp(settings).filter((each) => each.role !== 'play' || each === playing);
  const listed = await readListedSources(host.dataFolder).catch(() => []);
  const entries = await Promise.all(
    listed.flatMap(({ entry }, index) => (entry?.enabled === true ? [testableEntry(index, context)] : [])),
  );
  return [...services.map((service) => testableService(service, context)), ...entries];
}

function verdictOf(checks: readonly Check[]): string {
  const failed = firstFailure(checks);
  if (failed !== undefined) return failed.failure?.explanation.what ?? failed.what;
  const found = checks.flatMap((check) => check.found ?? []);
  return ['works', ...found, manyInWords(checks) ?? []].flat().join(', ');
}

/** One that works tells what was found; one that does not is mended here, and its row then tells the news. */
function row(tested: Tested, at: number, context: SetupContext): ListRow {
  const { thing } = tested;
  const { host, signal } = context;
  const act = async () => {
    if (firstFailure(tested.checks) === undefined) {
      const { text } = checksInWords(tested.checks);
      await host.questions.show({ title: `${thing.name} works`, text }, signal);
      return;
    }
    const onChecks = (checks: readonly Check[]) => {
      tested.checks = checks;
    };
    await makeWork(thing, context, { leave: 'Close', tellsSuccess: true, onChecks });
  };
  return { id: `${at}`, label: thing.name, detail: verdictOf(tested.checks), act };
}
