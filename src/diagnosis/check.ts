import type { SlipstreamError } from '../errors/index.ts';
import type { SettingId } from '../settings/table.ts';

/** One thing that a connection test has tried. */
export interface Check {
  /** In the person's words: "The API of nzbdav". */
  readonly what: string;
  /** What came of it for the person to read: "nzbdav 0.6.4", "120 GB free". */
  readonly found?: string;
  /** Why it does not work; absent: it does. */
  readonly failure?: SlipstreamError;
  /** Nothing speaks against it, and nothing proves it so far: why, for the person to read. */
  readonly unproven?: string;
  /** One of several of its kind: it is enough when one of them works. */
  readonly isOneOfMany?: true;
  /** It is worth a look, and the service works all the same. */
  readonly isNote?: true;
  /** The setting that is most likely wrong. */
  readonly setting?: SettingId;
  /** Those that are wrong as likely. */
  readonly alsoLikely?: readonly SettingId[];
  /** What is known to be right. */
  readonly mend?: Fix;
}

/** A value that is known to be right, in place of the one that is entered. */
export interface Fix {
  readonly setting: SettingId;
  readonly value: string;
  /** The one that is entered comes from nobody: this one may take its place without a question. */
  readonly isUnasked?: true;
}
