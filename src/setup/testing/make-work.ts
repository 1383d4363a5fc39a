import { checksInWords, firstFailure } from '../../connections/words.ts';
import type { Check, SettingId } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { whileShowing } from '../asking/while-showing.ts';
import type { Testable } from './testable.ts';

/** works: all that was tried does. skipped: the person leaves it as it is. back: the person went back. */
export type Verdict = 'works' | 'skipped' | 'back';

interface Options {
  /** What leaving it is called: "Skip". */
  readonly leave: string;
  /** Whether to tell what was found when it works. */
  readonly tellsSuccess?: boolean;
  /** Hears what each test has found. */
  readonly onChecks?: (checks: readonly Check[]) => void;
}

/** Tests, says what is wrong, asks for the one value that is, and tests again, until it works or the person has enough. */
export async function makeWork(thing: Testable, context: SetupContext, options: Options): Promise<Verdict> {
  for (;;) {
    const checks = await testOnce(thing, context);
    if (checks === undefined) return 'back';
    options.onChecks?.(checks);
    const failed = firstFailure(checks);
    if (failed === undefined) {
      if (options.tellsSuccess === true) await tellSuccess(thing, checks, context);
      return 'works';
    }
    const next = await askWhatNow(thing, failed, context, options);
    if (next !== 'again') return next;
  }
}

/** @returns undefined when the person cancels */
function testOnce(thing: Testable, context: SetupContext): Promise<readonly Check[] | undefined> {
  return whileShowing('Testing', context, async (progress, signal) => {
    await progress.update({ stage: `Testing ${thing.name}` });
    return await thing.test(signal);
  });
}

async function tellSuccess(
  { name }: Testable,
  checks: readonly Check[],
  { host, signal }: SetupContext,
): Promise<void> {
  await host.questions.show({ title: `${name} works`, text: checksInWords(checks).text }, signal);
}

/** Offers to change the one value that is likely wrong; behind that, all others. */
async function askWhatNow(
  thing: Testable,
  { what, failure, setting }: Check,
  context: SetupContext,
  options: Options,
): Promise<Exclude<Verdict, 'works'> | 'again'> {
  const { host, signal } = context;
  const title = `${thing.name} does not work yet`;
  const reason = `${failure?.explanation.what ?? what} ${failure?.explanation.next ?? ''}`.trim();
  for (;;) {
    const text = setting === undefined ? reason : `${reason}\n\nMost likely: ${thing.labelOf(setting)}.`;
    const yes = setting === undefined ? 'Try again' : 'Change it';
    const answer = await host.questions.confirm({ title, text, yes, no: 'More …' }, signal);
    if (answer === undefined) return 'back';
    if (answer && (setting === undefined || (await thing.change(setting)))) return 'again';
    if (answer) continue;
    const chosen = await chooseOther(thing, context, options);
    if (chosen !== undefined) return chosen;
  }
}

/** @returns undefined when the person goes back */
async function chooseOther(
  thing: Testable,
  { host, signal }: SetupContext,
  { leave }: Options,
): Promise<'skipped' | 'again' | undefined> {
  const values = await valueRows(thing);
  const rows = [
    { id: AGAIN, label: 'Try again' },
    ...values.map((row) => ({ ...row, label: `Change ${row.label}` })),
    { id: LEAVE, label: leave },
  ];
  const chosen = await host.questions.choose({ title: thing.name, rows }, signal);
  if (chosen === LEAVE) return 'skipped';
  if (chosen === AGAIN) return 'again';
  const isChanged = chosen !== undefined && (await thing.change(chosen as SettingId));
  return isChanged ? 'again' : undefined;
}

const AGAIN = 'again';
const LEAVE = 'leave';

/** Everything that can be changed, with what stands there. */
export async function valueRows(thing: Testable) {
  return await Promise.all(
    thing.values.map(async (id) => ({ id, label: thing.labelOf(id), detail: await thing.shown(id) })),
  );
}
