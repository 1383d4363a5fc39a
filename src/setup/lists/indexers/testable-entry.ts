import { serviceById, testEntry } from '../../../connections/services/index.ts';
import { registerSecret } from '../../../log/index.ts';
import {
  editListedSources,
  listedSource,
  readListedSources,
  type SettingId,
  type SourceEntry,
} from '../../../settings/index.ts';
import type { SetupContext } from '../../action.ts';
import { withScheme } from '../../asking/address.ts';
import { initialText } from '../../asking/ask-setting.ts';
import { storedSettings } from '../../asking/stored-settings.ts';
import { type Testable } from '../../testing/testable.ts';
import { keepsLogin } from '../../testing/testable-service.ts';

export type Field = 'name' | 'url' | 'apiKey';

const LABELS: Readonly<Record<Field, string>> = { name: 'Name', url: 'Address', apiKey: 'API key' };

/** What its kind is asked for. A Stremio add-on's key stands in its address. */
export const fieldsOf = ({ kind }: Pick<SourceEntry, 'kind'>): readonly Field[] =>
  kind === 'stremio' ? ['name', 'url'] : ['name', 'url', 'apiKey'];

export const labelOf = (field: Field): string => LABELS[field];

/** A field as others may see it. */
export function shownField(field: Field, entry: SourceEntry): string {
  if (entry[field] === '') return 'empty';
  return isHidden(field, entry) ? 'entered' : entry[field];
}

/** An add-on's address holds its key. */
const isHidden = (field: Field, { kind }: Pick<SourceEntry, 'kind'>) =>
  field === 'apiKey' || (field === 'url' && kind === 'stremio');

/** Asks for one field. @returns undefined when the person goes back */
export async function askField(
  field: Field,
  entry: Omit<SourceEntry, 'enabled'>,
  { host, signal }: SetupContext,
): Promise<string | undefined> {
  const hidden = isHidden(field, entry);
  const title = entry.name === '' ? LABELS[field] : `${LABELS[field]} of ${entry.name}`;
  const needed = field === 'apiKey' ? {} : { isNeeded: true as const };
  const text = await host.questions.text({ title, ...initialText(entry[field], hidden), ...needed }, signal);
  if (text === undefined) return undefined;
  const entered = field === 'url' ? withScheme(text) : text;
  if (hidden) registerSecret(entered);
  return entered;
}

/** The entry at this place of the list, to be tested and mended like a service of the settings. */
export async function testableEntry(index: number, context: SetupContext): Promise<Testable> {
  const { host, log } = context;
  const folder = host.dataFolder;
  const now = async () => {
    const entry = (await readListedSources(folder))[index]?.entry;
    if (entry === undefined) throw new TypeError(`no entry ${index}`);
    return entry;
  };
  const { kind, name } = await now();
  return {
    name,
    entered: async () => {
      const { url, apiKey } = await now();
      return JSON.stringify([kind, url, apiKey]);
    },
    test: async (signal) =>
      testEntry(await now(), await storedSettings(host), { files: host.files, folder, log, signal }),
    values: valuesOf(kind),
    moreDialogs: [],
    labelOf: (id) => LABELS[fieldOf(id)],
    shownValue: async (id) => shownField(fieldOf(id), await now()),
    keepsLogin: async ({ setting }) => keepsLogin(setting, (await now()).url),
    enter: ({ setting, value }) => changeEntry(index, { [fieldOf(setting)]: value }, context),
    change: async (id) => {
      const field = fieldOf(id);
      const value = await askField(field, await now(), context);
      if (value === undefined || (value === '' && field !== 'apiKey')) return false;
      await changeEntry(index, { [field]: value }, context);
      return true;
    },
  };
}

/** A test of an entry names the settings that a service of its kind has; its name is never wrong. */
const valuesOf = (kind: SourceEntry['kind']): readonly SettingId[] =>
  serviceById(kind)
    .fields.map(({ setting }) => setting)
    .filter((id) => fieldOf(id) !== 'name');

const fieldOf = (id: SettingId): Field =>
  id.endsWith('_url') ? 'url' : id.endsWith('_name') ? 'name' : 'apiKey';

export async function changeEntry(
  index: number,
  change: Partial<SourceEntry>,
  { host }: SetupContext,
): Promise<void> {
  await editListedSources(host.dataFolder, (sources) =>
    sources.map((source, at) =>
      at === index && source.entry !== undefined
        ? listedSource({ ...source.entry, ...change }, source)
        : source,
    ),
  );
}
