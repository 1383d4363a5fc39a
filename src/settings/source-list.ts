import * as v from 'valibot';
import { type Document, openDocument } from '../io/store.ts';

/** A place to search, beside those of the settings. */
export interface SourceEntry {
  readonly kind: 'newznab' | 'hydra' | 'prowlarr';
  /** How the person calls it. */
  readonly name: string;
  /** As entered. */
  readonly url: string;
  /** Secret; empty: the one in the address. */
  readonly apiKey: string;
  readonly enabled: boolean;
}

const MAX_SOURCES = 100;
const Text = v.pipe(v.string(), v.maxLength(2_000));

const Entries = v.pipe(
  v.array(
    v.object({
      kind: v.picklist(['newznab', 'hydra', 'prowlarr']),
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
      url: Text,
      apiKey: Text,
      enabled: v.boolean(),
    }),
  ),
  v.maxLength(MAX_SOURCES),
);

/** The person's further sources, in the order in which they are listed. */
export const openSourceList = (folder: string): Document<readonly SourceEntry[]> =>
  openDocument(folder, 'sources', { version: 1, parse: (value) => v.parse(Entries, value) });
