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
  /** InfiniDysk's setting: how many jobs may wait before it refuses further ones. */
  queueLimit?: number | undefined;
  job?: JobFault | undefined;
  /** What is in a finished job's folder. */
  folder?: 'empty' | 'sample-only' | 'no-video' | 'ciphertext' | 'absent' | undefined;
  /** What nzbdav does with a job whose folder is there: "Name (2)", or failed (its setting "mark-failed"). */
  duplicates?: 'failed' | undefined;
  /**
   * The usenet provider: none is set up; it refuses connections; it refuses the login; it takes commands and never
   * answers. Jobs fail, are held or stand still, and no byte of any file is served. Used up: InfiniDysk says that it has
   * delivered what it may, and goes on.
   */
  provider?: 'none' | 'away' | 'refuses-login' | 'silent' | 'used-up' | undefined;
  /** Milliseconds that the deletion of the running job takes: nzbdav waits for what it is fetching, up to 10 s. */
  deletion?: number | undefined;
  /** The server does not run; the front end before it does. */
  gateway?: 'alone' | undefined;
  /**
   * Articles of every video that are gone, as offsets in the file; `to` is not included. nzbdav: a read that begins
   * there gets 404, one that reaches it ends short. InfiniDysk and AltMount: zeros.
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
    queueLimit: undefined,
    job: undefined,
    folder: undefined,
    duplicates: undefined,
    provider: undefined,
    deletion: undefined,
    gateway: undefined,
    missing: undefined,
  };
}
