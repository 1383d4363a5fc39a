import type { CatalogueRelease } from '../catalogue.ts';
import type { NzbgetFaults, NzbgetJobFault } from './faults.ts';
import type { Submission } from './submission.ts';

/** A job as NZBGet knows it, in its queue or its history. */
export interface NzbgetJob extends Submission {
  readonly id: number;
  readonly name: string;
  readonly content: string;
  readonly release: CatalogueRelease | undefined;
  readonly fault: NzbgetJobFault | undefined;
  readonly folderFault: NzbgetFaults['folder'];
  /** Bytes of the articles that its NZB names. */
  readonly bytes: number;
  /** When its turn came; only one job runs at a time. */
  started: number;
  /** It was told to go while it was downloaded: milliseconds since the epoch at which it is gone. */
  goes?: number;
  /** Only in the history. */
  end?: { readonly at: number; readonly status: string };
}
