import * as v from 'valibot';
import { openDocument, type StoredDocument } from '../io/store.ts';
import type { Logger } from '../log/index.ts';
import { Entries, openUserDocument } from './user-document.ts';

/** One folder under its two names. */
export interface PathMapping {
  /** As the download client calls it, on its own machine: "/downloads/series", "D:\Downloads". */
  readonly from: string;
  /** As the media centre opens it: a path, smb://server/share/folder or nfs://server/folder. */
  readonly to: string;
}

const MAX_MAPPINGS = 50;
const Path = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1_000));
const Mapping = v.object({ from: Path, to: Path });

/**
 * The person's further folders, beside the one of the settings. Also written by hand, so a mistake costs its entry only,
 * and the log says which.
 */
export const openPathMappings = (folder: string, log: Logger): StoredDocument<readonly PathMapping[]> =>
  openDocument(folder, 'path-mappings', {
    version: 1,
    parse: (value) => {
      const entries = v.parse(Entries, value);
      if (entries.length > MAX_MAPPINGS)
        log.warning(`path-mappings: only the first ${MAX_MAPPINGS} of ${entries.length} entries count`);
      return entries.slice(0, MAX_MAPPINGS).flatMap((entry, index) => mappingOf(entry, index + 1, log));
    },
  });

function mappingOf(entry: unknown, number: number, log: Logger): PathMapping[] {
  const parsed = v.safeParse(Mapping, entry);
  if (parsed.success) return [parsed.output];
  // What is wrong, not what is written there: a path may hold a password.
  const where = v.getDotPath(parsed.issues[0]) ?? 'the entry';
  log.warning(`path-mappings: entry ${number} is left out: ${where} is not as it should be`);
  return [];
}

/** An entry for the dialog, which keeps what it cannot use as it stands there. */
export interface ListedMapping {
  readonly mapping?: PathMapping;
  readonly stored: unknown;
}

/** All that stands in the list, in its order. @throws STORE_FAILED when it cannot be read */
export async function readListedMappings(folder: string): Promise<ListedMapping[]> {
  return ((await openList(folder).read()) ?? []).map(parseListed);
}

/** Changes the list. @throws STORE_FAILED; everything then is as it was */
export async function editListedMappings(
  folder: string,
  change: (mappings: readonly ListedMapping[]) => readonly ListedMapping[],
): Promise<void> {
  await openList(folder).edit((entries = []) =>
    change(entries.map(parseListed)).map(({ stored: raw }) => raw),
  );
}

const openList = (folder: string) => openUserDocument(folder, 'path-mappings', Entries);

function parseListed(raw: unknown): ListedMapping {
  const { success, output } = v.safeParse(Mapping, raw);
  return success ? { stored: raw, mapping: output } : { stored: raw };
}
