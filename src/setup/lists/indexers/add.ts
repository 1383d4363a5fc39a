import { SERVICES } from '../../../connections/services/index.ts';
import {
  editListedSources,
  listedSource,
  readListedSources,
  type SourceEntry,
} from '../../../settings/index.ts';
import type { SetupContext } from '../../action.ts';
import { makeWork } from '../../testing/make-work.ts';
import { askPreset } from './presets.ts';
import { askField, fieldsOf, testableEntry } from './testable-entry.ts';

const KINDS: readonly string[] = ['newznab', 'hydra', 'prowlarr', 'stremio'] satisfies SourceEntry['kind'][];

/** Asks for a source, puts it at the end of the list, and tests it. */
export async function addSource(context: SetupContext): Promise<void> {
  const entry = await askSource(context);
  if (entry === undefined) return;
  const folder = context.host.dataFolder;
  await editListedSources(folder, (sources) => [...sources, listedSource(entry)]);
  const last = (await readListedSources(folder)).length - 1;
  await makeWork(await testableEntry(last, context), context, {
    leave: 'Keep it as it is',
    tellsSuccess: true,
  });
}

/** Undefined when the person goes back. */
async function askSource(context: SetupContext): Promise<SourceEntry | undefined> {
  const { host, signal } = context;
  const services = SERVICES.filter(({ id }) => KINDS.includes(id));
  const rows = services.map(({ id, name, help }) => ({ id, label: name, detail: help }));
  const kind = await host.questions.choose({ title: 'What is to be searched?', rows }, signal);
  const service = services.find(({ id }) => id === kind);
  if (service === undefined) return undefined;
  const preset = kind === 'newznab' ? await askPreset(context) : 'other';
  if (preset === undefined) return undefined;
  const known = preset === 'other' ? { name: service.name, url: '' } : preset;
  const entry = { kind: service.id as SourceEntry['kind'], apiKey: '', enabled: true, ...known };
  return await askFields(entry, preset === 'other', context);
}

/** A preset needs no more than its key. Back leads to the field before; before the first one, out. */
async function askFields(
  given: SourceEntry,
  isOther: boolean,
  context: SetupContext,
): Promise<SourceEntry | undefined> {
  const fields = fieldsOf(given).filter((each) => isOther || each === 'apiKey');
  let entry = given;
  for (let at = 0; at < fields.length; ) {
    const field = fields[at];
    if (field === undefined) return undefined;
    const value = await askField(field, entry, context);
    entry = { ...entry, [field]: value || entry[field] };
    // A source without an address is none; a key may be in the address.
    if (value === undefined) at--;
    else if (field !== 'url' || entry.url !== '') at++;
  }
  return entry;
}
