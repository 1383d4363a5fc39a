import type { TransportFault } from './http/faults.ts';

/**
 * What is to go wrong. Plain data that a test changes at any time; each request looks at it anew. A job keeps the
 * faults that stood when it was submitted, so that the first can fail and the next succeed.
 * A closed port is not a fault but an act: `sandbox.shut('indexer')`.
 */
export interface Faults {
  /** On the wire; the first that fits a request hits it. */
  indexer: TransportFault[];
  api: TransportFault[];
  webdav: TransportFault[];
  /** Searches find nothing. */
  search?: 'empty' | undefined;
  /** What a grab gets in place of the NZB, always with status 200. */
  nzb?: 'empty-body' | 'error' | 'limit-reached' | 'html' | 'no-files' | 'broken-xml' | undefined;
  /** nzbdav refuses each submission with this text and status. */
  submit?: { readonly error: string; readonly status: 200 | 400 | 500 } | undefined;
  job?: JobFault | undefined;
  /** What is in a finished job's folder. */
  folder?: 'empty' | 'sample-only' | 'no-video' | 'absent' | undefined;
  /**
   * Articles of every video that are gone, as offsets in the file; `to` is not included. A read that begins there gets
   * 404, one that reaches it ends short.
   */
  missing?: { readonly from: number; readonly to: number } | undefined;
}

export type JobFault =
  | {
      readonly kind: 'fails';
      readonly message: string;
      /** Percent of its way; default 50. */ readonly at?: number;
    }
  | {
      /** Stays at this percentage for ever; 0: stays queued. */ readonly kind: 'stuck';
      readonly percent: number;
    }
  | { /** Leaves the queue and never arrives in the history. */ readonly kind: 'vanishes' };

/** Everything works. `Object.assign(sandbox.faults, noFaults())` ends every fault. */
export function noFaults(): Faults {
  return {
    indexer: [],
    api: [],
    webdav: [],
    search: undefined,
    nzb: undefined,
    submit: undefined,
    job: undefined,
    folder: undefined,
    missing: undefined,
  };
}
