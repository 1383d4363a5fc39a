import { diagnose } from '../../connections/diagnose.ts';
import { servicesSetUp } from '../../connections/services/index.ts';
import { type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import type { Check } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import { whileShowing } from '../asking/while-showing.ts';
import { makeWork } from '../testing/make-work.ts';
import { testableService } from '../testing/testable.ts';
import { type KeptFailure, openFailures } from './last-failures.ts';

/** As showLastFailure, when something has failed since then (milliseconds since 1970); a cancelled play has not. */
export async function showFailureSince(time: number, context: SetupContext): Promise<void> {
  const [failure] = (await openFailures(context.host.dataFolder).read()) ?? [];
  if (failure !== undefined && failure.time >= time) await showFailure(failure, context);
}

/** What failed last, in full; where a connection is to blame, with what is wrong there now, and the offer to mend it. */
export async function showLastFailure(context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const [failure] = (await openFailures(host.dataFolder).read()) ?? [];
  if (failure === undefined) {
    const text = 'No play has failed so far, or what failed is no longer known.';
    await host.questions.show({ title: 'Nothing has failed', text }, signal);
    return;
  }
  await showFailure(failure, context);
}

async function showFailure(failure: KeptFailure, context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const wrong = await whileShowing('Looking into it', context, async (progress, cancelled) => {
    await progress.update({ stage: 'Testing the connections' });
    return await diagnosed(failure, context, cancelled);
  });
  await host.questions.show({ title: 'What failed last', text: failureText(failure, wrong) }, signal);
  if (wrong !== undefined) await mend(wrong, context);
}

async function diagnosed(
  { code, what, next }: KeptFailure,
  { host, log }: SetupContext,
  signal: AbortSignal,
): Promise<Check | undefined> {
  const test = { files: host.files, folder: host.dataFolder, log, signal };
  // A code that another version has kept is one that no test explains.
  const failure = new SlipstreamError(code as ErrorCode, { what, next });
  return await diagnose(await storedSettings(host), failure, test);
}

/** The service that the check is of tells it again, and asks for the value. */
async function mend({ setting }: Check, context: SetupContext): Promise<void> {
  const services = servicesSetUp(await storedSettings(context.host));
  const service = services.find(({ fields }) => fields.some((field) => field.setting === setting));
  if (service === undefined) return;
  await makeWork(testableService(service, context), context, { leave: 'Close', tellsSuccess: true });
}

/** In words for the person, then for whoever helps them. */
export function failureText(failure: KeptFailure, wrong?: Check): string {
  const { title, time, what, next, causes, lines } = failure;
  const now = wrong?.failure?.explanation;
  return [
    [title, new Date(time).toLocaleString()].filter(Boolean).join(', '),
    `${what}\n${next}`.trim(),
    ...(now === undefined ? [] : [`Right now: ${now.what}\n${now.next}`]),
    `Details\n${causes.join('\n')}`,
    ...(lines.length === 0 ? [] : [`What led to it\n${lines.join('\n')}`]),
  ].join('\n\n');
}
