import type { Service, ServiceField } from '../../connections/service.ts';
import { serviceById } from '../../connections/services/index.ts';
import type { SettingId } from '../../settings/index.ts';
import { askValue } from '../asking/ask-value.ts';
import { isSecret, settingRow, storedSettings } from '../asking/stored-settings.ts';
import { valueRows } from '../testing/test-and-fix.ts';
import { testableService } from '../testing/testable-service.ts';
import { addressOffer } from './scan-network.ts';
import { addressField } from './service-address.ts';
import type { SetupRun, Side, Step, StepOutcome } from './step.ts';

const LABELS: Readonly<Record<Side, string>> = {
  search: 'Where it is, and its key',
  play: 'Where what plays is, and its key',
};

/** What the chosen service needs: asked one after the other, and all together for who has come back to change it. */
export const enterValues = (side: Side): Step => ({
  id: `${side}-values`,
  label: LABELS[side],
  isNeeded: (run) => Promise.resolve(chosenService(side, run) !== undefined),
  run: async (run, cameBack) => {
    const service = chosenService(side, run);
    if (service === undefined) return 'next';
    return cameBack ? await changeAny(service, run) : await askMissing(service, run);
  },
});

/** Undefined where nothing of that side is needed. */
export function chosenService(side: Side, { chosen }: SetupRun): Service | undefined {
  const id = chosen[side];
  return id === undefined || id === 'none' ? undefined : serviceById(id);
}

/** Back leads to the value before. A password is asked for also where some do without: most have one. */
async function askMissing(service: Service, run: SetupRun): Promise<StepOutcome> {
  const fields = await fieldsToAsk(service, run);
  for (let at = 0; at < fields.length; ) {
    const field = fields[at];
    const isEntered = field !== undefined && (await askUntilEntered(service, field, run));
    at += isEntered ? 1 : -1;
    if (at < 0) return 'back';
  }
  return 'next';
}

/** What is empty and has no default; who has finished without a password needs none. */
async function fieldsToAsk({ fields }: Service, run: SetupRun): Promise<readonly ServiceField[]> {
  const { host } = run.context;
  const settings = await storedSettings(host);
  const empty = fields.filter(
    ({ setting, isNotAsked: isUnasked }) =>
      settings[setting] === '' && settingRow(setting).default === '' && isUnasked !== true,
  );
  const needed = empty.filter(({ isOptional }) => isOptional !== true);
  const isDoneWithout = run.wasFinished && needed.length === 0;
  const passwords = isDoneWithout ? [] : empty.filter(({ setting }) => isSecret(settingRow(setting)));
  const missing = [...needed, ...passwords];
  if (missing.length === 0) return [];
  const isAlsoAsked = ({ isAskedInShell }: ServiceField) =>
    isAskedInShell === true && host.shell !== undefined;
  return fields.filter((field) => missing.includes(field) || isAlsoAsked(field));
}

/** An empty value of what is needed is none. */
async function askUntilEntered(
  service: Service,
  { setting, isOptional }: ServiceField,
  run: SetupRun,
): Promise<boolean> {
  const { context } = run;
  const offer = setting === addressField(service) ? addressOffer(service, run) : {};
  for (;;) {
    if (!(await askValue(service, setting, context, offer))) return false;
    if (isOptional === true || (await storedSettings(context.host))[setting] !== '') return true;
  }
}

const GO_ON = 'go-on';

async function changeAny(service: Service, { context }: SetupRun): Promise<StepOutcome> {
  const { host, signal } = context;
  const thing = testableService(service, context);
  for (;;) {
    const rows = [{ id: GO_ON, label: 'Go on' }, ...(await valueRows(thing))];
    const chosen = await host.questions.choose({ title: service.name, rows }, signal);
    if (chosen === undefined) return 'back';
    if (chosen === GO_ON) return 'next';
    await thing.change(chosen as SettingId);
  }
}
