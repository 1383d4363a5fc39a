import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { ownValue } from '../io/own-property.ts';
import { openDocument } from '../io/store.ts';
import { type Logger, registerSecret } from '../log/index.ts';
import { Entries, openUserDocument } from './user-document.ts';

/** A place to search, beside those of the settings. */
export interface SourceEntry {
  readonly kind: 'newznab' | 'hydra' | 'prowlarr' | 'stremio';
  /** How the person calls it. */
  readonly name: string;
  /** As entered. */
  readonly url: string;
  /** Secret; empty: the one in the address. */
  readonly apiKey: string;
  readonly enabled: boolean;
}

/** The person's further sources, in the order in which they are listed. */
export interface SourceList {
  readonly entries: readonly SourceEntry[];
  /** What of it cannot be used, in words for the person: 'Entry 2 of sources.json is left out: …'. */
  readonly problems: readonly string[];
}

/** In the data folder; written by the dialog for it, or by hand. */
const FILE = 'sources.json';
const MAX_SOURCES = 100;
const Text = v.pipe(v.string(), v.maxLength(2_000));

const Entry = v.object({
  kind: v.picklist(['newznab', 'hydra', 'prowlarr', 'stremio']),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  url: Text,
  apiKey: v.optional(Text, ''),
  enabled: v.optional(v.boolean(), true),
});

/** What each field has to be, for the person who wrote something else. */
const FIELDS: Readonly<Record<string, string>> = {
  kind: 'one of "newznab", "hydra", "prowlarr" and "stremio"',
  name: 'a text of 1 to 100 characters',
  url: 'a text',
  apiKey: 'a text',
  enabled: 'true or false',
};

/** Reads the list, and sees to it that nobody else can. */
export async function readSourceList(folder: string, log: Logger): Promise<SourceList> {
  const path = join(folder, FILE);
  const isThere = await restrictToOwner(path, log);
  if (!isThere) return { entries: [], problems: [] };
  // Entry by entry, below: one that makes no sense does not take the others with it.
  const document = openDocument(folder, 'sources', {
    version: 1,
    parse: (value) => v.parse(v.array(v.unknown()), value),
  });
  const listed = await document.read();
  const whole = `${FILE} is no JSON of the form {"version": 1, "value": [ … ]}, so none of it counts.`;
  if (listed === undefined) return { entries: [], problems: [whole] };
  const entries: SourceEntry[] = [];
  const problems =
    listed.length > MAX_SOURCES ? [`Only the first ${MAX_SOURCES} entries of ${FILE} count.`] : [];
  for (const [index, value] of listed.slice(0, MAX_SOURCES).entries()) {
    const { success, output, issues } = v.safeParse(Entry, value);
    if (success) entries.push(output);
    else problems.push(`Entry ${index + 1} of ${FILE} is left out: ${issueText(issues[0])}.`);
  }
  return { entries, problems };
}

/** An entry for the dialog, which keeps what it cannot use as it stands there. */
export interface ListedSource {
  readonly entry?: SourceEntry;
  /** Why there is none, in words for the person. */
  readonly problem?: string;
  readonly stored: unknown;
}

/** All that stands in the list, in its order. @throws STORE_FAILED when it cannot be read */
export async function readListedSources(folder: string): Promise<ListedSource[]> {
  return ((await openList(folder).read()) ?? []).map(parseListed);
}

/** Changes the list. @throws STORE_FAILED; everything then is as it was */
export async function editListedSources(
  folder: string,
  change: (sources: readonly ListedSource[]) => readonly ListedSource[],
): Promise<void> {
  await openList(folder).edit((entries = []) =>
    change(entries.map(parseListed)).map(({ stored: raw }) => raw),
  );
}

/** An entry to be kept, with whatever else stood beside the one that it replaces. */
export function listedSource(entry: SourceEntry, before?: ListedSource): ListedSource {
  registerSecret(entry.apiKey.trim());
  const other = before?.entry === undefined ? undefined : before.stored;
  return { entry, stored: Object.assign({}, other, entry) };
}

const openList = (folder: string) => openUserDocument(folder, 'sources', Entries);

function parseListed(raw: unknown): ListedSource {
  const { success, output, issues } = v.safeParse(Entry, raw);
  if (!success) return { stored: raw, problem: issueText(issues[0]) };
  registerSecret(output.apiKey.trim());
  return { stored: raw, entry: output };
}

function issueText(issue: v.BaseIssue<unknown>): string {
  const field = issue.path?.[0]?.key;
  const expected = typeof field === 'string' ? ownValue(FIELDS, field) : undefined;
  if (expected === undefined) return 'it is no { … } with "kind", "name", "url" and "apiKey"';
  // Never what stands there: it may be a key.
  return `its "${String(field)}" ${issue.input === undefined ? 'is missing' : `is not ${expected}`}`;
}

/** Anybody but the owner: it holds keys. */
const OTHERS_MODE = 0o077;

/** Takes the file's keys out of others' sight. Gives whether it is there. */
async function restrictToOwner(path: string, log: Logger): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  if (file === undefined) return false;
  // Windows knows no such rights, and says that everybody has them.
  if (process.platform === 'win32' || (file.mode & OTHERS_MODE) === 0) return true;
  await chmod(path, 0o600).then(
    () => {
      log.warning(`${FILE} holds keys and could be read by others; now only its owner can (mode 600)`);
    },
    (error: unknown) => {
      log.warning(`${FILE} holds keys and can be read by others: ${String(error)}`);
    },
  );
  return true;
}
