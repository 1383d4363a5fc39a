import { diagnose } from '../../connections/diagnose.ts';
import type { Service } from '../../connections/service.ts';
import { servicesSetUp } from '../../connections/services/index.ts';
import type { Check } from '../../diagnosis/check.ts';
import { type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import { openFailures, type StoredFailure } from '../../library/index.ts';
import type { SetupContext } from '../action.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import { whileShowing } from '../asking/while-showing.ts';
import { testAndFix } from '../testing/test-and-fix.ts';
import { testableService } from '../testing/testable-service.ts';

/**
 * Says in a sentence what has failed since then (milliseconds since 1970), and all of it, as showLastFailure, to who wants
 * to know; a cancelled play has not failed.
 */
export async function showFailureSince(time: number, context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const [failure] = (await openFailures(host.dataFolder).read()) ?? [];
  if (failure === undefined || failure.time < time) return;
  const { title, what, next } = failure;
  const text = `${what} ${next}`.trim();
  const question = { title: `${title} did not play`, text, yes: 'Go on', no: 'Details' };
  if ((await host.questions.confirm(question, signal)) === false) await showFailure(failure, context);
}

/** What failed last, in full; where a connection is to blame, the offer to mend it comes first. */
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

async function showFailure(failure: StoredFailure, context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const wrong = await whileShowing('Looking into it', context, async (progress, cancelled) => {
    await progress.update({ stage: 'Testing the connections' });
    return await diagnoseFailure(failure, context, cancelled);
  });
  const title = 'What failed last';
  const service = wrong && (await serviceOf(wrong, context));
  if (service === undefined) {
    await host.questions.show({ title, text: failureText(failure, wrong) }, signal);
    return;
  }
  const rows = [
    { id: 'mend', label: `Mend ${service.name}`, detail: wrong?.failure?.explanation.what ?? failure.what },
    { id: 'read', label: 'Read all of it', detail: failure.what },
    { id: 'close', label: 'Close' },
  ];
  const chosen = await host.questions.choose({ title, rows }, signal);
  if (chosen === 'read') await host.questions.show({ title, text: failureText(failure, wrong) }, signal);
  if (chosen === 'mend')
    await testAndFix(testableService(service, context), context, { leave: 'Close', tellsSuccess: true });
}

async function diagnoseFailure(
  { code, what, next }: StoredFailure,
  { host, log }: SetupContext,
  signal: AbortSignal,
): Promise<Check | undefined> {
  const test = { files: host.files, folder: host.dataFolder, log, signal };
  // A code that another version has kept is one that no test explains.
  const failure = new SlipstreamError(code as ErrorCode, { what, next });
  return await diagnose(await storedSettings(host), failure, test);
}

/** The service that a check is of. */
async function serviceOf({ setting }: Check, { host }: SetupContext): Promise<Service | undefined> {
  const services = servicesSetUp(await storedSettings(host));
  return services.find(({ fields }) => fields.some((field) => field.setting === setting));
}

/** In words for the person, then for whoever helps them. */
export function failureText(failure: StoredFailure, wrong?: Check): string {
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
