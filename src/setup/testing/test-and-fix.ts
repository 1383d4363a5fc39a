import { checksText, firstFailure, hasRemarks, worksText } from '../../connections/check-texts.ts';
import type { Check } from '../../diagnosis/check.ts';
import type { ErrorCode } from '../../errors/index.ts';
import type { SettingId } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { whileShowing } from '../asking/while-showing.ts';
import type { Testable } from './testable.ts';

/** works: all that was tried does. skipped: the person leaves it as it is. back: the person went back. */
export type FixResult = 'works' | 'skipped' | 'back';

interface FixOptions {
  /** What leaving it is called: "Skip". */
  readonly leave: string;
  /** It was never seen to work, so what does not answer is likely somewhere else; else it is likely off. */
  readonly isNew?: boolean;
  /** Whether to tell what was found when it works; what is not proven yet, or does not work, is told in any case. */
  readonly tellsSuccess?: boolean;
  /** Hears what each test has found. */
  readonly onChecks?: (checks: readonly Check[]) => void;
}

/** Tests, says what is wrong, asks for the one value that is, and tests again, until it works or the person has enough. */
export async function testAndFix(
  thing: Testable,
  context: SetupContext,
  options: FixOptions,
): Promise<FixResult> {
  let isMended = false;
  for (;;) {
    const checks = await testOnce(thing, context, options);
    if (checks === undefined) return 'back';
    options.onChecks?.(checks);
    const failed = firstFailure(checks);
    if (failed === undefined) {
      if (options.tellsSuccess === true || hasRemarks(checks)) await showSuccess(thing, checks, context);
      return 'works';
    }
    if (failed.mend?.isUnasked === true && !isMended) {
      isMended = true;
      await thing.enter(failed.mend);
      continue;
    }
    const next = await askFix(thing, failed, context, options);
    if (next !== 'again') return next;
  }
}

/** @returns undefined when the person cancels */
function testOnce(
  thing: Testable,
  context: SetupContext,
  { tellsSuccess }: FixOptions,
): Promise<readonly Check[] | undefined> {
  return whileShowing('Testing', context, async (progress, signal) => {
    await progress.update({ stage: `Testing ${thing.name}` });
    const checks = await thing.test(signal);
    // What is told in full behind it is not told twice.
    const isAll = firstFailure(checks) === undefined && !hasRemarks(checks);
    if (isAll && tellsSuccess !== true) progress.printLine?.(`${thing.name} works.`);
    return checks;
  });
}

async function showSuccess(
  { name }: Testable,
  checks: readonly Check[],
  { host, signal }: SetupContext,
): Promise<void> {
  await host.questions.show({ title: worksText(name, checks), text: checksText(checks).text }, signal);
}

/** Offers what is known to be right, or to change what is likely wrong; behind that, all others. */
async function askFix(
  thing: Testable,
  failed: Check,
  context: SetupContext,
  options: FixOptions,
): Promise<Exclude<FixResult, 'works'> | 'again'> {
  const { host, signal } = context;
  const { what, failure } = failed;
  const title = `${thing.name} does not work${options.isNew === true ? ' yet' : ''}`;
  const reason = `${failure?.explanation.what ?? what} ${failure?.explanation.next ?? ''}`.trim();
  const {
    yes,
    likely = [],
    apply: act,
  } = isLikelyOff(failed, options) ? TRY_AGAIN : await firstOffer(thing, failed);
  const names = likely.map((id) => thing.labelOf(id)).join(', or ');
  const text = names === '' ? reason : `${reason}\n\nMost likely: ${names}.`;
  for (;;) {
    const answer = await host.questions.confirm({ title, text, yes, no: 'Other choices' }, signal);
    if (answer === undefined) return 'back';
    if (answer && (await act())) return 'again';
    if (answer) continue;
    const chosen = await chooseOther(thing, context, options);
    if (chosen !== undefined) return chosen;
  }
}

/** What a service does not answer with when it is switched off, or its machine is. */
const SILENT: readonly ErrorCode[] = ['UNREACHABLE', 'TIMEOUT'];

const isLikelyOff = ({ failure, mend }: Check, { isNew }: FixOptions): boolean =>
  isNew !== true && mend === undefined && failure !== undefined && SILENT.includes(failure.code);

interface FixOffer {
  readonly yes: string;
  /** What it changes, where a person has to look. */
  readonly likely?: readonly SettingId[];
  /** @returns false when the person went back */
  readonly apply: () => Promise<boolean>;
}

const TRY_AGAIN: FixOffer = { yes: 'Try again', apply: () => Promise.resolve(true) };

async function firstOffer(thing: Testable, { setting, alsoLikely = [], mend }: Check): Promise<FixOffer> {
  if (mend !== undefined && (await thing.keepsLogin(mend)))
    return { yes: `Use ${mend.value}`, apply: () => thing.enter(mend).then(() => true) };
  if (setting === undefined) return TRY_AGAIN;
  const wrong: readonly SettingId[] = [setting, ...alsoLikely];
  // The user before the password.
  const likely = thing.values.filter((id) => wrong.includes(id));
  return {
    yes: likely.length > 1 ? 'Change them' : 'Change it',
    likely,
    apply: () => changeAll(thing, likely),
  };
}

/** Whoever keeps the last of several has changed the others. */
async function changeAll(thing: Testable, ids: readonly SettingId[]): Promise<boolean> {
  const [first, ...others] = ids;
  if (first === undefined || !(await thing.change(first))) return false;
  for (const id of others) await thing.change(id);
  return true;
}

/** @returns undefined when the person goes back */
async function chooseOther(
  thing: Testable,
  { host, signal }: SetupContext,
  { leave }: FixOptions,
): Promise<'skipped' | 'again' | undefined> {
  const values = await valueRows(thing);
  const rows = [
    { id: AGAIN, label: 'Try again' },
    ...values.map((row) => ({ ...row, label: `Change ${row.label}` })),
    ...thing.moreDialogs,
    { id: SKIP, label: leave },
  ];
  const chosen = await host.questions.choose({ title: thing.name, rows }, signal);
  if (chosen === SKIP) return 'skipped';
  if (chosen === AGAIN) return 'again';
  if (chosen === undefined) return undefined;
  const more = thing.moreDialogs.find(({ id }) => id === chosen);
  if (more === undefined) return (await thing.change(chosen as SettingId)) ? 'again' : undefined;
  await more.act();
  return 'again';
}

const AGAIN = 'again';
const SKIP = 'leave';

/** Everything that can be changed, with what stands there. */
export async function valueRows(thing: Testable) {
  return await Promise.all(
    thing.values.map(async (id) => ({ id, label: thing.labelOf(id), detail: await thing.shownValue(id) })),
  );
}
