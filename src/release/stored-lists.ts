import * as v from 'valibot';
import type { Logger } from '../log/index.ts';
import { openUserDocument } from '../settings/index.ts';
import { readFormatFolder } from './format-folder.ts';
import { CustomFormat } from './formats/format.ts';
import { NO_LISTS, type PreferenceLists, parsePreferenceLists } from './preference-lists.ts';
import type { CriterionId } from './rank/ids.ts';

const NAME = 'preferences';

/** What dialogs change of it; the rest is kept as it stands there. */
const Shape = v.looseObject({ formats: v.exactOptional(v.array(v.unknown())) });

const openLists = (folder: string) => openUserDocument(folder, NAME, Shape);

/**
 * The person's lists: the order of the criteria, groups, custom formats, also those of the folder for them. What of it
 * cannot be used is left out, and the log says so.
 */
export async function readPreferenceLists(folder: string, log: Logger): Promise<PreferenceLists> {
  const lists = await readStored(folder, log);
  const formats = withFolder(lists.formats, await readFormatFolder(folder, log));
  const used = formats.filter(({ format }) => format.enabled !== false);
  return { ...lists, formats: used.map(({ format }) => format) };
}

/** A custom format, and where it is from. */
export interface ListedFormat {
  readonly format: CustomFormat;
  /** A file in the folder `formats` has it. */
  readonly inFolder: boolean;
  /** The dialog has taken it, or changed what the folder says of it. */
  readonly isKept: boolean;
}

/** All custom formats, also those that are switched off. */
export async function listFormats(folder: string, log: Logger): Promise<ListedFormat[]> {
  return withFolder((await readStored(folder, log)).formats, await readFormatFolder(folder, log));
}

/** Keeps these, in the place of those of the same names. @throws STORE_FAILED; all then is as it was */
export async function saveFormats(folder: string, formats: readonly CustomFormat[]): Promise<void> {
  await openLists(folder).edit((lists = {}) => {
    const kept = new Map(formats.map((format) => [format.name, format]));
    const before = (lists.formats ?? []).map((raw) => {
      const format = kept.get(nameOf(raw) ?? '');
      if (format === undefined) return raw;
      kept.delete(format.name);
      return format;
    });
    return { ...lists, formats: [...before, ...kept.values()] };
  });
}

/** Forgets the one of that name; what the folder holds counts again. @throws STORE_FAILED */
export async function removeFormat(folder: string, name: string): Promise<void> {
  await openLists(folder).edit((lists = {}) => ({
    ...lists,
    formats: (lists.formats ?? []).filter((raw) => nameOf(raw) !== name),
  }));
}

/** By which criteria to rank, the weightiest first; none: by the default ones. @throws STORE_FAILED */
export async function saveCriteria(folder: string, criteria: readonly CriterionId[]): Promise<void> {
  await openLists(folder).edit((lists = {}) => ({ ...lists, criteria: [...criteria] }));
}

/** What is kept goes before a file's format of the same name: its points may have been changed. */
function withFolder(kept: readonly CustomFormat[], folder: readonly CustomFormat[]): ListedFormat[] {
  const names = new Set(kept.map(({ name }) => name));
  const files = new Set(folder.map(({ name }) => name));
  return [
    ...kept.map((format) => ({ format, inFolder: files.has(format.name), isKept: true })),
    ...folder
      .filter(({ name }) => !names.has(name))
      .map((format) => ({ format, inFolder: true, isKept: false })),
  ];
}

/** Of an entry that can be used; any other belongs to whoever wrote it. */
function nameOf(raw: unknown): string | undefined {
  const { success, output } = v.safeParse(CustomFormat, raw);
  return success ? output.name : undefined;
}

async function readStored(folder: string, log: Logger): Promise<PreferenceLists> {
  const warn = (problem: string) => {
    log.warning(`${NAME}.json: ${problem}`);
  };
  const value = await openUserDocument(folder, NAME, v.unknown())
    .read()
    .catch(() => {
      // It is also written by hand, and a comma may be missing.
      warn('it is no JSON of the form {"version": 1, "value": {…}}, so none of it counts');
      return undefined;
    });
  return value === undefined ? NO_LISTS : parsePreferenceLists(value, warn);
}
