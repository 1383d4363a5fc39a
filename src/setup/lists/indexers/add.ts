import type { Service } from '../../../connections/service.ts';
import { SERVICES } from '../../../connections/services/index.ts';
import {
  editListedSources,
  listedSource,
  readListedSources,
  type SourceEntry,
} from '../../../settings/index.ts';
import type { SetupContext } from '../../action.ts';
import { askValue } from '../../asking/ask-value.ts';
import { storedSettings } from '../../asking/stored-settings.ts';
import { testAndFix } from '../../testing/test-and-fix.ts';
import { testableService } from '../../testing/testable-service.ts';
import { askPreset, hostOf } from './presets.ts';
import { askField, fieldsOf, testableEntry } from './testable-entry.ts';

const KINDS: readonly string[] = ['newznab', 'hydra', 'prowlarr', 'stremio'] satisfies SourceEntry['kind'][];

/**
 * Asks for a source, puts it at the end of the list, and tests it.
 *
 * @param extras What is no source and can be added as well.
 */
export async function addService(extras: readonly Service[], context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const services = [...SERVICES.filter(({ id }) => KINDS.includes(id)), ...extras];
  const rows = services.map(({ id, name, help }) => ({ id, label: name, detail: help }));
  const title = extras.length === 0 ? 'What is to be searched?' : 'What is to be added?';
  const chosen = await host.questions.choose({ title, rows }, signal);
  const service = services.find(({ id }) => id === chosen);
  if (service === undefined) return;
  if (extras.includes(service)) await addExtra(service, context);
  else await addSource(service, context);
}

async function addSource(service: Service, context: SetupContext): Promise<void> {
  const entry = await askSource(service, context);
  if (entry === undefined) return;
  const folder = context.host.dataFolder;
  await editListedSources(folder, (sources) => [...sources, listedSource(entry)]);
  const last = (await readListedSources(folder)).length - 1;
  await testAndFix(await testableEntry(last, context), context, ADDED);
}

/** Back, and nothing entered, lead to the list. */
async function addExtra(service: Service, context: SetupContext): Promise<void> {
  for (const { setting } of service.fields) {
    if (!(await askValue(service, setting, context))) return;
  }
  if (!service.isSetUp(await storedSettings(context.host))) return;
  await testAndFix(testableService(service, context), context, ADDED);
}

const ADDED = { leave: 'Keep it as it is', isNew: true, tellsSuccess: true } as const;

/** Undefined when the person goes back. */
async function askSource({ id, name }: Service, context: SetupContext): Promise<SourceEntry | undefined> {
  const isIndexer = id === 'newznab';
  const preset = isIndexer ? await askPreset(context) : 'other';
  if (preset === undefined) return undefined;
  const known = preset === 'other' ? { name: isIndexer ? '' : name, url: '' } : preset;
  return await askFields({ kind: id as SourceEntry['kind'], apiKey: '', enabled: true, ...known }, context);
}

/**
 * Asks for what is missing; it has a name by then, which may be changed later. Back leads to the field before; before the
 * first one, out.
 */
async function askFields(given: SourceEntry, context: SetupContext): Promise<SourceEntry | undefined> {
  const fields = fieldsOf(given).filter((each) => each !== 'name' && given[each] === '');
  let entry = given;
  for (let at = 0; at < fields.length; ) {
    const field = fields[at];
    if (field === undefined) return undefined;
    const value = await askField(field, named(entry), context);
    entry = { ...entry, [field]: value || entry[field] };
    // A source without an address is none; a key may be in the address.
    if (value === undefined) at--;
    else if (field !== 'url' || entry.url !== '') at++;
  }
  return named(entry);
}

const named = (entry: SourceEntry): SourceEntry => ({ ...entry, name: entry.name || hostOf(entry.url) });
