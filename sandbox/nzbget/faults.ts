import type { TransportFault } from '../http/faults.ts';

/** What is to go wrong; a test changes it at any time. A job keeps the faults that stood when it was submitted. */
export interface NzbgetFaults {
  /** On the wire; the first that fits a request hits it. `query.rpc` of a request is the method that it calls. */
  rpc: TransportFault[];
  /** `append` is refused: with these words, or with the id 0. */
  submit?: { readonly words: string } | 'no-id' | undefined;
  /** `editqueue` is refused with these words. */
  edit?: { readonly words: string } | undefined;
  job?: NzbgetJobFault | undefined;
  /** What is in a finished job's folder. */
  folder?: 'empty' | 'sample-only' | 'no-video' | 'absent' | undefined;
  /** Folders of their own that categories are said to have, by their names. */
  folders?: Readonly<Record<string, string>> | undefined;
}

export type NzbgetJobFault =
  | {
      readonly kind: 'fails';
      /** As the history says: "FAILURE/PAR". */ readonly status: string;
      /** Percent of its way; default 50. */ readonly at?: number;
    }
  | {
      /** Stays at this percentage of the download for ever; 0: stays queued. */ readonly kind: 'stuck';
      readonly percent: number;
    }
  | { /** Leaves the queue and never arrives in the history. */ readonly kind: 'vanishes' }
  | { /** Paused by NZBGet's health check. */ readonly kind: 'hopeless' }
  | {
      /** Ends with another status than SUCCESS/UNPACK, and its files. */ readonly kind: 'ends';
      readonly status: string;
    }
  | { /** Has to be repaired first. */ readonly kind: 'repaired' };

/** Everything works. */
export const noNzbgetFaults = (): NzbgetFaults => ({
  rpc: [],
  submit: undefined,
  edit: undefined,
  job: undefined,
  folder: undefined,
  folders: undefined,
});
